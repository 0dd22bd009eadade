/** The doctor panel in a real Chromium: its findings, the way to them, and what its silence rests on. */
import { describe, expect, it } from "vitest";
import { BAD_FROM, sickEvents, sickRecording } from "../fixtures/sickRun.ts";
import { lensPanel, plainText } from "./lensPanel.ts";
import { by } from "./support.ts";

const { open } = lensPanel("doctor", sickRecording());

describe("the doctor panel", () => {
  it("names what is sick, and leads there by keyboard", async () => {
    const { page, errors, close } = await open("&at=grpo,20,1,1");
    await by(page, "doctor-finding").waitFor();
    const text = (await by(page, "doctor-finding").textContent())!;
    expect(text).toContain("Entropy blow-up in Turn-PPO");
    expect(text).toContain(`bad since iteration ${BAD_FROM}`);
    expect(await by(page, "doctor-summary").textContent()).toContain("1 finding: 1 critical");
    await by(page, "doctor-jump").focus();
    await page.keyboard.press("Enter");
    const cursor = by(page, "cursor");
    await page.waitForFunction(
      (n) => location.hash.includes(`turn-ppo%2C${n}`) || location.hash.includes(`turn-ppo,${n}`),
      BAD_FROM,
    );
    expect(await cursor.getByTestId("turns-iteration").inputValue()).toBe(String(BAD_FROM));
    expect(await cursor.getByTestId("turns-algorithm").inputValue()).toBe("turn-ppo");
    const row = by(page, "doctor-checks").locator("tr[data-detector=entropy-blow-up] td");
    expect(await row.allTextContents()).toEqual(["quiet", "quiet", "found, iteration 13"]);
    expect(errors).toEqual([]);
    await close();
  });

  it("says what its silence rests on", async () => {
    const { page, errors, close } = await open("", { recording: sickRecording(false) });
    await by(page, "doctor-summary").waitFor();
    const text = await plainText(page, "doctor");
    expect(text).toContain("Nothing found in 3 methods over 20 iterations.");
    expect(text).toMatch(/\d+ checks could not be made/);
    expect(text).toContain("Template collapse needs collapse_first_turn_sample/");
    expect(errors).toEqual([]);
    await close();
  });

  it("shows what the run found itself, also where the log no longer shows why", async () => {
    const found = {
      ...{ type: "finding", detector: "echo-trap", title: "Echo trap", severity: "critical" },
      ...{ algorithm: "grpo", iteration: 900, firstBad: 898, says: "S.", cause: "C." },
      remedies: ["R."],
      evidence: [
        { metric: "no/such", value: null, side: "below", limit: null, base: null, measurements: 1 },
      ],
      ...{ chain: "", time: { at: "" } },
    };
    const recording = `${sickRecording(false)}\n${JSON.stringify(found)}`;
    const { page, errors, close } = await open("", { recording });
    await by(page, "doctor-finding").waitFor();
    const text = await plainText(page, "doctor");
    expect(text).toContain("Echo trap in GRPO");
    expect(text).toContain("Go to iteration 20, the nearest with episodes");
    expect(errors).toEqual([]);
    await close();
  });

  it("has a sentence for a run of one iteration and for a crash at once", async () => {
    const events = sickEvents(false, 1).filter(
      (event) => !("iteration" in event) || event.iteration <= 1,
    );
    const recording = events.map((event) => JSON.stringify(event)).join("\n");
    const { page, errors, close } = await open("", { recording });
    await by(page, "doctor-finding").waitFor();
    const text = await plainText(page, "doctor");
    expect(text).toContain("The run is short");
    expect(text).toContain("Numbers not finite in GRPO");
    expect(text).toContain("No episodes of this method are recorded");
    expect(errors).toEqual([]);
    await close();
  });
});
