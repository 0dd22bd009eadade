// @vitest-environment happy-dom
/** The group panel: its numbers, its keys, and runs without groups. */
import { describe, expect, it } from "vitest";
import { formatBrief, formatSignedBrief } from "../../src/numeric/format.ts";
import { groupsOf } from "../../src/reading/groups.ts";
import { creditEpisodes, creditRecording, GROUP } from "../fixtures/creditRun.ts";
import { lensPanel } from "./lensPanel.ts";
import { by, type DomPage } from "./page.ts";

const { open } = lensPanel("group", creditRecording());

const column = (page: DomPage, place: string) =>
  by(page, "group-table").locator(`tbody tr > :${place}`).allTextContents();

describe("the group panel", () => {
  it("shows the rollouts of the task at the cursor with their numbers", async () => {
    const { page, errors, close } = await open(`&at=grpo,1,${GROUP + 2},1`);
    const group = groupsOf(creditEpisodes("grpo"), "sample")[1]!;
    expect(await column(page, "nth-child(2)")).toEqual(
      group.rollouts.map(({ record }) => formatSignedBrief(record.reward)),
    );
    expect(await column(page, "nth-child(3)")).toEqual(
      group.rollouts.map(({ gap }) => formatSignedBrief(gap)),
    );
    expect((await column(page, "nth-last-child(1)"))[1]).toBe("at the cursor");
    const numbers = await by(page, "group-numbers").textContent();
    expect(numbers).toContain(
      `mean ${formatSignedBrief(group.mean)}, std ${formatBrief(group.std)}`,
    );
    expect(await by(page, "group-partial").textContent()).toContain("4 of this task's 8 rollouts");
    expect(await by(page, "group-flat").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("moves the cursor by click and by keyboard", async () => {
    const { page, errors, close } = await open("&at=grpo,1,1,1");
    await by(page, "group-strip").locator("button").nth(1).click();
    await by(page, "group-numbers-title").getByText("sokoban:1:").waitFor();
    const here = by(page, "group-table").locator("th [aria-current=true]");
    await here.focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(`tr.grid-here[data-row='${GROUP + 1}']`).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Rollout 2");
    await page.keyboard.press("l");
    await page.locator(`tr.grid-here[data-row='${GROUP + 2}']`).waitFor();
    await by(page, "group-table")
      .locator("tbody tr")
      .first()
      .locator("td.grid-turn .listens")
      .nth(1)
      .click();
    await page.waitForURL(new RegExp(`at=grpo(,|%2C)1(,|%2C)${GROUP + 1}(,|%2C)2`));
    expect(errors).toEqual([]);
    await close();
  });

  it("draws hundreds of tasks and rollouts in part, and says so", async () => {
    const recording = creditRecording((episode) => episode)
      .split("\n")
      .map((line) => {
        const event = JSON.parse(line) as { type?: string; episodes?: object[] };
        if (event.type !== "iteration") return line;
        const many = Array.from({ length: 400 }, (_, i) => ({
          ...event.episodes![i % 8],
          task: i < 200 ? "big" : `t${i}`,
          reward: i % 7,
        }));
        return JSON.stringify({ ...event, episodes: many });
      })
      .join("\n");
    const { page, errors, close } = await open("&at=grpo,1,1,1", { recording });
    await by(page, "group-table").locator("tbody tr").first().waitFor();
    expect(await by(page, "group-table").locator("tbody tr").count()).toBe(64);
    expect(await by(page, "group-strip").locator("button").count()).toBe(64);
    expect(await by(page, "group-panel").textContent()).toContain(
      "64 of 201 are shown, those around the cursor.",
    );
    await by(page, "group-strip").locator("button").first().focus();
    await page.keyboard.press("End");
    await by(page, "group-numbers-title").getByText("Task t399").waitFor();
    expect(errors).toEqual([]);
    await close();
  });
});
