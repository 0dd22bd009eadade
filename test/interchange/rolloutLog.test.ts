/** The writer of rollouts for trainers in Python (public/python/turnbook_log.py), read by this project's reader. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { ragenBundle } from "../../src/interchange/ragen/bundle.ts";
import {
  readRolloutLine,
  type RolloutEpisode,
  type RolloutLine,
} from "../../src/interchange/rollouts/lines.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { iterations, noTorch, python, skipped, type Iteration } from "./verlRun.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "turnbook-rollouts-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function linesOf(path: string): RolloutLine[] {
  const bytes = readFileSync(path);
  const text = (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => readRolloutLine(JSON.parse(line)));
}

const filesIn = (name: string) => readdirSync(join(folder, name)).sort();
const linesIn = (name: string) =>
  filesIn(name).flatMap((file) => linesOf(join(folder, name, file)));
const episodesIn = (name: string): RolloutEpisode[] =>
  linesIn(name).flatMap((line) => (line.kind === "episode" ? [line.episode] : []));
const columnsOf = ({ columns }: RolloutEpisode) =>
  Object.fromEntries(Object.entries(columns).map(([name, x]) => [name, Array.from(x)]));

describe.skipIf(noTorch)(`turnbook_log.py by hand${skipped}`, () => {
  let told: (string | number)[];
  beforeAll(() => {
    told = python("writer.py", folder).at(-1) as typeof told;
  });

  it("writes what it is given, from lists and from tensors", () => {
    const [header, vocab, line, metrics] = linesIn("lists");
    expect(header).toMatchObject({
      header: { framework: "mine", tokenizer: "words", settings: { estimator: "grpo", gamma: 1 } },
    });
    expect(vocab).toEqual({ kind: "vocab", vocab: { 7: "<7>", 8: "<8>" } });
    const { episode } = line as RolloutLine & { kind: "episode" };
    expect(episode).toMatchObject({
      ...{ step: 3, group: "task 1", id: "a", reward: 1.5, rewards: { acc: 1, bad: null } },
      ...{ success: true, terminated: true, truncated: false, policy: [2, 3], final: "<6>" },
      turns: [
        { observation: "<1><2>", text: "<7><8>", reward: 0.5, n: 2 },
        { observation: "<9><5>", text: "<7>", reward: 1, n: 1 },
      ],
    });
    expect(columnsOf(episode)).toEqual({
      ids: [7, 8, 7],
      oldLogprob: [-1, -2, NaN],
      advantage: [0.5, 0.5, 0.5],
    });
    expect(metrics).toMatchObject({ step: 3, metrics: { "actor/entropy": 0.7, n: 2, far: null } });
    expect(linesIn("tensors")).toEqual(linesIn("lists"));
  });

  it("leaves out texts, or ids as well", () => {
    const texts = (name: string) => JSON.stringify(linesIn(name)).match(/<\d>/g) ?? [];
    expect(texts("lists").length).toBeGreaterThan(0);
    for (const name of ["ids", "numbers"]) expect(texts(name)).toEqual([]);
    expect(columnsOf(episodesIn("ids")[0]!)["ids"]).toEqual([7, 8, 7]);
    expect(Object.keys(episodesIn("numbers")[0]!.columns)).toEqual(["oldLogprob", "advantage"]);
  });

  it("appends to packed files, a file for each rank, and begins another at its limit", () => {
    expect(filesIn("packed")).toEqual(["rollouts-0-0000.jsonl.gz", "rollouts-1-0000.jsonl.gz"]);
    expect(episodesIn("packed").map(({ step }) => step)).toEqual([3, 4, 3]);
    expect(filesIn("shards")).toHaveLength(3);
    // Each file is whole: its header, and the texts of its tokens.
    const kinds = filesIn("shards").map((file) => linesOf(join(folder, "shards", file)));
    expect(kinds.map((lines) => lines.map(({ kind }) => kind).join(" "))).toEqual([
      "header vocab episode",
      "header metrics",
      "header vocab episode",
    ]);
  });

  it("turns errors into one warning, and goes on", () => {
    expect(told).toEqual([
      0,
      expect.stringContaining("could not convert string to float: 'much'; some rollouts are not"),
      "keep is 'all'; allowed: texts, ids, numbers",
    ]);
    const found = episodesIn("errors");
    expect(found.map(({ step, turns, reward }) => [step, turns.length, reward])).toEqual([
      [2, 0, null],
      [2, 0, 1],
      [3, 1, null],
    ]);
  });

  it("writes what a trainer with TRL's methods trains on, after its last update", () => {
    const found = episodesIn("trl");
    expect(found.map(({ step, id }) => [step, id])).toEqual([
      [1, "0-1-0"],
      [1, "0-1-1"],
      [2, "0-2-0"],
      [2, "0-2-1"],
    ]);
    expect(found[0]).toMatchObject({ reward: 2, rewards: { exact: 1, short: 2 } });
    expect(found[1]!.group).not.toBe(found[0]!.group);
    expect(found[0]!.turns.map(({ observation, text }) => [observation, text])).toEqual([
      ["<1><2>", "<4>"],
      ["<5><6>", "<7>"],
    ]);
    expect(columnsOf(found[2]!)).toMatchObject({
      ...{ ids: [14, 17], oldLogprob: [-1, -1], newLogprob: [-1.5, -1.5], entropy: [0.25, 0.25] },
      advantage: [Math.fround(0.7), Math.fround(0.7)],
    });
  });
});

describe.skipIf(noTorch)(`turnbook_log.py in verl's trainer${skipped}`, () => {
  let found: Iteration;
  beforeAll(() => {
    const set = { gamma: 0.97, lambda: 0.9 };
    const spec = toSpec({ preset: "nano", algorithms: [{ name: "turn-ppo", set }] });
    [found] = iterations([ragenBundle(spec).algorithms[0]!.verlKeys!], join(folder, "verl")) as [
      Iteration,
    ];
  });

  it("writes what the trainer had, and the log-probs of its last update", () => {
    expect(filesIn("verl")).toEqual(["rollouts-0-0000.jsonl", "rollouts-0-0001.jsonl"]);
    const lines = linesOf(join(folder, "verl", "rollouts-0-0000.jsonl"));
    expect(lines[0]).toMatchObject({
      header: {
        ...{ framework: "verl", groupSize: 2 },
        settings: {
          ...{ estimator: "turn_gae/turns", gamma: 0.97, lambda: 0.9, epsLow: 0.2, epsHigh: 0.2 },
          ...{ dualClip: 3, aggregation: "seq-mean-token-mean", klReward: 0 },
        },
      },
    });
    const last = lines.at(-1)!;
    expect(last).toMatchObject({ kind: "metrics", step: 1 });
    expect(last.kind === "metrics" && last.metrics["training/global_step"]).toBe(1);
    const written = lines.flatMap((line) => (line.kind === "episode" ? [line.episode] : []));
    expect(written).toHaveLength(8);
    expect(found.reference).not.toBeNull();
    let clipped = 0;
    for (const episode of written) {
      const b = found.keys.indexOf(`${episode.id}_0`);
      const { lengths, rewards, score } = found.episodes[b]!;
      expect(episode.group).toBe(found.groups[b]);
      expect(episode.turns.map(({ n }) => n)).toEqual(lengths);
      const paid = rewards.map((r, h) => r + (h === lengths.length - 1 ? score : 0));
      episode.turns.forEach(({ reward }, h) => expect(reward).toBeCloseTo(paid[h]!, 6));
      expect(episode.reward).toBeCloseTo(
        paid.reduce((a, b) => a + b),
        6,
      );
      expect(columnsOf(episode)).toMatchObject({
        oldLogprob: found.old[b]!.map(Math.fround),
        newLogprob: found.updates.at(-1)!.logprob[b]!.map(Math.fround),
        refLogprob: found.reference![b]!.map(Math.fround),
        value: found.values[b]!.map(Math.fround),
        advantage: found.advantages[b]!.map(Math.fround),
        return: found.returns[b]!.map(Math.fround),
      });
      expect(episode.columns.entropy).toHaveLength(found.old[b]!.length);
      expect(episode.columns.newLogprob).not.toEqual(episode.columns.oldLogprob);
      // One clip a turn, by the product of its tokens' ratios.
      let at = 0;
      const cut = lengths.flatMap((n) => {
        const span = (x: ArrayLike<number>) => Array.from(x).slice(at, at + n);
        const [next, old] = [span(episode.columns.newLogprob!), span(found.old[b]!)];
        const ratio = Math.exp(next.reduce((sum, x, t) => sum + x - old[t]!, 0));
        const A = found.advantages[b]![at]!;
        at += n;
        return Array<number>(n).fill((A > 0 && ratio > 1.2) || (A < 0 && ratio < 0.8) ? 1 : 0);
      });
      expect(columnsOf(episode)["clipped"]).toEqual(cut);
      clipped += cut.filter((c) => c === 1).length;
    }
    expect(clipped).toBeGreaterThan(0);
    expect(clipped).toBeLessThan(found.old.flat().length);
  });

  it("lets all methods but five be computed, with ratios and clips", async () => {
    const out = join(folder, "verl.jsonl.gz");
    const told: Record<string, unknown>[] = [];
    const code = await main(
      ["import", join(folder, "verl", "rollouts-0-0000.jsonl"), "--out", out],
      {
        json: (value) => told.push(value as Record<string, unknown>),
        progress: () => {},
      },
    );
    expect(code).toBe(0);
    const { rows, absent, episodes, groups, tokens } = told[0]!;
    const lacking = ["remax", "otb", "salt", "gdpo", "a2tgpo"];
    expect(rows).toEqual(algorithmNames.filter((name) => !lacking.includes(name)));
    expect(absent).not.toContain("what a clip cut");
    const all = found.old.flat().length;
    expect({ episodes, groups, tokens }).toEqual({ episodes: 8, groups: 4, tokens: all });
  });

  it("writes the same from the batch of verl 0.7 and 0.8, without what it lacks", () => {
    const [first, second] = filesIn("verl").map((file) =>
      linesOf(join(folder, "verl", file)).flatMap((line) =>
        line.kind === "episode" ? [line.episode] : [],
      ),
    );
    const plain = (list: RolloutEpisode[]) =>
      list.map((episode) => {
        const { oldLogprob, value, advantage, rolloutLogprob } = columnsOf(episode);
        const { group, turns, reward } = episode;
        return { group, turns, reward, oldLogprob, value, advantage, rolloutLogprob };
      });
    expect(plain(second!)).toEqual(plain(first!));
    expect(second!.every(({ columns }) => columns.newLogprob === undefined)).toBe(true);
  });
});
