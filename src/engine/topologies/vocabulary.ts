/** Names for generated systems: companies with their business domains. All made up for this project. */

/** A part of the business: one team with its APIs and what it does in the background. */
export interface Domain {
  readonly name: string;
  readonly team: string;
  readonly apis: readonly string[];
  readonly workers: readonly string[];
}

/** A supplier outside of the company, and what it is asked for. */
export interface Supplier {
  readonly name: string;
  /** Domains that would ask it. */
  readonly domains: readonly string[];
}

export interface Company {
  readonly name: string;
  /** The first letter of a version, as its release tool writes it. */
  readonly tag: "v" | "r" | "";
  readonly edges: readonly [string, string];
  readonly domains: readonly Domain[];
  readonly suppliers: readonly Supplier[];
}

function domain(name: string, team: string, apis: string, workers: string): Domain {
  return { name, team, apis: apis.split(" "), workers: workers.split(" ") };
}

function supplier(name: string, domains: string): Supplier {
  return { name, domains: domains.split(" ") };
}

export const COMPANIES: readonly Company[] = [
  {
    name: "garden-market",
    tag: "v",
    edges: ["edge-gateway", "app-gateway"],
    domains: [
      domain("catalog", "discovery", "catalog-api search-api reviews-api", "index-builder thumbnail-maker"),
      domain("orders", "checkout", "orders-api basket-api checkout-api", "order-fulfiller receipt-mailer"),
      domain("customers", "accounts", "accounts-api login-api wishlist-api", "profile-sync newsletter-sender"),
      domain("stock", "warehouse", "stock-api reservations-api pricing-api", "stock-counter supplier-sync"),
      domain("delivery", "logistics", "delivery-api slots-api tracking-api", "label-printer route-planner"),
    ],
    suppliers: [
      supplier("card-processor", "orders"),
      supplier("parcel-carrier", "delivery stock"),
      supplier("address-checker", "customers delivery"),
    ],
  },
  {
    name: "night-rail",
    tag: "r",
    edges: ["web-edge", "partner-gateway"],
    domains: [
      domain("journeys", "planning", "journey-api timetable-api stations-api", "timetable-loader delay-feed"),
      domain("bookings", "sales", "booking-api seat-api vouchers-api", "ticket-issuer booking-expirer"),
      domain("travellers", "identity", "traveller-api session-api consent-api", "consent-export loyalty-points"),
      domain("fares", "revenue", "fare-api quote-api discounts-api", "fare-importer yield-updater"),
      domain("refunds", "service-desk", "refund-api claims-api cases-api", "refund-payer claims-sorter"),
    ],
    suppliers: [
      supplier("bank-gateway", "bookings refunds"),
      supplier("rail-exchange", "journeys fares"),
      supplier("text-message-hub", "travellers bookings"),
    ],
  },
  {
    name: "open-lectures",
    tag: "v",
    edges: ["front-door", "mobile-edge"],
    domains: [
      domain("courses", "content", "course-api syllabus-api player-api", "video-packager caption-maker"),
      domain("learners", "people", "learner-api signin-api groups-api", "digest-mailer roster-sync"),
      domain("exams", "assessment", "quiz-api grading-api proctor-api", "exam-marker plagiarism-scan"),
      domain("forum", "community", "forum-api mentions-api moderation-api", "mention-notifier spam-sweeper"),
      domain("enrolment", "admissions", "enrol-api seats-api invoices-api", "enrol-confirmer invoice-runner"),
    ],
    suppliers: [
      supplier("identity-broker", "learners enrolment"),
      supplier("video-host", "courses"),
      supplier("payment-link", "enrolment exams"),
    ],
  },
  {
    name: "clear-ledger",
    tag: "",
    edges: ["public-gateway", "branch-gateway"],
    domains: [
      domain("accounts", "core-banking", "balance-api statement-api account-api", "interest-run statement-maker"),
      domain("transfers", "money-movement", "transfer-api mandate-api payee-api", "clearing-sender return-handler"),
      domain("cards", "cards", "card-api authorise-api limits-api", "card-embosser dispute-filer"),
      domain("onboarding", "growth", "signup-api documents-api referral-api", "document-reader welcome-mailer"),
      domain("risk", "risk", "score-api rules-api watchlist-api", "watchlist-loader alert-reviewer"),
    ],
    suppliers: [
      supplier("clearing-house", "transfers"),
      supplier("card-network", "cards"),
      supplier("credit-bureau", "risk onboarding"),
    ],
  },
  {
    name: "field-sensors",
    tag: "r",
    edges: ["api-edge", "device-gateway"],
    domains: [
      domain("devices", "fleet", "device-api firmware-api pairing-api", "firmware-pusher heartbeat-sweeper"),
      domain("readings", "telemetry", "readings-api ingest-api trends-api", "rollup-writer outlier-finder"),
      domain("tenants", "accounts", "tenant-api token-api seats-api", "usage-meter tenant-export"),
      domain("rules", "automation", "rule-api schedule-api scene-api", "rule-runner schedule-ticker"),
      domain("alarms", "response", "alarm-api contact-api escalation-api", "alarm-dispatcher contact-sync"),
    ],
    suppliers: [
      supplier("weather-feed", "rules readings"),
      supplier("voice-caller", "alarms"),
      supplier("map-tiles", "devices tenants"),
    ],
  },
];

/** Regions; a zone is a region with a letter. */
export const REGIONS = ["aberdeen", "bergen", "coimbra", "gdansk", "leipzig", "turku"] as const;

/** Who looks after what everybody uses. */
export const PLATFORM_TEAMS = { edge: "traffic", database: "data", cache: "platform", queue: "platform" } as const;
