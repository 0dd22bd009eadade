/** Rows beside what was trained: the same number wherever it is shown, or a word on why it is another one. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { main } from "../../../src/cli/main.ts";
import { groupingOf } from "../../../src/reading/credit/alone.ts";
import { sharedBatch } from "../../../src/reading/credit/batch.ts";
import { columnsOf } from "../../../src/figures/credits/columns.ts";
import { commandOf } from "../../../src/figures/credits/choices.ts";
import { isTrained, rowNames, rowOf, withChange } from "../../../src/reading/credit/rows.ts";
import { creditRows, type TableRow } from "../../../src/figures/credits/tableModel.ts";
import { words as reasons } from "../../../src/reading/credit/words.ts";
import { words } from "../../../src/figures/credits/words.ts";
import { creditsAt, creditsWanted, trainedAt } from "../../../src/figures/fork/numbers.ts";
import { encodeBatch } from "../../../src/record/encodeBatch.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import type { ForkAnswer } from "../../../src/runtime/questions.ts";
import { ALL, type Changes } from "../../../src/reading/credit/changes.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { titleOf } from "../../../src/reading/titles.ts";
import type { Quantity } from "../../../src/figures/credits/columns.ts";
import type { Grain } from "../../../src/figures/credits/columns.ts";
import { runConfig } from "../../../src/reading/runConfig.ts";
import { shippedLog } from "../../fixtures/shippedRun.ts";

const LOG = shippedLog(["turn-ppo", 50], ["grpo", 50], ["token-ppo", 3]);

interface Options {
  log?: RunLog;
  /** Of the shipped run's. */
  at?: [algorithm: string, iteration: number];
  quantity?: Quantity;
  grain?: Grain;
  episode?: number;
  changes?: Changes;
  played?: string | null;
  count?: number | null;
  list?: readonly EpisodeRecord[];
}

/** The table at an episode, by row; of Turn-PPO where nothing is said. */
function tableOf({ log = LOG, episode = 0, changes = {}, ...rest }: Options = {}) {
  const { at = ["turn-ppo", 50], quantity = "advantage", grain = "turn" } = rest;
  const [algorithm] = at;
  const episodes = rest.list ?? log.episodes(...at);
  const { played = algorithm, count = log.episodesPerIteration } = rest;
  const settings = runConfig(log.start?.spec, algorithm);
  const rows = creditRows({
    rows: rowNames(log, ["reinforce-pp-baseline"]).map((name) => rowOf(log, name, changes)),
    ...{ episodes, episode, algorithm, method: titleOf(algorithm), settings, played, count },
    grouping: groupingOf(log, algorithm),
    iteration: at[1],
    columns: columnsOf(episodes[episode]!, grain, new Set()),
    ...{ quantity, grain, truths: [], imported: false },
  });
  return Object.fromEntries(rows.map((row) => [row.id, row])) as Record<string, TableRow>;
}

const FOLDER = mkdtempSync(join(tmpdir(), "turnbook-normalised-"));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const json: unknown[] = [];
const OUT = { json: (value: unknown) => void json.push(value), progress: () => undefined };

async function run(argv: string[]): Promise<{ advantages: number[][] }> {
  expect(await main(argv, OUT)).toBe(0);
  return json.at(-1) as { advantages: number[][] };
}

/** What the command beside the table says of the batch that the table hands out, of iteration 50. */
async function saidOf(name: string, played: string) {
  const file = join(FOLDER, `${name}.json`);
  const episodes = LOG.episodes(played, 50);
  const row = rowOf(LOG, name, {});
  writeFileSync(file, JSON.stringify(encodeBatch(sharedBatch(row.config!, episodes))));
  const [start, rest] = commandOf(row, { episodes, played }, file).split(" -- ");
  expect(start).toBe("npm run -s turnbook");
  const argv = rest!.split(" ");
  return { argv, ...(await run(argv)) };
}

const moved = (name: "gamma" | "epsLow", value: number) => withChange({}, ALL, name, value);

