/** The page around a panel's script: strict content security policy, local files only, nothing inline. */
import type { PanelKind } from "../../panel-protocol";

export interface PageFacts {
  readonly kind: PanelKind;
  readonly title: string;
  readonly nonce: string;
  /** The webview's own source, as its policy names it. */
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
  readonly icons: string;
}

/** The toolkit reads `csp-nonce` to put its one style element under the policy. */
export function panelPage(facts: PageFacts): string {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${facts.nonce}'`,
    `style-src ${facts.cspSource} 'nonce-${facts.nonce}'`,
    `font-src ${facts.cspSource}`,
    `img-src ${facts.cspSource}`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
<meta property="csp-nonce" content="${facts.nonce}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(facts.title)}</title>
<link rel="stylesheet" href="${escapeHtml(facts.icons)}">
<link rel="stylesheet" href="${escapeHtml(facts.style)}">
</head>
<body data-panel="${facts.kind}">
<div id="app"></div>
<script nonce="${facts.nonce}" src="${escapeHtml(facts.script)}"></script>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
}
