/** A draw that would not make a fair episode; the message says which rule it broke. */
export class Rejection extends Error {
  override readonly name = "Rejection";
}
