/**
 * The elements of one line of the table. They are made once and filled anew while lines scroll past: only texts and
 * attributes that differ are touched, because every new element costs style, layout and paint of its own.
 */
import { iconNode } from "../shared/icons";
import { plural } from "../shared/numbers";
import { oneLine, titleOf } from "../shared/text";
import { AlertCells } from "./alert-cells";
import { attribute, element, Variants } from "./elements";
import type { GridInput } from "./grid";
import { keyOf, type Line, tally } from "./rows";

type HeadingLine = Extract<Line, { readonly kind: "heading" }>;

export class LineView {
  readonly element = element("tr", "", { role: "row" });
  private alert: AlertCells | null = null;
  private heading: HeadingCells | null = null;
  private kind: Line["kind"] | null = null;

  /** `index` is the line's place among all lines, from 0. */
  show(line: Line, index: number, input: GridInput): void {
    const key = keyOf(line);
    const current = input.cursor === key;
    const chosen = line.kind === "alert" ? input.selected.has(line.row.id) : chosenOf(line, input.selected) === "all";
    const classes = line.kind === "heading" ? "grp" : chosen ? "row sel" : "row";
    attribute(this.element, "class", current ? `${classes} cur` : classes);
    attribute(this.element, "id", `line-${index}`);
    attribute(this.element, "data-key", key);
    // The header is row 1.
    attribute(this.element, "aria-rowindex", String(index + 2));
    attribute(this.element, "aria-selected", String(chosen));
    if (line.kind === "alert") this.alertCells().show(line.row, input);
    else this.headingCells().show(line, input);
  }

  private alertCells(): AlertCells {
    this.alert ??= new AlertCells();
    this.become("alert", this.alert.cells);
    return this.alert;
  }

  private headingCells(): HeadingCells {
    this.heading ??= new HeadingCells();
    this.become("heading", this.heading.cells);
    return this.heading;
  }

  private become(kind: Line["kind"], cells: readonly HTMLElement[]): void {
    if (this.kind === kind) return;
    this.kind = kind;
    this.element.replaceChildren(...cells);
  }
}

function chosenOf(line: HeadingLine, selected: ReadonlySet<string>): "none" | "some" | "all" {
  const chosen = line.rows.reduce((count, row) => count + Number(selected.has(row.id)), 0);
  return chosen === 0 ? "none" : chosen === line.rows.length ? "all" : "some";
}

const TICKS = { none: "ck", some: "ck part", all: "ck on" } as const;

class HeadingCells {
  readonly cells: readonly HTMLElement[];
  private readonly tick = element("span", "ck", { "aria-hidden": "true" });
  private readonly fold = element("button", "fold", { type: "button", tabindex: "-1" });
  private readonly arrow = new Variants<"down" | "right">(this.fold);
  private readonly label = element("bdi");
  private readonly labelHolder = element("b", "mono cut", {}, [this.label]);
  private readonly count = element("span", "nw");
  private readonly tally = element("span", "dim cut");

  constructor() {
    this.cells = [
      element("td", "c-ck", { role: "gridcell" }, [this.tick]),
      element("td", "c-rest", { role: "gridcell", "aria-colspan": "7" }, [
        this.fold,
        this.labelHolder,
        this.count,
        this.tally,
      ]),
    ];
  }

  show(line: HeadingLine, input: GridInput): void {
    attribute(this.tick, "class", TICKS[chosenOf(line, input.selected)]);
    attribute(this.fold, "aria-expanded", String(line.open));
    attribute(this.fold, "aria-label", `group ${oneLine(line.label, 60)}`);
    this.arrow.show(line.open ? "down" : "right", (shape) => [iconNode(shape, "small")]);
    attribute(this.labelHolder, "title", titleOf(line.label));
    this.label.textContent = oneLine(line.label);
    this.count.textContent = plural(line.rows.length, "alert");
    this.tally.textContent = tally(line.rows);
  }
}
