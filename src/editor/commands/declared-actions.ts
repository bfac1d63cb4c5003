/** The actions the manifest declares commands for, read from it so that no world has to be loaded at activation. */

export interface DeclaredAction {
  readonly world: string;
  readonly action: string;
}

export function actionNamesOf(manifest: unknown): DeclaredAction[] {
  const { contributes } = (manifest ?? {}) as { contributes?: { commands?: readonly { command?: unknown }[] } };
  return (contributes?.commands ?? []).flatMap(({ command }) => {
    const parts = typeof command === "string" ? command.split(".") : [];
    const [prefix, world, action] = parts;
    return prefix === "firedrill" && parts.length === 3 && world && action ? [{ world, action }] : [];
  });
}
