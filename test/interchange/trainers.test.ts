/** Every trainer's files hold the same run: what a writer keeps of it must be read as it was. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { PYTHON } from "./verlRun.ts";
import { readImport } from "../../src/reading/log/readImport.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { creditOf } from "../../src/reading/credit/rowCredit.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { readRolloutLine } from "../../src/interchange/rollouts/lines.ts";
import { turnbook } from "../cli/cliSupport.ts";
import { some } from "../every.ts";

interface TrueEpisode {
  task: string;
  score: number;
  grpo: number;
  drgrpo: number;
  turns: { reward: number; text: string; ids: number[] }[];
}

/** What a folder keeps of the truth. */
interface Keeps {
  /** Steps of the truth that it has; `at`: the step under which step 1 is read. */
  steps: readonly number[];
  at?: number;
  /** The run's name in the page. */
  run: string;
  /** Rewards of turns: all, or those before the last. */
  turns?: "all" | "before";
  /** Whether the model's tokens are there, by number. */
  ids?: boolean;
  /** Advantages of turns as they were trained. */
  advantage?: "grpo" | "drgrpo";
  /** Whether the trained reward is the sum of the turns'. */
  summed?: boolean;
  /** Whether the score is not among what is written. */
  unscored?: boolean;
}

const both = [1, 2];
const FOLDERS: Record<string, Keeps> = {
  "verl-legacy": { steps: both, run: "verl" },
  "verl-v1": { steps: both, run: "verl" },
  "verl-v1-multi": { steps: both, run: "verl" },
  "verl-compressed": { steps: both, run: "verl" },
  "verl-mlflow": { steps: both, run: "verl-traces", turns: "before", ids: true, unscored: true },
  trackio: { steps: both, run: "verl-traces", turns: "before", ids: true, unscored: true },
  "prime-rl": { steps: both, run: "prime-rl", ids: true, advantage: "drgrpo" },
  "verifiers-v1": { steps: [1], at: 0, run: "verifiers" },
  "verifiers-legacy": {
    steps: [1],
    at: 0,
    run: "verifiers",
    turns: "all",
    ids: true,
    advantage: "drgrpo",
  },
  "generic/messages_tools_group.jsonl": { steps: both, run: "rollouts", turns: "all" },
  trl: { steps: both, run: "TRL" },
  wandb: { steps: both, run: "TRL" },
  skyrl: { steps: both, run: "SkyRL", ids: true, advantage: "grpo" },
  areal: { steps: both, run: "AReaL" },
  "areal-v2": { steps: both, run: "AReaL" },
  rllm: { steps: both, run: "rLLM", turns: "all" },
  "rllm/eval_run": { steps: [1], at: 0, run: "rLLM", turns: "all", ids: true, advantage: "grpo" },
  slime: { steps: both, run: "slime", ids: true, advantage: "grpo" },
  "agent-lightning": { steps: both, run: "Agent-Lightning" },
  tinker: { steps: both, run: "Tinker", turns: "all", summed: true },
  inspect: { steps: [1], at: 0, run: "Inspect" },
};

const work = mkdtempSync(join(tmpdir(), "turnbook-trainers-"));
afterAll(() => rmSync(work, { recursive: true, force: true }));

