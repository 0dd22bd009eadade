/** The playground's looks in a real Chromium, with the real worker. What it says and does is in ../dom. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { linesOfShipped } from "../fixtures/shippedRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./support.ts";

const panel = lensPanel("playground", linesOfShipped(), "real");
const PLACE = "&backend=wasm&at=turn-ppo,1,1,3";

/** The first policy, loaded and waiting. */
async function load(page: Page) {
  const button = by(page, "playground-panel").getByRole("button", {
    name: "Load the initial policy",
  });
  await button.press("Enter");
  await button.waitFor({ state: "detached" });
  // What held the focus is gone; the panel has it now.
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-testid"));
  await expect.poll(() => focused()).toBe("playground-panel");
  await by(page, "play-another").waitFor();
}

async function begin(page: Page, id = "play-another") {
  await by(page, id).click();
  await by(page, "play-state").waitFor();
}

panel.looks(["dark", "phone"], PLACE, async (page) => {
  await load(page);
  await begin(page, "play-turn");
  const button = { name: "Let the policy take this turn" };
  await by(page, "playground-panel").getByRole("button", button).click();
  await by(page, "play-log").locator("li").nth(2).waitFor();
});
