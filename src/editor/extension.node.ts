/** Entry of the desktop and remote extension hosts. */
import * as vscode from "vscode";
import { activate as activateWith, deactivate as deactivateWith, type FiredrillExports } from "./activate";
import { nodePorts } from "./ports/ports.node";

export function activate(context: vscode.ExtensionContext): FiredrillExports {
  return activateWith(vscode, context, nodePorts(vscode));
}

export function deactivate(): Promise<void> {
  return deactivateWith();
}
