export interface EditorOptions {
  /** Packages to install before it starts. */
  readonly vsix?: readonly string[];
  /** User settings beside the ones that keep it quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Whether folders start out untrusted. */
  readonly untrusted?: boolean;
  /** Whether the page takes test entries in its address; it then shows no notifications of its own accord. */
  readonly driver?: boolean;
}
export interface RunningEditor {
  readonly url: string;
  readonly port: number;
  /** The folder that holds everything of this run. */
  readonly profile: string;
  /** The user data folder. */
  readonly data: string;
  readonly extensions: string;
  /** What the server printed so far. */
  readonly output: readonly string[];
  stop(): Promise<void>;
}
export function installEditor(log?: (line: string) => void): Promise<{ node: string; server: string }>;
export function findChromium(): Promise<string | null>;
export const CHROMIUM_FLAGS: readonly string[];
export function startEditor(options?: EditorOptions): Promise<RunningEditor>;
