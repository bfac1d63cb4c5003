/** The lines that exist as elements: a contiguous part of all lines, in their order. */
import { element } from "./elements";
import type { GridInput } from "./grid";
import { LineView } from "./line-view";

export class LineWindow {
  /** Heights of what lies above and below, so that the scroll bar tells the truth. */
  private readonly above = spacer();
  private readonly below = spacer();
  private readonly views: LineView[] = [];
  /** Made and out of use. */
  private readonly spare: LineView[] = [];
  first = 0;

  constructor(
    readonly table: HTMLElement,
    private readonly body: HTMLElement,
  ) {
    body.append(this.above, this.below);
  }

  get last(): number {
    return this.first + this.views.length;
  }

  /** Shows lines `first` to before `last`. Lines that stay keep their elements, and their elements stay where they are. */
  show(input: GridInput, first: number, last: number): void {
    this.moveTo(first, last);
    for (const [i, view] of this.views.entries()) {
      const line = input.lines[first + i];
      if (line) view.show(line, first + i, input);
    }
  }

  /** Pixels above the first line and below the last one. */
  pad(above: number, below: number): void {
    this.above.style.height = `${above}px`;
    this.below.style.height = `${below}px`;
  }

  private moveTo(first: number, last: number): void {
    const { spare } = this;
    if (first < this.last && last > this.first) {
      spare.push(...this.views.splice(0, Math.max(0, first - this.first)));
      spare.push(...this.views.splice(Math.max(0, last - Math.max(first, this.first))));
      const missing = Math.max(0, this.first - first);
      const added = Array.from({ length: missing }, () => spare.pop() ?? new LineView());
      const before = this.views[0]?.element ?? this.below;
      for (const view of added) this.body.insertBefore(view.element, before);
      this.views.unshift(...added);
    }
    this.first = first;
    while (this.views.length < last - first) {
      const view = spare.pop() ?? new LineView();
      this.body.insertBefore(view.element, this.below);
      this.views.push(view);
    }
    spare.push(...this.views.splice(last - first));
    for (const view of spare) view.element.remove();
  }
}

function spacer(): HTMLTableRowElement {
  return element("tr", "space", { "aria-hidden": "true" });
}
