/** One command an action, and the pick of all of them: prompts are derived from the catalogue. */
import type { Action, ActionForm } from "../../core/action";
import type { ActOutcome } from "../../core/session";
import type { Preview } from "../../core/world";
import type { App } from "../app";
import type { OpenedRun } from "../episode/run-controller";
import { TellUser } from "../error-door";
import { actionNamesOf } from "./declared-actions";
import { type Complaint, promptForAction } from "./prompts";
import { register, registerForBoth } from "./registry";
import type { EpisodeDoor } from "./scenario-commands";

/** Characters of a result in a notification; the panel has the whole of it. */
const LONGEST_NOTICE = 300;

export function registerActionCommands(app: App, door: EpisodeDoor): void {
  for (const { world, action } of actionNamesOf(app.context.extension.packageJSON))
    registerForBoth(app, `${world}.${action}`, "take the action", {
      called: (args) => actInWorld(app, world, { name: action, args }),
      prompted: () => takeByPrompt(app, action, door, world),
    });
  register(app, "takeAction", "take the action", async () => {
    const run = await app.controller.need();
    const picked = await app.editor.window.showQuickPick(
      run.forms.map((form) => ({
        label: form.title,
        description: form.key ?? "",
        detail: form.help,
        name: form.name,
      })),
      { title: `${run.world.title}: ${run.scenario.title}`, placeHolder: "Action", matchOnDetail: true },
    );
    if (picked) await takeByPrompt(app, picked.name, door);
  });
}

async function actInWorld(app: App, world: string, action: Action): Promise<ActOutcome> {
  const run = await app.controller.need();
  if (run.world.id !== world)
    throw new TellUser(`The running episode is one of “${run.world.title}”; use an action of that world.`);
  return app.controller.act(action);
}

async function takeByPrompt(app: App, name: string, door: EpisodeDoor, world?: string): Promise<void> {
  const run = await app.controller.need();
  const form = run.forms.find((each) => each.name === name);
  if (!form || (world && run.world.id !== world))
    throw new TellUser(`“${name}” is no action of this scenario; “Firedrill: Take Action…” lists those that are.`);
  const outcome = await promptUntilTaken(app, run, form);
  if (!outcome) return;
  if (outcome.problem) throw new TellUser(outcome.problem.message);
  const text = outcome.observation.lastResult?.text ?? "";
  if (!outcome.done && text && !door.isPanelVisible()) void offerPanel(app, text, door);
}

/** Asks, confirms, acts; a refused argument is asked for again with the reason beside it. */
async function promptUntilTaken(app: App, run: OpenedRun, form: ActionForm): Promise<ActOutcome | undefined> {
  const schema = run.world.actionsFor(run.scenario).get(form.name)?.schema;
  const port = {
    choices: (kind: string) => run.session.episode.choices(kind),
    check: (field: string, value: unknown) => {
      const parsed = schema?.shape[field]?.safeParse(value);
      return parsed && !parsed.success ? parsed.error.issues[0]?.message : undefined;
    },
  };
  let given: Record<string, unknown> = {};
  let complaint: Complaint | undefined;
  for (;;) {
    const args = await promptForAction(app.editor, form, port, given, complaint);
    if (!args) return undefined;
    const action = { name: form.name, args };
    if (!(await confirmed(app, run, form, action))) return undefined;
    const outcome = await app.controller.act(action, run);
    const { problem } = outcome;
    const field = problem?.field?.split(".")[0];
    if (!problem || !field || !form.fields.some((each) => each.name === field)) return outcome;
    given = args;
    complaint = { field, message: problem.message };
  }
}

/** What may harm or ends the episode is confirmed, with what it would touch. */
async function confirmed(app: App, run: OpenedRun, form: ActionForm, action: Action): Promise<boolean> {
  if (form.risk !== "risky" && form.risk !== "final") return true;
  const preview = run.session.episode.preview(action);
  const detail = preview ? previewText(preview) : form.help;
  const apply = { title: form.title };
  const cancel = { title: "Cancel", isCloseAffordance: true };
  // The first button has the focus: where harm is possible that must not be the one that does it.
  const buttons = preview?.dangerous ? [cancel, apply] : [apply, cancel];
  const chosen = await app.editor.window.showWarningMessage(`${form.title}?`, { modal: true, detail }, ...buttons);
  return chosen === apply;
}

function previewText(preview: Preview): string {
  const touched = preview.touches.map(
    ({ label, count, detail }) => `${label}: ${count}${detail ? ` (${detail})` : ""}`,
  );
  const undo = preview.reversible ? "It can be undone." : "It cannot be undone.";
  return [preview.summary, ...touched, ...preview.unread, undo].join("\n");
}

async function offerPanel(app: App, text: string, door: EpisodeDoor): Promise<void> {
  const notice = text.length > LONGEST_NOTICE ? `${text.slice(0, LONGEST_NOTICE - 1)}…` : text;
  const chosen = await app.editor.window.showInformationMessage(notice, "Open Panel");
  if (chosen) door.showPanel();
}
