import { mkdir } from "node:fs/promises";
import { afterEach } from "vitest";
import { openContexts } from "./browser";

/** A picture of every open page when a test fails, in .cache/failures. */
afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  await mkdir(".cache/failures", { recursive: true });
  const name = `${task.suite?.name ?? ""} ${task.name}`.replace(/[^\w]+/g, "-").slice(0, 120);
  let number = 0;
  for (const context of openContexts)
    for (const page of context.pages()) {
      number += 1;
      await page.screenshot({ path: `.cache/failures/${name}-${number}.png` }).catch(() => undefined);
    }
});