function expectTrained({ values }: TableRow, trained: TableRow): void {
  expect(values.length).toBeGreaterThan(0);
  values.forEach((value, h) => expect(value).toBeCloseTo(trained.values[h]!, 4));
}

describe("the row of the method that played", () => {
  it.each([0, 1, 2, 7])("is what was trained, episode %i", (episode) => {
    const table = tableOf({ episode });
    expectTrained(table["turn-ppo"]!, table["trained"]!);
    expect(table["turn-ppo"]!.notes).toContain(reasons.normalisedAsTrained(128));
    expect(table["token-ppo"]!.notes).toContain("normalised over 8 of 128 episodes");
    expect(table["grpo"]!.notes.join()).not.toContain("normalised");
  });

  it("is so while a slider moves what comes after the advantages, and no longer", () => {
    const clip = tableOf({ changes: moved("epsLow", 0.05) });
    expectTrained(clip["turn-ppo"]!, clip["trained"]!);
    expect(clip["turn-ppo"]!.notes).toContain(words.changed);
    const gamma = tableOf({ changes: moved("gamma", 0.5) });
    expect(gamma["turn-ppo"]!.notes).toContain(reasons.normalisedOver(8, 128));
    const fork = tableOf({ played: null });
    expect(fork["turn-ppo"]!.notes).toContain(reasons.normalisedOver(8, 128));
  });

  it("is what the command line gives for the saved batch", async () => {
    const { argv, advantages } = await saidOf("turn-ppo", "turn-ppo");
    expect(argv).toContain("--normalise");
    for (const [b, own] of advantages.entries())
      expect(tableOf({ episode: b })["turn-ppo"]!.values).toEqual(own);
    const plain = argv.slice(0, argv.indexOf("--normalise"));
    for (const wrong of ["1", "1,0", "1,-2", "x,1", "1,2,3", ""])
      expect(await main([...plain, `--normalise=${wrong}`], OUT)).not.toBe(0);
    expect(await main([...argv, "--set", "whiten=none"], OUT)).not.toBe(0);
  });

  it("is beside a fork with the same number", () => {
    const episodes = LOG.episodes("turn-ppo", 50);
    const question = {
      ...{ kind: "fork" as const, algorithm: "turn-ppo", iteration: 50, episode: episodes[2]! },
      ...{ turn: 0, branches: 4, response: "Up", board: null },
    };
    const wanted = creditsWanted(LOG, { number: 1, question, answer: {} as ForkAnswer });
    const said = Object.fromEntries(creditsAt(wanted).map((one) => [one.name, one]));
    expect(trainedAt(wanted)).toBe(episodes[2]!.turns[0]!.advantage);
    expect(said["turn-ppo"]!.advantage).toBeCloseTo(trainedAt(wanted)!, 4);
    expect(said["token-ppo"]!.over).toBe(reasons.normalisedOver(8, 128));
    expect(said["grpo"]!.reason).toBe(reasons.playedOnce("GRPO"));
    const table = tableOf({ episode: 2 });
    for (const name of ["turn-ppo", "token-ppo", "grpo"])
      expect(said[name]!.advantage).toBe(table[name]!.values[0]);
  });
});

describe("a row that divides by a spread", () => {
  it("does so as training did, which makes rewards smaller, and as the command line does", async () => {
    const { argv, advantages } = await saidOf("grpo", "grpo");
    expect(argv.join(" ")).toContain("--reward-scale 0.1");
    for (const [b, own] of advantages.entries()) {
      const { grpo, trained } = tableOf({ at: ["grpo", 50], episode: b });
      expect(grpo!.values).toEqual(own);
      // The log has seven digits.
      grpo!.values.forEach((x, h) => expect(x! / trained!.values[h]!).toBeCloseTo(1, 6));
    }
    const plain = argv.slice(0, argv.indexOf("--reward-scale"));
    const unscaled = (await run(plain)).advantages;
    expect(unscaled[0]![0]! / advantages[0]![0]!).toBeCloseTo(1.00025, 5);
    for (const wrong of ["0", "-1", "x", ""])
      expect(await main([...plain, `--reward-scale=${wrong}`], OUT)).not.toBe(0);
  });

  it("has no need of the scale where its numbers are rewards or are normalised as trained", () => {
    const command = (changes: Changes) =>
      commandOf(
        rowOf(LOG, "grpo", changes),
        { episodes: LOG.episodes("grpo", 50), played: null },
        "",
      );
    expect(command({})).toContain("--reward-scale");
    expect(command(withChange({}, ALL, "std", "none"))).not.toContain("--reward-scale");
  });
});

