/** The only place that knows the control library. Its data grid is left out: it breaks a strict content security policy. */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeCheckbox,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextArea,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";

let registered = false;

/** Registers the controls the panels use, once. It takes a while, so a panel calls it after its data is on the screen. */
export function registerControls(): void {
  if (registered) return;
  registered = true;
  provideVSCodeDesignSystem().register(
    vsCodeButton(),
    vsCodeCheckbox(),
    vsCodeDropdown(),
    vsCodeOption(),
    vsCodeTextArea(),
    vsCodeTextField(),
  );
}

/** The value of a control that fired an event. */
export function valueIn(event: Event): string {
  return String((event.currentTarget as (EventTarget & { value?: unknown }) | null)?.value ?? "");
}
