/** Entry of the web extension host. */
import * as vscode from "vscode";
import { activate as activateWith, deactivate as deactivateWith, type FiredrillExports } from "./activate";
import { webPorts } from "./ports/ports.web";

export function activate(context: vscode.ExtensionContext): FiredrillExports {
  return activateWith(vscode, context, webPorts(vscode));
}

export function deactivate(): Promise<void> {
  return deactivateWith();
}
