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

/** Registers the controls the panels use. */
export function registerControls(): void {
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
