// @vitest-environment happy-dom
/** True values that have another discount than the critic's V: where the page first opens the lens. */
import { expect, it } from "vitest";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./page.ts";

// The run that the page ships: GRPO's true values are undiscounted, and the critic that read its turns discounts.
const { open } = lensPanel("critic");

it("offers a method whose true values fit, and leaves no place for an empty picture", async () => {
  const { page, errors, close } = await open("&at=grpo,26,20,1");
  const line = by(page, "critic-truth");
  await line.getByText("another discount").waitFor();
  expect(await by(page, "critic-truth-scatter").count()).toBe(0);
  await line.locator("button", { hasText: "To Turn-PPO’s episodes" }).click();
  await by(page, "critic-truth-scatter").waitFor();
  await page.waitForURL(/at=turn-ppo,26,20,1/);
  expect(errors).toEqual([]);
  await close();
});
