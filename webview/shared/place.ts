/**
 * Sets style properties through the object model. A `style` attribute, which lit's own directive writes at first, would
 * break the content security policy.
 */
import { noChange } from "lit";
import { Directive, directive, type ElementPart } from "lit/directive.js";

class Place extends Directive {
  private readonly set = new Map<string, string>();

  render(_properties: Readonly<Record<string, string>>): unknown {
    return noChange;
  }

  override update(part: ElementPart, [properties]: [Readonly<Record<string, string>>]): unknown {
    const { style } = part.element as HTMLElement;
    for (const [name, value] of Object.entries(properties)) {
      if (this.set.get(name) === value) continue;
      this.set.set(name, value);
      style.setProperty(name, value);
    }
    return noChange;
  }
}

/** Use as an element's directive: `<i ${place({ width: "40%" })}></i>`. */
export const place = directive(Place);
