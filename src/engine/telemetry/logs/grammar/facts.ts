/** What one log line speaks of: names and numbers of the run, filled anew for each line. Seconds, shares 0..1, counts. */
import type { ServiceStyle } from "./style";

export class Facts {
  /** How the service that writes the line writes. */
  style!: ServiceStyle;
  /** Style of the service at the other end; the writer's own where there is none. */
  peer!: ServiceStyle;
  zone = "";
  pod = "";
  version = "";
  /** Version that a change brings; empty where the line is about none. */
  after = "";
  /** Version before the change. */
  before = "";
  /** Name of what a change is about. */
  name = "";
  /** What one line names more than once must be one thing. */
  route = "";
  method = "";
  operation = "";
  table = "";
  /** How long it took. */
  seconds = 0;
  /** How long it may take. */
  limit = 0;
  attempt = 1;
  attempts = 1;
  status = 200;
  /** What there is of something that runs out, and how much of it is taken. */
  capacity = 0;
  used = 0;
  waiting = 0;
  /** How many the line speaks of. */
  count = 0;
  share = 0;
  /** Megabytes. */
  memory = 0;
}
