/** Figures in a real Chromium: that what they say is drawn. Their numbers are in ../figures and ../dom. */
import { expect, it } from "vitest";
import { stepsRecording } from "../fixtures/stepsRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./support.ts";

const { open } = lensPanel("clip", stepsRecording());

it("draws histograms and thumbnails as wide as there is room", async () => {
  const { page, errors, close } = await open("&at=turn-ppo,1,1,1");
  for (const unit of ["token", "turn"]) {
    const bars = by(page, `clip-${unit}`).locator(".figure-svg rect");
    await expect.poll(() => bars.count()).toBeGreaterThan(2);
    const { width } = (await by(page, `clip-${unit}`).locator(".figure-svg").boundingBox())!;
    expect(width).toBeGreaterThan(150);
  }
  const thumbnails = by(page, "clip-strip").locator("svg .mark-bar");
  expect(await thumbnails.count()).toBe(await by(page, "clip-strip").locator("button").count());
  expect(errors).toEqual([]);
  await close();
});
