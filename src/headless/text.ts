/** Results as text for people at a terminal. */
import type { GradePart } from "../core/rubric";
import type { Grade } from "../core/world";

/** Columns padded to line up, the first row as heading. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

export function number(value: number | null, digits = 3): string {
  return value === null ? "—" : value.toFixed(digits);
}

/** The grade as an indented tree with its reasons. */
export function gradeText(grade: Grade): string {
  if (grade.ungraded) return `Ungraded: ${grade.ungraded}`;
  const lines = [
    `Grade ${number(grade.strict)}${grade.published === null ? "" : `, published ${number(grade.published)}`}`,
  ];
  const add = (part: GradePart, depth: number): void => {
    const share = part.weight === undefined ? "" : ` (${Math.round(part.weight * 100)} %)`;
    lines.push(`${"  ".repeat(depth)}${part.name}${share}  ${number(part.value)}  ${part.reason}`);
    for (const child of part.parts ?? []) add(child, depth + 1);
  };
  if (grade.strictTree) add(grade.strictTree, 1);
  if (grade.publishedTree) add(grade.publishedTree, 1);
  return lines.join("\n");
}

/** A message that repeats what somebody typed: control characters, which a terminal would obey, become blanks; line breaks stay. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out.
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+/g, " ");
}

/** A Markdown table; the first row is the heading. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(head.map(() => "---")), ...body.map(line)].join("\n");
}

/** RFC 4180. */
export function csv(rows: readonly (readonly (string | number | null)[])[]): string {
  const cell = (value: string | number | null): string => {
    const text = value === null ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}