beforeAll(() => {
  const zip = readFileSync(join(import.meta.dirname, "../fixtures/trainers/runs.zip"));
  for (const [name, bytes] of Object.entries(unzipSync(zip))) {
    if (name.endsWith("/")) continue;
    const path = join(work, "7", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
});

const truthOf = (root: string) =>
  JSON.parse(readFileSync(join(root, "truth.json"), "utf8")) as Record<number, TrueEpisode[]>;

const round = (x: number) => (Number.isNaN(x) ? null : Math.round(x * 1e4) / 1e4);
const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();

/** Episodes as what this folder keeps of them; trained tokens end at the model's last one. */
function expected(all: readonly TrueEpisode[], keeps: Keeps) {
  return sorted(
    all.map((one) => ({
      score: keeps.unscored ? null : round(scoreOf(one, keeps)),
      turns: one.turns.map(({ reward, ids }, h) => ({
        reward: hasReward(keeps, h, one.turns.length) ? round(reward) : null,
        ids: keeps.ids ? ids : [],
        advantage: keeps.advantage ? round(one[keeps.advantage]) : null,
      })),
      grpo: keeps.unscored || keeps.summed ? null : round(one.grpo),
      peers: all.filter(({ task }) => task === one.task).length,
    })),
  );
}

/** TRL's second reward function gives each completion 0.1. */
function scoreOf({ score, turns }: TrueEpisode, { run, summed }: Keeps): number {
  if (summed) return turns.reduce((sum, { reward }) => sum + reward, 0);
  return score + (run === "TRL" ? 0.1 : 0);
}

function hasReward({ turns }: Keeps, h: number, length: number): boolean {
  return turns === "all" || (turns === "before" && h < length - 1);
}

function found(episodes: readonly EpisodeRecord[], keeps: Keeps) {
  const grpo = creditOf(resolveAlgorithm("grpo"), episodes);
  let k = 0;
  return sorted(
    episodes.map((one) => {
      const A = keeps.unscored || keeps.summed ? null : round(grpo.ok!.credit.turnAdvantage[k]!);
      k += one.turns.length;
      return {
        score: round(one.reward),
        turns: one.turns.map(({ reward, tokens, advantage }, h) => ({
          reward: hasReward(keeps, h, one.turns.length) ? round(reward) : null,
          ids: keeps.ids ? tokens.map(({ id }) => id) : [],
          advantage: keeps.advantage ? round(advantage) : null,
        })),
        grpo: A,
        peers: episodes.filter(({ task }) => task === one.task).length,
      };
    }),
  );
}

interface Printed {
  episodes: number;
  steps: number;
  groups: number;
  turns: number;
  rows: string[];
}

async function checkFolder(root: string, name: string): Promise<void> {
  const keeps = FOLDERS[name]!;
  const out = join(work, `${name.replaceAll("/", "-")}.jsonl`);
  const { code, json, progress } = await turnbook(
    "import",
    join(root, name),
    "--out",
    out,
    "--force",
  );
  expect([code, progress.join("\n")]).toEqual([0, expect.anything()]);
  const truth = truthOf(root);
  const all = keeps.steps.flatMap((step) => truth[step]!);
  const groups = keeps.steps.flatMap((step) => [...new Set(truth[step]!.map(({ task }) => task))]);
  expect(json[0] as unknown as Printed).toMatchObject({
    episodes: all.length,
    steps: keeps.steps.length,
    groups: groups.length,
    turns: all.reduce((sum, { turns }) => sum + turns.length, 0),
  });
  const { bytes, index } = await readImport([
    { name: "rollouts.jsonl", bytes: new Uint8Array(readFileSync(out)) },
  ]);
  const log = logOf(bytes, index.events);
  const run = log.algorithms.find((one) => one === keeps.run) ?? `${keeps.run}-validation`;
  for (const step of keeps.steps) {
    const at = keeps.at ?? step;
    // Long lines are read in slices.
    await vi.waitFor(() => expect(log.peekEpisodes(run, at)).not.toBeNull(), 10_000);
    const episodes = log.episodes(run, at);
    expect(found(episodes, keeps), `step ${step}`).toEqual(expected(truth[step]!, keeps));
  }
}

describe("files of trainers, imported into turnbook-rollouts/1 and opened", () => {
  it.each(Object.keys(FOLDERS))("%s has the run that was written", async (name) => {
    await checkFolder(join(work, "7"), name);
  });

  it("names the rows that can be computed, what is absent and what was assumed", async () => {
    const out = join(work, "rows.jsonl");
    const { json } = await turnbook("import", join(work, "7/slime"), "--out", out);
    const { rows, rowsIfPaidLast, absent, assumed } = json[0] as unknown as Record<
      string,
      string[]
    >;
    expect(rows).toEqual(expect.arrayContaining(["grpo", "rloo", "opo", "starpo-s"]));
    expect(rowsIfPaidLast).toEqual(expect.arrayContaining(["token-ppo", "turn-ppo", "reinforce"]));
    const again = await turnbook(
      "import",
      join(work, "7/slime"),
      "--out",
      out,
      "--force",
      "--paid-last",
    );
    expect(again.json[0]!["rows"]).toHaveLength(rows!.length + rowsIfPaidLast!.length);
    expect(absent).toContain("rewards of single turns");
    expect(assumed).toHaveLength(1);
  });
});

describe("RAGEN's rollouts in each of its forms", () => {
  // As make.py plans them: what the turns earned, the penalty, whether it succeeded.
  const plans: [group: number, earned: number[], penalty: number, success: boolean][] = [
    [0, [-0.1, 10.9], 0, true],
    [0, [-0.1, -0.1], -0.1, false],
    [1, [-0.1, 10.9], 0, true],
    [1, [-0.1], 0, false],
  ];
  const DATED = "val_rollouts_20260413_123456";
  it.each(["rollout_cache.json", `${DATED}.pkl`, `${DATED}.jsonl`])("%s", async (name) => {
    const out = join(work, "ragen.jsonl");
    const { json } = await turnbook("import", join(work, "7/ragen", name), "--out", out, "--force");
    expect(json[0]).toMatchObject({ writer: "RAGEN", episodes: 4, groups: 2, turns: 7 });
    const lines = readFileSync(out, "utf8").trim().split("\n");
    const episodes = lines.flatMap((line) => {
      const read = readRolloutLine(JSON.parse(line));
      return read.kind === "episode" ? [read.episode] : [];
    });
    // Its JSONL has no reward of a first turn, and calls every episode a failure; the tag's own entry does not.
    // An episode of one turn has that turn's reward.
    const isSpoken = name.endsWith(".jsonl");
    expect(
      episodes.map(({ group, reward, success, turns }) => [
        ...[group, round(reward!), success],
        ...turns.map((turn) => turn.reward),
      ]),
    ).toEqual(
      plans.map(([group, earned, penalty, success]) => [
        ...[
          `SimpleSokoban group ${group}`,
          round(earned.reduce((a, b) => a + b, penalty)),
          success,
        ],
        ...earned.map((reward, h) => (isSpoken && h === 0 && earned.length > 1 ? null : reward)),
      ]),
    );
    for (const { turns, final } of episodes)
      expect([...turns.map(({ observation }) => observation), final].join()).not.toContain(
        "reward",
      );
  });
});

const python = spawnSync(PYTHON, ["-c", "import torch, numpy, zstandard"]);

describe.skipIf(python.status !== 0)(`files of other runs (needs ${PYTHON} with torch)`, () => {
  it.each(some([8, 9, 10, 11, 12], (seed) => seed === 8))(
    "of seed %i have the run that was written",
    async (seed) => {
      const root = join(work, String(seed));
      const make = join(import.meta.dirname, "../fixtures/trainers/make.py");
      expect(spawnSync(PYTHON, [make, root, String(seed)]).status).toBe(0);
      // The script leaves Parquet to another program.
      const written = readdirSync(root);
      for (const name of Object.keys(FOLDERS))
        if (written.includes(name.split("/")[0]!)) await checkFolder(root, name);
    },
  );
});
