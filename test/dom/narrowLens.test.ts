// @vitest-environment happy-dom
/** The lens in a narrow window, as far as it says and does things: its looks are in browser/lensFits.test.ts. */
import { expect, it, vi } from "vitest";
import { preferences, setPreferences } from "../../src/store/preferences.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

it("keeps the layout under a name that the reader gives it, and Escape keeps none", async () => {
  setPreferences({ layouts: [] });
  const whole = window.matchMedia.bind(window);
  const narrow = vi
    .spyOn(window, "matchMedia")
    .mockImplementation((query) =>
      query === "(max-width: 56rem)" ? whole("(min-width: 0px)") : whole(query),
    );
  const { page, errors, close } = await openApp("#v1/nano?view=lens", {
    recording: creditRecording(),
  });
  const save = async () => {
    await by(page, "go-panel").press("Enter");
    await by(page, "save-layout").click();
    return page.getByLabel("Name of the layout");
  };
  await (await save()).press("Escape");
  await by(page, "turns-iteration").waitFor();
  const name = await save();
  await name.fill("Mine");
  await name.press("Enter");
  await expect.poll(() => preferences.getState().layouts.map((one) => one.name)).toEqual(["Mine"]);
  await by(page, "turns-iteration").waitFor();
  await by(page, "go-panel").press("Enter");
  expect(await by(page, "own-layout").textContent()).toContain("Mine");
  expect(errors).toEqual([]);
  narrow.mockRestore();
  setPreferences({ layouts: [] });
  await close();
});
