/** The group panel in a real Chromium: its numbers, its keys, and runs without groups. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { formatNumber, formatSigned } from "../../src/charts/format.ts";
import { groupsOf } from "../../src/reading/groups.ts";
import { words } from "../../src/panels/group/words.ts";
import { creditEpisodes, creditRecording, GROUP } from "../fixtures/creditRun.ts";
import { lensPanel, plainText } from "./lensPanel.ts";
import { by } from "./support.ts";

const { open } = lensPanel("group", creditRecording());

const column = (page: Page, place: number) =>
  by(page, "group-table").locator(`tbody tr > :nth-child(${place})`).allTextContents();

describe("the group panel", () => {
  it("shows the rollouts of the task at the cursor with their numbers", async () => {
    const { page, errors, close } = await open(`&at=grpo,1,${GROUP + 2},1`);
    const group = groupsOf(creditEpisodes("grpo"), "sample")[1]!;
    expect(await column(page, 2)).toEqual(
      group.rollouts.map(({ record }) => formatSigned(record.reward)),
    );
    expect(await column(page, 3)).toEqual(group.rollouts.map(({ gap }) => formatSigned(gap)));
    expect((await column(page, 7))[1]).toBe("at the cursor");
    const numbers = await by(page, "group-numbers").textContent();
    expect(numbers).toContain(`mean ${formatSigned(group.mean)}, std ${formatNumber(group.std)}`);
    expect(await by(page, "group-partial").textContent()).toContain("4 of this task's 8 rollouts");
    expect(await by(page, "group-flat").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("says why a group without spread teaches nothing", async () => {
    const { page, errors, close } = await open("&at=grpo,1,1,1");
    expect(await by(page, "group-flat").getAttribute("data-flatness")).toBe("flatRecorded");
    expect(await by(page, "group-flat").textContent()).toContain("takes nothing from this task");
    expect(await by(page, "group-strip").locator("button").first().textContent()).toBe("0/4 =");
    expect(await column(page, 7)).toEqual(["at the cursor", "never", "never", "turn 2"]);
    expect(errors).toEqual([]);
    await close();
  });

  it("moves the cursor by click and by keyboard", async () => {
    const { page, errors, close } = await open("&at=grpo,1,1,1");
    await by(page, "group-strip").locator("button").nth(1).click();
    await by(page, "group-line").getByText("sokoban:1:").waitFor();
    const here = by(page, "group-table").locator("th [aria-current=true]");
    await here.focus();
    await page.keyboard.press("ArrowRight");
    await page.locator(`tr.group-here[data-episode='${GROUP + 1}']`).waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Rollout 2");
    await page.keyboard.press("l");
    await page.locator(`tr.group-here[data-episode='${GROUP + 2}']`).waitFor();
    await by(page, "group-table").locator("tbody tr").first().locator("li").nth(1).click();
    await page.waitForURL(new RegExp(`at=grpo(,|%2C)1(,|%2C)${GROUP + 1}(,|%2C)2`));
    expect(errors).toEqual([]);
    await close();
  });

  it("says that a method plays each task once, and leads to one that does not", async () => {
    const { page, errors, close } = await open("&at=turn-ppo,1,1,1");
    expect(await by(page, "group-alone").textContent()).toContain("Turn-PPO plays each task once");
    await by(page, "group-panel").getByRole("button", { name: "GRPO" }).click();
    await by(page, "group-table").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("asks for more recorded episodes where a group has one of several", async () => {
    const recording = creditRecording((episode, algorithm) =>
      algorithm === "grpo" ? { ...episode, task: `t${episode.trajectory}` } : episode,
    );
    const { page, errors, close } = await open("&at=grpo,1,1,1", { recording });
    expect(await by(page, "group-alone").textContent()).toContain("to 8 or more");
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
    expect(await by(page, "group-table").locator("tbody tr").count()).toBe(64);
    expect(await by(page, "group-strip").locator("button").count()).toBe(64);
    expect(await by(page, "group-panel").textContent()).toContain("64 of 201 are drawn");
    await by(page, "group-strip").locator("button").first().focus();
    await page.keyboard.press("End");
    await by(page, "group-line").getByText("Task t399").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("does without what a log need not have", async () => {
    const recording = creditRecording((episode) => ({
      ...episode,
      // Outcomes of the first task, rewards of the second.
      success: null,
      ...(episode.trajectory >= GROUP && { reward: null as unknown as number }),
      turns:
        episode.trajectory % 2 === 0
          ? []
          : (episode.turns.map((turn) => ({
              ...turn,
              ...{ advantage: null, return: null, ratio: null, value: null, tokens: [] },
            })) as unknown as typeof episode.turns),
    }));
    const { page, errors, close } = await open("&at=grpo,1,2,1", { recording });
    await plainText(page, "group");
    expect(await by(page, "group-line").textContent()).toContain(words.outcomes(4, 0, 4));
    expect(await by(page, "group-strip").locator("button").first().textContent()).toBe("?/4 =");
    expect(await column(page, 5)).toEqual(Array(4).fill(words.outcome.unknown));
    expect(await column(page, 8)).toEqual(["–", "–", "–", "–"]);
    await by(page, "group-strip").locator("button").nth(1).click();
    await by(page, "group-numbers").getByText(words.noMean).waitFor();
    expect(await column(page, 2)).toEqual(["–", "–", "–", "–"]);
    await plainText(page, "group");
    expect(errors).toEqual([]);
    await close();
  });
});
