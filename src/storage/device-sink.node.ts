/** A recording sent to a device or a pipe, which can be neither claimed, cut off nor read again. */
import type * as fs from "node:fs/promises";
import { RecordError, type RecordSink } from "../core/recorder";
import { asRecordError } from "./record-errors";

export class DeviceSink implements RecordSink {
  readonly oneWay = true;
  private closed = false;

  constructor(
    readonly location: string,
    private readonly handle: fs.FileHandle,
  ) {}

  async append(text: string): Promise<void> {
    if (this.closed) throw new RecordError(`${this.location} is closed; open the run again to go on.`, "other");
    try {
      await this.handle.appendFile(text);
    } catch (error) {
      throw asRecordError(error, "write", this.location);
    }
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    await this.handle.close();
  }
}
