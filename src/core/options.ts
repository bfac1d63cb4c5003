/** The values of a field's fixed list as prompts offer them. Apart from the catalogue, which loads the schema library. */
import type { Choice, FieldForm } from "./action";

/** Each value with the words people read for it; none where the field has no such list. */
export function optionsOf(field: FieldForm): readonly Choice[] {
  return (field.options ?? []).map((value) => ({ value, label: field.words?.[value] ?? value }));
}
