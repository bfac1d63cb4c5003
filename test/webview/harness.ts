/**
 * Shows a built panel in Chromium as the editor would: its real page under its real policy, the editor's variables and
 * classes, and a host that answers over the panel protocol. Only `acquireVsCodeApi` is a stand-in.
 */
import { mkdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { CHROMIUM_FLAGS } from "../../scripts/editor.mjs";
import { createPatch } from "../../src/core/json";
import { panelPage } from "../../src/editor/panels/html";
import type { FromPanel, PanelKind, PanelState, ToPanel } from "../../src/panel-protocol";
import { THEME_CLASSES, type Theme, themeSheet } from "./fixtures/themes";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const SHOTS = join(ROOT, ".cache/screenshots");
const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };

type Calls = Readonly<Record<string, (args: never) => unknown>>;

/** The host of one page: keeps the state, answers calls, remembers what the panel sent. */
export class ScriptedHost {
  readonly received: FromPanel[] = [];
  private seq = 0;

  constructor(
    private readonly page: Page,
    public state: PanelState,
    private readonly calls: Calls,
  ) {}

  /** The answer to the first `ready`. */
  first(): ToPanel {
    return { type: "snapshot", seq: this.seq, state: this.state };
  }

  async receive(message: FromPanel): Promise<void> {
    this.received.push(message);
    if (message.type === "ready" && this.sent("ready").length > 1)
      await this.send({ type: "snapshot", seq: ++this.seq, state: this.state });
    if (message.type === "ui" && this.state.kind !== "error")
      this.state = { ...this.state, ui: { ...("ui" in this.state ? this.state.ui : {}), ...message.ui } } as PanelState;
    if (message.type !== "call") return;
    const handler = this.calls[message.method];
    try {
      if (!handler) throw new Error(`The host has no ${message.method}.`);
      await this.send({ type: "reply", id: message.id, value: await handler(message.args as never) });
    } catch (error) {
      await this.send({ type: "failure", id: message.id, message: (error as Error).message });
    }
  }

  /** A new state, sent as a patch. */
  async show(state: PanelState): Promise<void> {
    const patch = createPatch(this.state, state);
    this.state = state;
    await this.send({ type: "patch", seq: ++this.seq, patch });
  }

  /** Lets a message go missing: the next patch leaves a gap. */
  lose(state: PanelState): void {
    this.state = state;
    this.seq++;
  }

  async send(message: ToPanel): Promise<void> {
    // A page that was closed in the meantime takes no message, as in an editor.
    if (!this.page.isClosed()) await this.page.evaluate((m) => window.postMessage(m, "*"), message).catch(() => {});
  }

  sent<T extends FromPanel["type"]>(type: T): Extract<FromPanel, { type: T }>[] {
    return this.received.filter((m): m is Extract<FromPanel, { type: T }> => m.type === type);
  }

  /** Arguments of the calls of one method, in order. */
  called(method: string): unknown[] {
    return this.sent("call").flatMap((m) => (m.method === method ? [m.args] : []));
  }
}

export interface ShowOptions {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly calls?: Calls;
  readonly reducedMotion?: boolean;
}

export interface ShownPanel {
  readonly page: Page;
  readonly host: ScriptedHost;
  /** Violations of the content security policy, and errors of the script, so far. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export class PanelBrowser {
  private constructor(
    private readonly server: Server,
    private readonly browser: Browser,
    private readonly origin: string,
  ) {}

  static async open(): Promise<PanelBrowser> {
    const server = createServer((request, response) => {
      const url = new URL(request.url ?? "/", "http://localhost");
      respond(url).then(
        ({ type, body }) => response.writeHead(200, { "content-type": type }).end(body),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
    const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
    return new PanelBrowser(server, browser, `http://127.0.0.1:${port}`);
  }

  async close(): Promise<void> {
    await this.browser.close();
    await new Promise((done) => this.server.close(done));
  }

  /** Opens a panel and waits until its data is drawn. */
  async show(kind: PanelKind, state: PanelState, options: ShowOptions = {}): Promise<ShownPanel> {
    const { theme = "dark", width = 1280, height = 860 } = options;
    const context: BrowserContext = await this.browser.newContext({
      viewport: { width, height },
      reducedMotion: options.reducedMotion ? "reduce" : "no-preference",
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`console: ${message.text()}`);
    });
    const host = new ScriptedHost(page, state, options.calls ?? {});
    let isDrawn = () => {};
    const drawn = new Promise<void>((done) => {
      isDrawn = done;
    });
    await page.exposeFunction("firedrillToHost", (message: FromPanel) => {
      void host.receive(message);
      if (message.type === "drawn") isDrawn();
    });
    // The first snapshot waits in the page, as it does in an editor: the bridge to this process would be measured otherwise.
    await page.addInitScript((snapshot) => {
      const out = window as unknown as Record<string, unknown>;
      let first = true;
      out.acquireVsCodeApi = () => ({
        postMessage: (message: { type: string }) => {
          if (first && message.type === "ready") setTimeout(() => window.postMessage(snapshot, "*"), 0);
          first &&= message.type !== "ready";
          (out.firedrillToHost as (m: unknown) => void)(message);
        },
      });
      document.addEventListener("securitypolicyviolation", (event) =>
        console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
      );
    }, host.first());
    await page.goto(`${this.origin}/panel/${kind}/${theme}`);
    await drawn;
    return { page, host, complaints, close: () => context.close() };
  }
}

async function respond(url: URL): Promise<{ type: string; body: string | Buffer }> {
  const [, area = "", a = "", b = ""] = url.pathname.split("/");
  if (area === "panel") return { type: "text/html", body: pageFor(a as PanelKind, b as Theme) };
  if (area === "theme") return { type: "text/css", body: themeSheet(a as Theme) };
  if (area === "favicon.ico") return { type: "image/x-icon", body: "" };
  const body = await readFile(join(ROOT, "dist/webview", a));
  return { type: TYPES[extname(a)] ?? "application/octet-stream", body };
}

function pageFor(kind: PanelKind, theme: Theme): string {
  const { classes, kind: themeKind } = THEME_CLASSES[theme];
  const page = panelPage({
    kind,
    title: "Firedrill",
    nonce: "dGVzdC1ub25jZQ",
    cspSource: "http://127.0.0.1:*",
    script: `/dist/${kind}.js`,
    style: `/dist/${kind}.css`,
    icons: "/dist/codicon.css",
  });
  return page
    .replace('<link rel="stylesheet"', `<link rel="stylesheet" href="/theme/${theme}">\n<link rel="stylesheet"`)
    .replace("<body ", `<body class="${classes}" data-vscode-theme-kind="${themeKind}" `);
}

/** Keeps a picture under .cache/screenshots for people to look at. */
export async function shoot(page: Page, name: string): Promise<void> {
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`) });
}
