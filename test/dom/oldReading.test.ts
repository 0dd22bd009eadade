// @vitest-environment happy-dom
/** An experiment that was there before a reading changed says in its form which one it has. */
import { expect, it } from "vitest";
import { appWords } from "../../src/app/strings.ts";
import { openApp, usesApp } from "./app.tsx";

usesApp();

it.each([
  ["#v1/nano?algorithms=dr-grpo", 1],
  ["#v1/nano?algorithms=dr-grpo&revision=2", 0],
  ["#v1/nano?algorithms=grpo", 0],
])("%s", async (link, notes) => {
  const { page, close } = await openApp(link, { recording: null });
  await page.getByText(appWords.perMethodHint).waitFor({ state: "attached" });
  const text = appWords.oldReading("horizon none", "horizon 30");
  expect(await page.getByText(text, { exact: true }).count()).toBe(notes);
  await close();
});
