// @vitest-environment happy-dom
/** What the ribbon shows where the page first opens the lens: of the run that the page ships. */
import { expect, it } from "vitest";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("ribbon");

// At first, and where the opening page leads to.
it.each(["", "&at=grpo,100,14,1"])(
  "shows what is true at “%s”, beside the critic’s value",
  async (at) => {
    const { page, errors, close } = await open(at, { preset: "nano-fair" });
    const turns = by(page, "ribbon-table").locator("thead button");
    const row = by(page, "ribbon-table").locator("tr[data-row=truth] td");
    await row.first().waitFor();
    const values = (await row.allTextContents()).slice(0, -1);
    expect(values).toHaveLength(await turns.count());
    for (const value of values) expect(value).toMatch(/^([+−]\d|0\.00\b)/);
    const legend = (await by(page, "ribbon-legend").textContent())!;
    expect(legend).toMatch(/V\(s\), Turn-PPO’s critic.*true V/);
    // GRPO does not discount; the critic that read its turns does.
    if (at !== "") expect(legend).toMatch(/critic, γ = 0\.99 per turn.*true V, γ = 1/);
    const marks = by(page, "ribbon-chart").locator(".ribbon-truth");
    expect(await marks.count()).toBe(await turns.count());
    expect(errors).toEqual([]);
    await close();
  },
);
