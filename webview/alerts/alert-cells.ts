/** The eight cells of an alert's line. */
import { type Icon, iconNode } from "../shared/icons";
import { age, short } from "../shared/numbers";
import { oneLine, titleOf } from "../shared/text";
import { attribute, element, text, Variants } from "./elements";
import type { GridInput } from "./grid";
import { excess, type QueueRow } from "./rows";

export class AlertCells {
  readonly cells: readonly HTMLElement[];
  private readonly tick = element("span", "ck", { "aria-hidden": "true" });
  private readonly state = cell("c-state");
  private readonly stateShown = new Variants<QueueRow["state"] | "lasting">(this.state);
  private readonly lasting = document.createTextNode("");
  private readonly mark = new Severity();
  private readonly name = new Value(element("bdi"));
  private readonly service = new Value(element("bdi"));
  private readonly team = cell("c-team");
  private readonly teamShown = new Variants<"unread" | "unknown" | "known">(this.team);
  private readonly teamName = new Value(element("bdi"));
  private readonly since = cell("c-since");
  private readonly at = document.createTextNode("");
  private readonly ago = document.createTextNode("");
  private readonly value = cell("c-val");
  private readonly valueShown = new Variants<"unread" | "none" | "measured">(this.value);
  private readonly measured = new Measured();
  private readonly handling = cell("c-hand");
  private readonly handlingShown = new Variants(this.handling);
  private readonly group = element("span", "chip");

  constructor() {
    this.since.append(this.at, element("span", "dim ago", {}, [this.ago]));
    this.cells = [
      cell("c-ck", [this.tick]),
      this.state,
      cell("c-name", [this.mark.holder, this.name.holder]),
      cell("c-svc", [this.service.holder]),
      this.team,
      this.since,
      this.value,
      this.handling,
    ];
  }

  show(row: QueueRow, input: GridInput): void {
    attribute(this.tick, "class", input.selected.has(row.id) ? "ck on" : "ck");
    const lasts = age(input.minute - row.since);
    if (input.published) {
      this.stateShown.show("lasting", () => [element("span", "dim", {}, [this.lasting])]);
      text(this.lasting, lasts);
    } else this.stateShown.show(row.state, () => [iconNode(row.state), row.state]);
    this.mark.show(row.severity);
    this.name.show(row.name);
    this.service.show(row.service);
    this.showTeam(row);
    text(this.at, input.clock.at(row.since));
    text(this.ago, input.published ? "" : lasts);
    attribute(this.since, "title", `${lasts} ago`);
    this.showValue(row);
    this.showHandling(row);
  }

  private showTeam(row: QueueRow): void {
    this.teamShown.show(!row.read ? "unread" : row.team === null ? "unknown" : "known", (kind) =>
      kind === "unread" ? [unreadShape()] : kind === "unknown" ? ["unknown"] : [this.teamName.holder],
    );
    if (row.team !== null) this.teamName.show(row.team);
  }

  private showValue(row: QueueRow): void {
    const kind = !row.read ? "unread" : row.value === null && row.threshold === null ? "none" : "measured";
    this.valueShown.show(kind, () =>
      kind === "unread"
        ? [element("span", "unread", {}, [iconNode("unknown"), "not looked at"])]
        : kind === "none"
          ? [element("span", "dim", {}, ["no value"])]
          : this.measured.nodes,
    );
    if (kind === "measured") this.measured.show(row, this.value);
    else this.value.removeAttribute("title");
  }

  private showHandling(row: QueueRow): void {
    const grouped = row.group !== null;
    this.handlingShown.show(`${grouped} ${row.handling}`, () => {
      const shape = HANDLING_ICONS[row.handling];
      return [...(grouped ? [this.group] : []), ...(shape === null ? [] : [iconNode(shape), row.handling])];
    });
    if (row.group === null) return;
    const label = oneLine(row.group, 8);
    if (this.group.textContent === label) return;
    this.group.textContent = label;
    this.group.title = `in incident ${titleOf(row.group)}`;
  }
}

const HANDLING_ICONS: Readonly<Record<QueueRow["handling"], Icon | null>> = {
  none: null,
  acknowledged: "acknowledged",
  snoozed: "muted",
  silenced: "muted",
  suppressed: "muted",
  maintenance: "maintenance",
};

function cell(classes: string, children: readonly (Node | string)[] = []): HTMLTableCellElement {
  return element("td", classes, { role: "gridcell" }, children);
}

function unreadShape(): HTMLElement {
  const words = { role: "img", "aria-label": "not looked at", title: "not looked at" };
  return element("span", "unread", words, [iconNode("unknown")]);
}

/** A text that somebody else wrote, cut by the width of its cell and whole in its title. */
class Value {
  private readonly text = document.createTextNode("");
  private shown: string | null = null;

  constructor(readonly holder: HTMLElement) {
    holder.append(this.text);
  }

  show(value: string): void {
    if (this.shown === value) return;
    this.shown = value;
    text(this.text, oneLine(value));
    this.holder.title = titleOf(value);
  }
}

/** The rule's severity label: a shape with its word for those who do not see it. */
class Severity {
  readonly holder = element("span", "mark", { role: "img" });
  private readonly shape = new Variants<Icon>(this.holder);
  private shown: string | null | undefined;

  show(severity: string | null): void {
    if (this.shown === severity) return;
    this.shown = severity;
    this.holder.hidden = severity === null;
    if (severity === null) return;
    const words = `rule severity ${oneLine(severity, 40)}`;
    attribute(this.holder, "aria-label", words);
    attribute(this.holder, "title", words);
    this.shape.show(shapeOf(severity), (name) => [iconNode(name, "small")]);
  }
}

function shapeOf(severity: string): Icon {
  if (/crit|page|fatal|emerg/i.test(severity)) return "critical";
  return /warn|err|minor|major/i.test(severity) ? "warning" : "info";
}

/** A value against its threshold: a bar whose middle is the threshold, and both numbers. */
class Measured {
  private readonly fill = element("i");
  private readonly value = document.createTextNode("");
  private readonly limit = document.createTextNode("");
  readonly nodes: readonly (Node | string)[] = [
    element("span", "vbar tint", { "aria-hidden": "true" }, [this.fill, element("u")]),
    element("b", "", {}, [this.value]),
    " ",
    element("span", "dim", {}, [this.limit]),
  ];

  show(row: QueueRow, holder: HTMLElement): void {
    const unit = row.unit ? ` ${oneLine(row.unit, 16)}` : "";
    const beyond = excess(row);
    attribute(this.fill, "class", beyond > 1 ? "hot" : "");
    this.fill.style.width = `${Math.max(0, Math.min(2, beyond)) * 50}%`;
    text(this.value, short(row.value));
    text(this.limit, `/ ${row.comparison === "<" ? "min " : ""}${short(row.threshold)}${unit}`);
    attribute(holder, "title", `value ${short(row.value)}, threshold ${row.comparison} ${short(row.threshold)}${unit}`);
  }
}
