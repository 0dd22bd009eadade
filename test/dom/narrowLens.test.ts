// @vitest-environment happy-dom
/** The lens in a narrow window, as far as it says and does things: its looks are in browser/lensFits.test.ts. */
import { expect, it, vi } from "vitest";
import { preferences, setPreferences } from "../../src/store/preferences.ts";
import { creditRecording } from "../fixtures/creditRun.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

/** As in a window that has room for one pane. */
function narrowWindow() {
  const whole = window.matchMedia.bind(window);
  return vi
    .spyOn(window, "matchMedia")
    .mockImplementation((query) =>
      query === "(max-width: 56rem)" ? whole("(min-width: 0px)") : whole(query),
    );
}

it("shows another panel with one press on its tab, or one key", async () => {
  const narrow = narrowWindow();
  const { page, errors, close } = await openApp("#v1/nano?view=lens", {
    recording: creditRecording(),
  });
  await by(page, "ribbon-table").waitFor();
  const tab = (id: string) => page.locator(`[role=tab][data-tab=${id}]`);
  const shown = () => page.locator("[role=tab][aria-selected=true]").allTextContents();
  expect(await page.locator("[role=tab]").allTextContents()).toEqual([
    ...["Story", "Curves", "Group", "Episodes", "Ribbon", "Credits", "Formula"],
  ]);
  expect(await shown()).toEqual(["Ribbon"]);
  await tab("credits").click();
  await by(page, "credits-panel").waitFor();
  expect(await shown()).toEqual(["Credits"]);
  expect(await page.locator("#pane-ribbon").getAttribute("hidden")).not.toBeNull();
  await tab("credits").press("ArrowRight");
  await by(page, "formula-panel").waitFor();
  await expect.poll(shown).toEqual(["Formula"]);
  // A panel that the layout has not gets a tab when it is opened.
  await by(page, "go-panel").press("Enter");
  await page.locator("[data-go=doctor]").press("Enter");
  await expect.poll(shown).toEqual(["Health"]);
  expect(errors).toEqual([]);
  narrow.mockRestore();
  await close();
});

it("keeps the layout under a name that the reader gives it, and Escape keeps none", async () => {
  setPreferences({ layouts: [] });
  const narrow = narrowWindow();
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
