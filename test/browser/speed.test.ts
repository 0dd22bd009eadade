/** The speed panel in a real Chromium: its numbers, its choices, and logs without a clock. */
import { describe, expect, it } from "vitest";
import { sickEvents, sickRecording } from "../fixtures/sickRun.ts";
import { by, lensPanel, plainText } from "./lensPanel.ts";

const { open, looks } = lensPanel("speed", sickRecording(false));

const recordingOf = (change: (time: Record<string, unknown>) => object) =>
  sickEvents(false)
    .map((event) => JSON.stringify({ ...event, time: change(event.time) }))
    .join("\n");

describe("the speed panel", () => {
  it("shows times, rates and memory of every iteration", async () => {
    const { page, errors, close } = await open();
    expect(await by(page, "speed-summary").textContent()).toContain(
      "GRPO: 20 iterations in 2 min 40 s of its own work",
    );
    await by(page, "speed-table-open").click();
    const row = by(page, "speed-table").locator("tbody tr").first();
    expect(await row.locator("th").textContent()).toBe("GRPO, 1");
    expect(await row.locator("td").allTextContents()).toEqual([
      ...["2.000", "6.000", "8.000", "4.000", "320.0", "11.00"],
    ]);
    await by(page, "speed-totals-table-open").click();
    const totals = by(page, "speed-totals-table").locator("tbody tr").last();
    expect(await totals.locator("td").allTextContents()).toEqual(["20", "40.00", "120.0", "160.0"]);
    expect(errors).toEqual([]);
    await close();
  });

  it("draws what is chosen, by keyboard", async () => {
    const { page, errors, close } = await open();
    await by(page, "speed-quantity").focus();
    await page.keyboard.press("End");
    await page.getByText("Memory held, MiB in words and numbers").click();
    const last = by(page, "speed-chart-table").locator("tr[data-x='20'] td").first();
    expect(await last.textContent()).toBe("30.00");
    expect(errors).toEqual([]);
    await close();
  });

  it.each([
    ["no clock", recordingOf(() => ({ at: "x" })), /This log has no clock readings/],
    [
      "a clock of one phase",
      recordingOf(({ at, update }) => ({ at, update })),
      /Of that update 100/,
    ],
    [
      "a clock that stands",
      recordingOf(({ at }) => ({ at, rollout: 0, update: 0 })),
      /0\.000 s each/,
    ],
  ])("has a sentence for %s", async (_, recording, sentence) => {
    const { page, errors, close } = await open("", { recording });
    expect(await plainText(page, "speed")).toMatch(sentence);
    expect(errors).toEqual([]);
    await close();
  });

  it("says what will be there before there is a run", async () => {
    const { page, close } = await open("", { recording: null });
    expect(await plainText(page, "speed")).toContain("No iterations yet");
    await close();
  });
});

looks("", (page) => by(page, "speed-chart").waitFor());
