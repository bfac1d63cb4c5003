/** The editor's API as a value that is passed in, so that logic can be tested against a double. */
import type * as vscode from "vscode";

export type Editor = typeof vscode;
