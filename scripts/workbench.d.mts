export interface ServedWorkbench {
  readonly url: string;
  /** Whether it listens on the port it was asked to. */
  readonly asWished: boolean;
  stop(): Promise<void>;
}
export function installWorkbench(log?: (line: string) => void): Promise<string>;
export function serveWorkbench(options?: {
  port?: number;
  settings?: Readonly<Record<string, unknown>>;
  log?: (line: string) => void;
}): Promise<ServedWorkbench>;