describe("ratios and clips as trained", () => {
  const at: [string, number] = ["token-ppo", 3];

  it.each(["token", "turn", "episode"] as const)(
    "are those of the method's row, by %s",
    (grain) => {
      for (const quantity of ["ratio", "clip"] as const)
        for (const episode of LOG.episodes(...at).keys()) {
          const { trained, "token-ppo": row } = tableOf({ at, episode, quantity, grain });
          expect(trained!.values).toHaveLength(row!.values.length);
          trained!.values.forEach((x, i) => expect(x).toBeCloseTo(row!.values[i]!, 5));
          expect(trained!.yesOrNo).toBe(undefined);
        }
    },
  );

  it("are not taken from log-probs that give something else", () => {
    const list = LOG.episodes(...at).map((one) => ({
      ...one,
      turns: one.turns.map((turn) => ({ ...turn, clipped: true })),
    }));
    const { trained } = tableOf({ at, list, quantity: "clip" });
    expect(trained!.yesOrNo).toBe(true);
    expect(trained!.notes).toContain(words.cutOrNot);
    expect(new Set(trained!.values)).toEqual(new Set([1]));
  });

  it("cut something of the turns that the log says were cut, and of no other", () => {
    const { trained } = tableOf({ at, quantity: "clip" });
    const shares = trained!.values.map((share) => Number(share! > 0));
    const record = LOG.episodes(...at)[0]!;
    expect(shares).toEqual(record.turns.map(({ clipped }) => Number(clipped)));
  });
});

describe("a row that normalises", () => {
  const [first] = LOG.episodes("turn-ppo", 50);

  it("says nothing of one episode of several", () => {
    const alone = { list: [first!], played: null };
    for (const count of [128, null]) {
      const row = tableOf({ ...alone, count })["token-ppo"]!;
      expect(row.reason).toBe(reasons.oneEpisode("token-PPO"));
      expect(row.values.every((value) => value === null)).toBe(true);
    }
    // All that there was: training had no more either.
    expect(tableOf({ ...alone, count: 1 })["token-ppo"]!.reason).toBe(null);
  });

  it("says nothing where only rounding differs", () => {
    const list = LOG.episodes("turn-ppo", 50).map((episode, b) => ({
      ...episode,
      turns: episode.turns.map((turn) => ({
        ...turn,
        ...{ reward: 0, value: 0, critics: { "turn-ppo": [b * 1e-14] } },
      })),
    }));
    expect(tableOf({ list })["turn-ppo"]!.reason).toBe(reasons.nothingDiffers("Turn-PPO"));
    expect(tableOf()["turn-ppo"]!.reason).toBe(null);
  });
});

describe("a row that compares rollouts, at an episode whose task was played once", () => {
  it("says so, and leads to the episodes that it can compare", () => {
    const { grpo } = tableOf();
    expect(grpo!.notes).toContain(reasons.playedOnce("GRPO"));
    expect(grpo!.methods).toEqual(["grpo"]);
    expect(tableOf()["reinforce-pp-baseline"]!.methods).toEqual(["grpo"]);
    expect(tableOf()["turn-ppo"]!.methods).toBe(undefined);
    expect(isTrained(rowOf(LOG, "grpo", {}), "turn-ppo")).toBe(false);
  });
});
