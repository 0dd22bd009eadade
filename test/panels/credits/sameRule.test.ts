/** What the panel shows of a row is what the command that it hands over prints, for every row and every kind of group. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { isPlainReward } from "../../../src/reading/credit/alone.ts";
import { sharedBatch } from "../../../src/reading/credit/batch.ts";
import { columnsOf } from "../../../src/figures/credits/columns.ts";
import { commandOf, noNumbersOf } from "../../../src/figures/credits/choices.ts";
import { creditRows, type TableRow } from "../../../src/figures/credits/tableModel.ts";
import { ownRow } from "../../../src/reading/credit/rows.ts";
import { words as reasons } from "../../../src/reading/credit/words.ts";
import { encodeBatch } from "../../../src/record/encodeBatch.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import { algorithmNames } from "../../../src/spec/algorithms.ts";
import { RunLog } from "../../../src/reading/log/runLog.ts";
import { tokenEpisodes } from "../../fixtures/tokenRun.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-same-rule-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** With what some rows need besides: gains of turns, the score of a greedy rollout, numbers of the sampler. */
const episodes = tokenEpisodes(6, 3).map((episode, b) => ({
  ...episode,
  greedyScore: 0.25 * b,
  turns: episode.turns.map((turn, h) => ({
    ...turn,
    gain: 0.1 * (h + 1) - 0.05 * b,
    tokens: turn.tokens.map((token, t) => ({
      ...token,
      rolloutLogprob: token.oldLogprob + 0.01 * Math.sin(b + h + t),
      sumPiSquared: 0.5 + 0.1 * Math.sin(b + 2 * h + t),
    })),
  })),
}));
const named = (name: (b: number) => string, reward = (b: number) => episodes[b]!.reward) =>
  episodes.map((episode, b): EpisodeRecord => ({
    ...episode,
    task: name(b),
    reward: reward(b),
    turns: episode.turns.map((turn, h) => ({
      ...turn,
      reward: h === episode.turns.length - 1 ? reward(b) : 0,
    })),
  }));

const CASES: [what: string, list: EpisodeRecord[]][] = [
  ["groups of two", named((b) => `t${b >> 1}`)],
  [
    "every task played once",
    named(
      (b) => `t${b}`,
      (b) => -0.8 + 0.3 * b,
    ),
  ],
  [
    "one task played once among groups",
    named(
      (b) => `t${Math.min(b, 2)}`,
      (b) => b - 0.8,
    ),
  ],
  [
    "one group that earned the same",
    named(
      (b) => `t${b >> 1}`,
      (b) => (b < 2 ? -0.8 : b),
    ),
  ],
  [
    "one group of all, that earned the same",
    named(
      () => "t",
      () => -0.8,
    ),
  ],
  [
    "one episode alone",
    named(
      (b) => `t${b}`,
      () => -0.8,
    ).slice(0, 1),
  ],
];

const log = new RunLog();

function tableOf(list: EpisodeRecord[], episode: number): Map<string, TableRow> {
  const all = creditRows({
    rows: algorithmNames.map((name) => ownRow(log, name)),
    ...{ episodes: list, episode, algorithm: "grpo", method: "GRPO", settings: null },
    iteration: 1,
    ...{ played: null, count: null, grouping: { once: true, methods: [] }, truths: [] },
    columns: columnsOf(list[episode]!, "turn", new Set()),
    ...{ quantity: "advantage", grain: "turn", imported: false },
  });
  return new Map(all.map((row) => [row.id, row]));
}

/** Advantages by episode and turn; null where the command refuses. */
async function printed(name: string, list: EpisodeRecord[]): Promise<number[][] | null> {
  const row = ownRow(log, name);
  const file = join(folder, "batch.json");
  writeFileSync(file, JSON.stringify(encodeBatch(sharedBatch(row.config!, list))));
  const argv = commandOf(row, { episodes: list, played: null }, file).split(" -- ")[1]!.split(" ");
  const said: { advantages: number[][] | null; tokenAdvantages: number[][][] }[] = [];
  const out = { json: (value: unknown) => void said.push(value as never), progress: () => {} };
  if ((await main(argv, out)) !== 0) return null;
  const mean = (x: number[]) => x.reduce((sum, one) => sum + one, 0) / x.length;
  return said[0]!.advantages ?? said[0]!.tokenAdvantages.map((turns) => turns.map(mean));
}

describe.each(CASES)("%s", (_, list) => {
  it.each(algorithmNames)("%s", async (name) => {
    const prints = await printed(name, list);
    const handedOver = noNumbersOf(ownRow(log, name), {
      episodes: list,
      played: null,
      count: null,
    });
    for (const episode of list.keys()) {
      const { values, reason } = tableOf(list, episode).get(name)!;
      expect(reason).toBe(handedOver);
      if (reason !== null) expect(values.every((value) => value === null)).toBe(true);
      else values.forEach((value, h) => expect(value).toBeCloseTo(prints![episode]![h]!, 12));
    }
  });
});

it("an episode played once keeps its reward in the rows that compare rollouts, as in verl", async () => {
  const list = CASES[1]![1];
  const lone = algorithmNames.filter((name) =>
    isPlainReward(
      ownRow(log, name).config!,
      list.map(({ task }) => task),
      0,
    ),
  );
  expect(lone).toContain("rloo");
  const table = tableOf(list, 0);
  expect(table.get("rloo")!.values).toEqual(list[0]!.turns.map(() => -0.8));
  expect((await printed("rloo", list))![0]).toEqual(list[0]!.turns.map(() => -0.8));
  for (const name of lone) {
    expect(table.get(name)!.values).not.toContain(null);
    expect(table.get(name)!.notes).toContain(reasons.playedOnce(table.get(name)!.title));
  }
});
