/** What the teacher's notes answer beyond their lessons: numbers of the recorded runs and of the figures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { mean, std, studentT, tInterval } from "../../../src/numeric/statistics.ts";
import { agreementOf, truthsOf } from "../../../src/figures/credits/truth.ts";
import { explorations } from "../../../src/panels/explore/explorations.ts";
import { creditOf } from "../../../src/reading/credit/rowCredit.ts";
import { howOf, ownRow } from "../../../src/reading/credit/rows.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { truthAt, type Truths } from "../../../src/reading/truths.ts";
import { bodyOf, recordedRun, recordedTruths } from "../../fixtures/lesson.ts";

const notes = join(import.meta.dirname, "../../../public/notebooks/teacher");
const text = (name: string) => readFileSync(join(notes, `${name}.md`), "utf8");
const signed = (x: number, digits = 2) => x.toFixed(digits).replace("-", "−");

let log: RunLog;
let truths: Truths;
beforeAll(async () => {
  ({ log, truths } = await recordedTruths("nano"));
});

/** The figure of a lesson's cell, with some handles moved. */
function shown(lesson: string, id: string, moved: Record<string, number> = {}) {
  const { figure, data, set } = readFields("explore", bodyOf(lesson, id)).value!;
  const { handles, show } = explorations[figure]!;
  const start = Object.fromEntries(handles.map((handle) => [handle.id, handle.start]));
  return show({ ...start, ...set, ...moved }, data);
}

describe("credit and truth", () => {
  it("count how methods agree with the truth on GRPO's episodes", () => {
    const episodes = log.episodes("grpo", 100);
    const known = truthsOf(truths, "grpo", 100, episodes);
    const agreement = (name: string) => {
      const row = ownRow(log, name, 100);
      const {
        correlation,
        right,
        signed: of,
      } = agreementOf(creditOf(row.config!, episodes, howOf(row, "grpo")).ok!, known)!;
      return [correlation.toFixed(2), right, of];
    };
    expect(episodes).toHaveLength(32);
    expect(agreement("grpo")).toEqual(["0.39", 18, 21]);
    expect(agreement("turn-ppo")).toEqual(["0.27", 19, 21]);
    expect(agreement("token-ppo")).toEqual(["0.17", 19, 21]);
    expect(text("credit")).toContain("Turn-PPO has 0.27 and 19, token-PPO 0.17 and 19.");
    expect(text("truth")).toContain("Turn-PPO 19 of 21, token-PPO 19, GRPO 18.");
  });

  it("know what crediting nothing misses, and a guess that comes near", () => {
    const missed = (guess: Record<string, number>) =>
      /by ([\d.]+) a turn/.exec(shown("credit", "guess", { ...guess, reveal: 1 }).says)![1];
    expect(missed({})).toBe("2.79");
    expect(text("credit")).toContain("misses it by only 2.79.");
    expect(missed({ turn2: 0.5, turn3: 10.5, turn4: 0.5 })).toBe("0.11");
  });

  it("know the failed episode of exercise 2, and how many episodes reach 0.9", () => {
    const { turns } = log.episodes("turn-ppo", 100)[4]!;
    const at = { algorithm: "turn-ppo", iteration: 100, trajectory: 4, turns: 5 };
    const known = truthAt(truths, at)!.turns;
    expect(text("credit")).toContain(`${signed(turns[0]!.advantage!)}, though`);
    expect(text("credit")).toContain(`with ${signed(known[1]!.advantage)},`);
    const best = (episodes: number) => 1 / Math.sqrt(1 + 1.25 / episodes);
    expect([best(5) < 0.9, best(6) > 0.9]).toEqual([true, true]);
    const says = (doublings: number) => shown("truth", "known", { doublings }).says;
    expect([says(10), says(11)].map((one) => one.includes("3 of 3"))).toEqual([false, true]);
  });
});

describe("clip and drift", () => {
  it("count the turns that moved far and were not cut", () => {
    const far = log
      .episodes("turn-ppo", 100)
      .flatMap(({ turns }) => turns)
      .filter(({ ratio }) => Math.abs(ratio! - 1) > 0.2);
    const free = far.filter(({ clipped }) => !clipped);
    expect([far.length, free.length]).toEqual([30, 11]);
    for (const { ratio, advantage } of free) expect(ratio! < 1).toBe(advantage! > 0);
    const { ratio, advantage } = log.episodes("turn-ppo", 100)[2]!.turns[3]!;
    expect([ratio!.toFixed(2), advantage!.toFixed(2)]).toEqual(["0.32", "0.32"]);
  });

  it("know when draw 8 should have stopped, and the spread that leaves a half", () => {
    const gains = (draw: number) =>
      shown("drift", "promised", { draw }).rows.find(({ name }) => name === "true gain")!.values;
    expect(
      gains(8)
        .slice(1)
        .map((x) => signed(x!)),
    ).toEqual([...["−0.01", "−0.02", "−0.06", "−0.16", "−0.26", "−0.29"]]);
    const left = (spread: number) =>
      shown("drift", "levels", { spread, tokens: 100 }).rows[1]!.values.at(-1)!.toFixed(2);
    expect([left(0.08), left(0.09)]).toEqual(["0.53", "0.44"]);
  });
});

describe("shop, clinic and table", () => {
  it("count purchases and empty clicks", async () => {
    const shop = await recordedRun("shop");
    const count = (iteration: number) => {
      const episodes = shop.episodes("turn-ppo", iteration);
      const turns = episodes.flatMap((one) => one.turns);
      const bought = episodes.filter(({ turns: own }) =>
        own.at(-1)!.actions?.[0]?.includes("buy now"),
      );
      const empty = turns.filter(({ actions }) => !actions?.length);
      return [bought.length, episodes.length, empty.length, turns.length];
    };
    expect(count(1)).toEqual([7, 16, 49, 112]);
    expect(count(50)).toEqual([15, 16, 40, 108]);
  });

  it("has a limit that finds patient C and no healthy run", async () => {
    const norms = (run: RunLog, method: string) =>
      [...run.series(method, "actor/grad_norm", "train").y].filter((x) => x !== null);
    const ill = norms(await recordedRun("clinic-c"), "turn-ppo");
    expect(Math.min(...ill)).toBeGreaterThan(13);
    for (const method of log.algorithms) expect(Math.max(...norms(log, method))).toBeLessThan(3.4);
  });

  it("leaves seed 1 out, and would then be sure", () => {
    const { data } = readFields("explore", bodyOf("table", "again")).value!;
    const four = data.differences!.slice(1);
    const { low, high } = tInterval(four);
    expect(text("table")).toContain(
      `The mean is ${mean(four).toFixed(2)}, the standard deviation ${std(four).toFixed(2)}, and t for four values ${studentT(0.95, 3).toFixed(3)}.`,
    );
    expect(text("table")).toContain(`from ${low.toFixed(1)} to ${high.toFixed(1)}.`);
    expect(low).toBeGreaterThan(0);
  });
});
