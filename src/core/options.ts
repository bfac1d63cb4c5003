/** The values of a field's fixed list, and the words people read for them. Apart from the catalogue, which loads the schema library. */
import type { ActionForm, Choice, FieldForm } from "./action";

/** Each value with the words people read for it; none where the field has no such list. */
export function optionsOf(field: FieldForm): readonly Choice[] {
  return (field.options ?? []).map((value) => ({ value, label: field.words?.[value] ?? value }));
}

/** All words of some actions, by value. */
export function wordsOf(forms: readonly ActionForm[]): Readonly<Record<string, string>> {
  let words = WORDS.get(forms);
  if (!words) {
    words = Object.fromEntries(
      forms.flatMap(({ fields }) => fields.flatMap((each) => Object.entries(each.words ?? {}))),
    );
    WORDS.set(forms, words);
  }
  return words;
}

/** The same object for the same forms: what is shown is compared with what was shown before. */
const WORDS = new WeakMap<readonly ActionForm[], Readonly<Record<string, string>>>();
