/** Texts of the manifest: settings, welcome views and the walkthrough. Data only. */
import { VIEWS } from "./commands/command-table";

export const configuration = {
  title: "Firedrill",
  properties: {
    "firedrill.runs.folder": {
      type: "string",
      default: "",
      scope: "application",
      order: 1,
      markdownDescription:
        "Folder where runs are recorded, as a path (`~/` is your home folder) or a URI. Empty: the extension's own storage, which works with no folder open. Runs that are already recorded stay where they are.",
    },
    "firedrill.quietMode": {
      type: "boolean",
      default: false,
      order: 2,
      markdownDescription: "Let pages arrive without a notification. The panel and the status bar still show them.",
    },
    "firedrill.drillTimer": {
      type: "boolean",
      default: false,
      order: 3,
      markdownDescription:
        "Show how long you have been at the episode, by the clock on the wall, in the status bar. It never enters the simulation; pause it with *Firedrill: Pause or Resume Drill Timer*.",
    },
    "firedrill.player.paceMs": {
      type: "integer",
      default: 1000,
      minimum: 0,
      maximum: 60000,
      order: 4,
      markdownDescription: "Milliseconds between the steps of a player you watch.",
    },
  },
};

export const viewsWelcome = [
  {
    view: VIEWS.runs,
    contents:
      "No runs yet. Every episode you play is recorded here, step by step, and can be replayed, forked and debriefed.\n[Start a Scenario](command:firedrill.startScenario)",
    when: "!firedrill.runsFiltered",
  },
  {
    view: VIEWS.runs,
    contents: "No run matches the filter.\n[Clear the Filter](command:firedrill.clearRunFilter)",
    when: "firedrill.runsFiltered",
  },
];

export const walkthroughs = [
  {
    id: "start",
    title: "Get Started With Firedrill",
    description: "Your first page, answered in ten minutes.",
    steps: [
      {
        id: "play",
        title: "Take your first page",
        description:
          "Pick a starter scenario. The alert queue opens beside your code; nothing is sent anywhere and no folder is needed.\n[Start a Scenario](command:firedrill.startScenario)",
        media: { svg: "media/walkthrough/queue.svg", altText: "An alert queue with five rows and an action bar." },
        completionEvents: ["onCommand:firedrill.startScenario"],
      },
      {
        id: "read",
        title: "Look before you act",
        description:
          "At first you see only names and ages. Reads show values, history, changes and customer impact, and each costs a simulated minute. Every action has a key; it stands on its button, and `?` lists them all.\n[Take an Action](command:firedrill.takeAction)",
        media: { svg: "media/walkthrough/read.svg", altText: "A chart that ends where it was last read." },
        completionEvents: ["onCommand:firedrill.takeAction", "onCommand:firedrill.alerts.inspect_alert"],
      },
      {
        id: "close",
        title: "Say what it was",
        description:
          "Group what belongs together, route it with a severity, declare the cause with the reads that show it, then finish the triage.",
        media: { svg: "media/walkthrough/close.svg", altText: "A group of alerts routed to a team." },
        completionEvents: ["onCommand:firedrill.alerts.close_triage"],
      },
      {
        id: "debrief",
        title: "Read the debrief",
        description:
          "The grade is a tree with a reason on every part. Each lost point names what it cost; fork from any step and play it differently.\n[Open the Debrief](command:firedrill.openDebrief)",
        media: { svg: "media/walkthrough/debrief.svg", altText: "A grade tree with reasons beside a list of steps." },
        completionEvents: ["onCommand:firedrill.openDebrief"],
      },
      {
        id: "watch",
        title: "Watch somebody else",
        description:
          "Let a rule-based player go on from where you are; pause it, change its pace, or take over.\n[Let a Player Play](command:firedrill.letPlayerPlay)",
        media: { svg: "media/walkthrough/watch.svg", altText: "A player's steps with a pause button." },
        completionEvents: ["onCommand:firedrill.letPlayerPlay"],
      },
    ],
  },
];
