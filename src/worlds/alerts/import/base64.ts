/** Base64 of JSON (RFC 4648, with padding), in plain arithmetic so that every host gives the same text. */

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const SHAPE = /^[A-Za-z0-9+/]*={0,2}$/;

/** A JSON value as base64. Everything beyond ASCII is written as a JSON escape first, so one character is one byte. */
export function encodeJson(value: unknown): string {
  const ascii = JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  let out = "";
  for (let i = 0; i < ascii.length; i += 3) {
    const left = ascii.length - i;
    const bits =
      (ascii.charCodeAt(i) << 16) |
      (left > 1 ? ascii.charCodeAt(i + 1) << 8 : 0) |
      (left > 2 ? ascii.charCodeAt(i + 2) : 0);
    out += DIGITS.charAt(bits >> 18) + DIGITS.charAt((bits >> 12) & 63);
    out += left > 1 ? DIGITS.charAt((bits >> 6) & 63) : "=";
    out += left > 2 ? DIGITS.charAt(bits & 63) : "=";
  }
  return out;
}

/** The JSON value in a base64 text, which may hold UTF-8 from other tools; undefined when there is none. */
export function decodeJson(text: string): unknown {
  const packed = text.replace(/\s+/g, "");
  if (packed.length % 4 !== 0 || !SHAPE.test(packed)) return undefined;
  let escaped = "";
  for (let i = 0; i < packed.length; i += 4) {
    let bits = 0;
    for (let j = 0; j < 4; j++) bits = (bits << 6) | Math.max(0, DIGITS.indexOf(packed.charAt(i + j)));
    const bytes = packed.endsWith("==", i + 4) ? 1 : packed.endsWith("=", i + 4) ? 2 : 3;
    for (let j = 0; j < bytes; j++) escaped += `%${((bits >> (16 - 8 * j)) & 255).toString(16).padStart(2, "0")}`;
  }
  try {
    return JSON.parse(decodeURIComponent(escaped)) as unknown;
  } catch {
    return undefined;
  }
}
