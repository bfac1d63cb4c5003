/** Elements that are made once and changed in place, where a template would be drawn too often. */

/** An element with its class and attributes; children are nodes or texts. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  classes = "",
  attributes: Readonly<Record<string, string>> = {},
  children: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** Sets an attribute that differs: writing the same value again would still invalidate styles. */
export function attribute(of: Element, name: string, value: string): void {
  if (of.getAttribute(name) !== value) of.setAttribute(name, value);
}

/** Sets a text that differs. */
export function text(of: Text, value: string): void {
  if (of.data !== value) of.data = value;
}

/** Content that changes in kind. What was made for a kind is kept and put back when the kind returns. */
export class Variants<K extends string = string> {
  private readonly made = new Map<K, readonly Node[]>();
  private shown: K | null = null;

  constructor(private readonly holder: Element) {}

  show(kind: K, make: (kind: K) => readonly (Node | string)[]): void {
    if (this.shown === kind) return;
    this.shown = kind;
    let nodes = this.made.get(kind);
    if (!nodes) {
      nodes = make(kind).map((node) => (typeof node === "string" ? document.createTextNode(node) : node));
      this.made.set(kind, nodes);
    }
    this.holder.replaceChildren(...nodes);
  }
}
