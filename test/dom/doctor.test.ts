// @vitest-environment happy-dom
/** The doctor panel: its findings, the way to them, and what its silence rests on. */
import { describe, expect, it } from "vitest";
import { BAD_FROM, sickRecording } from "../fixtures/sickRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./page.ts";

const { open } = lensPanel("doctor", sickRecording());

describe("the doctor panel", () => {
  it("names what is sick, and leads there by keyboard", async () => {
    const { page, errors, close } = await open("&at=grpo,20,1,1");
    await by(page, "doctor-finding").waitFor();
    const text = (await by(page, "doctor-finding").textContent())!;
    expect(text).toContain("Entropy blow-up in Turn-PPO");
    expect(text).toContain(`bad since iteration ${BAD_FROM}`);
    expect(await by(page, "doctor-summary").textContent()).toContain("1 finding: 1 critical");
    const stories = by(page, "doctor-stories").locator("li");
    const told = await stories.allTextContents();
    expect(told.map((one) => one.split(":")[0])).toEqual(["GRPO", "token-PPO", "Turn-PPO"]);
    await by(page, "doctor-jump").getByRole("button").focus();
    await page.keyboard.press("Enter");
    const cursor = by(page, "cursor");
    await page.waitForFunction(
      (n) => location.hash.includes(`turn-ppo%2C${n}`) || location.hash.includes(`turn-ppo,${n}`),
      BAD_FROM,
    );
    expect(await cursor.getByTestId("turns-iteration").inputValue()).toBe(String(BAD_FROM));
    expect(await cursor.getByTestId("turns-algorithm").inputValue()).toBe("turn-ppo");
    const row = by(page, "doctor-checks").locator("tr[data-row=entropy-blow-up] td");
    expect(await row.allTextContents()).toEqual(["passed", "passed", "found, iteration 13"]);
    expect(errors).toEqual([]);
    await close();
  });
});
