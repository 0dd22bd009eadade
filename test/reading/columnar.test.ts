/** A columnar recording beside the recording of lines that it was packed from. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  packRecording,
  wholeGroups,
  type FilesByName,
} from "../../src/interchange/columnar/pack.ts";
import {
  decodeManifest,
  encodeManifest,
  MANIFEST,
  type RecordingManifest,
} from "../../src/interchange/columnar/manifest.ts";
import { clipModel } from "../../src/figures/clip/clip.ts";
import { groupingOf } from "../../src/reading/credit/alone.ts";
import { columnsOf } from "../../src/figures/credits/columns.ts";
import { rowNames, rowOf } from "../../src/reading/credit/rows.ts";
import { creditRows } from "../../src/figures/credits/tableModel.ts";
import type { Against } from "../../src/figures/critic/fit.ts";
import { criticModel } from "../../src/figures/critic/model.ts";
import { valued } from "../../src/figures/critic/pairs.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { titleOf } from "../../src/reading/titles.ts";
import { runConfig } from "../../src/reading/runConfig.ts";
import type { EpisodeRecord, RunEvent } from "../../src/record/runEvent.ts";
import { readColumnar } from "../../src/reading/log/columnar.ts";
import { readRecording } from "../../src/reading/log/recording.ts";
import { viewOf, type RunLog } from "../../src/reading/log/runLog.ts";
import { LATEST, resolveChoice, type ResolvedChoice } from "../../src/store/turnChoice.ts";

const FILE = join(import.meta.dirname, "..", "fixtures", "runs", "nano.jsonl");
const METHODS = ["grpo", "token-ppo", "turn-ppo"];
const KEPT = [1, 10, 20, 30, 40, 50];
/** Of numbers to 7 digits, relative. */
const SEVENTH = 6e-7;

const lines = readFileSync(FILE, "utf8").trim().split("\n");
const events = lines.slice(1, -1).map((line) => JSON.parse(line) as RunEvent);

const truth = {
  turns: [{ value: 1, valueInterval: [0, 2], advantage: 0.5, advantageInterval: [-1, 1] }],
  found: { trained: 49, branches: 64, gamma: 1, steps: "turn" as const },
};

let files: FilesByName;
let before: RunLog;

beforeAll(async () => {
  const keep = (n: number) => n === 1 || n % 10 === 0;
  const truthsOf = () => ({ "0": truth, "77": truth }) as never;
  files = await packRecording({ events, command: "made so", keep, episodes: 8, truthsOf });
  before = (await readRecording(readFileSync(FILE)))!.log;
});

/** Opens it, noting which files are fetched. */
async function open(from: FilesByName = files) {
  const fetched: string[] = [];
  const manifest = new TextDecoder().decode(from.get(MANIFEST));
  const read = await readColumnar(manifest, (name) => {
    fetched.push(name);
    const bytes = from.get(name);
    return bytes ? Promise.resolve(bytes) : Promise.reject(new Error(`${name} did not come`));
  });
  return { ...read, fetched };
}

async function openWith(...iterations: number[]) {
  const opened = await open();
  for (const iteration of iterations)
    for (const name of METHODS) await loaded(opened.log, name, iteration);
  return opened;
}

async function loaded(
  log: RunLog,
  name: string,
  iteration: number,
): Promise<readonly EpisodeRecord[]> {
  log.episodes(name, iteration);
  await vi.waitFor(() => expect(log.isReading(name, iteration)).toBe(false));
  return log.episodes(name, iteration);
}

function close(read: number | null, was: number | null, most: number): void {
  if (was === null || read === null) return expect(read).toBe(was);
  expect(Math.abs(read - was)).toBeLessThanOrEqual(most * Math.max(1, Math.abs(was)));
}

const modelOf = (one: RunLog, at: ResolvedChoice, against: Against) =>
  criticModel(runWhole(valued(one, at, 1)), viewOf(one, "recorded"), at, {}, against);

describe("the curves", () => {
  it("are the same numbers to 7 digits, under the same names, with the same chains", async () => {
    const { log } = await open();
    expect(log.algorithms).toEqual(before.algorithms);
    for (const source of ["train", "heldout"] as const) {
      expect(log.metrics(source)).toEqual(before.metrics(source));
      for (const name of log.metrics(source))
        for (const method of METHODS) {
          const [now, was] = [log, before].map((one) => one.series(method, name, source));
          expect(now!.x).toEqual(was!.x);
          now!.y.forEach((y, i) => {
            const old = was!.y[i]!;
            if (y === null || old === null) expect(y).toBe(old);
            else expect(Math.abs(y - old)).toBeLessThanOrEqual(SEVENTH * Math.abs(old));
          });
        }
    }
    for (let n = 1; n <= 50; n++) expect(log.chainAt(n)).toBe(before.chainAt(n));
    expect(log.lastChain).toBe(before.lastChain);
    expect(log.findings).toEqual(before.findings);
    expect(log.start!.spec).toEqual(before.start!.spec);
    expect(log.end).toEqual(before.end);
    expect(log.times("grpo").map(({ time }) => time.at)).toEqual(
      before.times("grpo").map(({ time }) => time.at),
    );
  });

  it("need two files alone; what an iteration played comes when it is looked at, once", async () => {
    const { log, fetched } = await open();
    expect(fetched).toEqual(["curves.bin"]);
    expect(log.iterationsWithEpisodes("turn-ppo")).toEqual(KEPT);
    expect(fetched).toEqual(["curves.bin"]);
    await loaded(log, "turn-ppo", 20);
    await loaded(log, "grpo", 20);
    expect(fetched).toEqual(["curves.bin", "iteration-20.bin"]);
  });

  it("take less than a tenth of the lines", () => {
    const bytes = [...files.values()].reduce((sum, { length }) => sum + length, 0);
    expect(bytes).toBeLessThan(readFileSync(FILE).length / 10);
    expect(files.get("curves.bin")!.length).toBeLessThan(120_000);
  });
});

describe("the episodes", () => {
  it("say the same; numbers are within a thousandth of a standard deviation, rewards and seeds exact", async () => {
    const { log } = await openWith(...KEPT);
    for (const iteration of KEPT)
      for (const name of METHODS) {
        const [now, was] = [log.episodes(name, iteration), before.episodes(name, iteration)];
        expect(now.map(skeleton)).toEqual(was.map(skeleton));
        for (const field of ["value", "advantage", "return", "ratio"] as const)
          compare(now, was, (episode) => episode.turns.map((turn) => turn[field]));
        for (const field of ["oldLogprob", "logprob", "entropy", "advantage", "value"] as const)
          compare(now, was, (episode) =>
            episode.turns.flatMap(({ tokens }) => tokens.map((token) => token[field])),
          );
        compare(now, was, (episode) =>
          episode.turns.flatMap(({ critics }) => Object.values(critics ?? {}).flat()),
        );
        expect(log.updates(name, iteration)).toEqual(before.updates(name, iteration));
      }
  });

  it("come in whole groups", () => {
    const all = before.episodes("grpo", 50);
    expect(wholeGroups(all, 1)).toEqual(all.filter(({ task }) => task === all[0]!.task));
    expect(wholeGroups(all, 1000)).toEqual(all);
  });

  it("bring the true values that are known of them, and no others", async () => {
    const { log, source } = await open();
    expect(source.truths).toEqual({});
    await loaded(log, "grpo", 50);
    expect(source.truths).toEqual({ "grpo|50|0": truth });
  });
});

/** What is never rounded. */
function skeleton({ turns, ...episode }: EpisodeRecord) {
  return {
    ...episode,
    turns: turns.map(({ observation, text, actions, reward, formatPenalty, clipped, tokens }) => ({
      ...{ observation, text, actions, reward, formatPenalty, clipped },
      tokens: tokens.map(({ id, text }) => ({ id, text })),
    })),
  };
}

function compare(
  now: readonly EpisodeRecord[],
  was: readonly EpisodeRecord[],
  numbers: (episode: EpisodeRecord) => (number | null)[],
): void {
  const [x, y] = [now.flatMap(numbers), was.flatMap(numbers)];
  expect(x.length).toBe(y.length);
  const known = y.filter((one) => one !== null);
  const mean = known.reduce((sum, one) => sum + one, 0) / known.length;
  const variance = known.reduce((sum, one) => sum + (one - mean) ** 2, 0) / known.length;
  // A 16-bit step is at most 2e-4 of the middle half, which is at most 2.7 standard deviations.
  const most = 1e-3 * Math.sqrt(variance);
  x.forEach((one, i) => {
    if (y[i] === null || one === null) expect(one).toBe(y[i]);
    else expect(Math.abs(one - y[i]!)).toBeLessThanOrEqual(most + SEVENTH * Math.abs(y[i]!));
  });
}

describe("panels show the same", () => {
  it.each(METHODS)("credits of %s's episodes, every row of the table", async (method) => {
    const { log } = await openWith(50);
    const [now, was] = [log, before].map((one) => tableAt(one, method));
    expect(now!.map(({ id }) => id)).toEqual(was!.map(({ id }) => id));
    now!.forEach(({ values, ...rest }, i) => {
      const { values: old, ...oldRest } = was![i]!;
      expect(rest).toEqual(oldRest);
      values.forEach((value, h) => close(value, old[h]!, 2e-3));
    });
  });

  it("the critic's fit and the clip's histograms", async () => {
    const { log } = await openWith(50);
    const at = (one: RunLog, method: string) =>
      resolveChoice(one, { ...LATEST, algorithm: method, iteration: 50 });
    const fit = (one: RunLog) => modelOf(one, at(one, "turn-ppo"), "target").fit;
    const [x, y] = [fit(log), fit(before)];
    expect(x.n).toBe(y.n);
    close(x.error, y.error, 1e-3);
    close(x.explained, y.explained, 1e-3);
    const clip = (one: RunLog) => clipModel(viewOf(one, "recorded"), at(one, "grpo"));
    expect(JSON.stringify(clip(log)).length).toBeGreaterThan(100);
    expect(clip(log).steps).toEqual(clip(before).steps);
  });
});

describe("turns of episodes without tokens", () => {
  it("count for the critic, which then says the same as of all episodes", async () => {
    const few = await packRecording({ events, command: "", keep: (n) => n === 50, episodes: 2 });
    for (const method of ["token-ppo", "turn-ppo"]) {
      const { log, fetched } = await open(few);
      expect((await loaded(log, method, 50)).length).toBe(2);
      const read = vi.fn();
      log.onRead = read;
      const model = (one: RunLog) => {
        const at = resolveChoice(one, { ...LATEST, algorithm: method, iteration: 50 });
        return modelOf(one, at, "came");
      };
      const first = model(log);
      expect(first.fit.n).toBeLessThan(model(before).fit.n);
      await vi.waitFor(() => expect(read).toHaveBeenCalled());
      expect(fetched.filter((name) => name === "turns-50.bin").length).toBe(1);
      const [now, was] = [model(log), model(before)];
      expect(now.fit.n).toBe(was.fit.n);
      close(now.fit.error, was.fit.error, 1e-3);
      close(now.fit.explained, was.fit.explained, 1e-3);
      expect(now.pairs.filter(({ cutOff }) => cutOff).length).toBe(
        was.pairs.filter(({ cutOff }) => cutOff).length,
      );
    }
  });
});

/** Ids, words and numbers of the panel of credits at the first episode. */
function tableAt(log: RunLog, algorithm: string) {
  const episodes = log.episodes(algorithm, 50);
  return creditRows({
    rows: rowNames(log, ["reinforce-pp-baseline", "gigpo"]).map((name) => rowOf(log, name, {})),
    ...{ episodes, episode: 0, algorithm, method: titleOf(algorithm) },
    settings: runConfig(log.start?.spec, algorithm),
    ...{ played: algorithm, count: log.episodesPerIteration },
    grouping: groupingOf(log, algorithm),
    iteration: 50,
    columns: columnsOf(episodes[0]!, "turn", new Set()),
    ...{ quantity: "advantage", grain: "turn", truths: [], imported: false },
  }).map(({ id, reason, values }) => ({ id, reason, values: [...values] }));
}

describe("damage is refused in a sentence", () => {
  const changed = (name: string, change: (bytes: Uint8Array) => Uint8Array) => {
    const copy = new Map(files);
    copy.set(name, change(new Uint8Array(copy.get(name)!)));
    return copy;
  };
  const flip = (at: number) => (bytes: Uint8Array) => {
    bytes[at] = bytes[at]! ^ 1;
    return bytes;
  };

  it("of the manifest and the curves: there is no log", async () => {
    const fingerprint = new TextDecoder().decode(files.get(MANIFEST)).indexOf("fingerprint") + 20;
    await expect(open(changed(MANIFEST, flip(fingerprint)))).rejects.toThrow(
      "recording.json is damaged: its SHA-256 does not match",
    );
    await expect(open(changed("curves.bin", flip(500)))).rejects.toThrow(
      "curves.bin is damaged: its SHA-256 does not match recording.json",
    );
    await expect(open(changed("curves.bin", (bytes) => bytes.subarray(0, 99)))).rejects.toThrow(
      /curves.bin is damaged: it has 99 bytes instead of \d+/,
    );
  });

  it("of an iteration: the log is kept, the iteration has no episodes, and the reason is given", async () => {
    const { log, source } = await open(changed("iteration-20.bin", flip(100)));
    expect(source.check).toMatchObject({ read: 2, fault: null, fingerprint: before.lastChain });
    expect(await loaded(log, "grpo", 20)).toEqual([]);
    expect(source.check.fault).toMatch(/^iteration-20.bin is damaged: its SHA-256/);
    expect(log.hasEpisodes("grpo", 20)).toBe(false);
    expect((await loaded(log, "grpo", 30)).length).toBe(8);
  });

  it("a manifest names its own parts, and has a format", () => {
    const text = new TextDecoder().decode(files.get(MANIFEST));
    expect(decodeManifest(text).fingerprint).toBe(before.lastChain);
    expect(() => decodeManifest("{}")).toThrow(/the format in recording.json is/);
    expect(() => decodeManifest("[]")).toThrow("recording.json starts");
  });

  it("a manifest says nothing twice", () => {
    const text = new TextDecoder().decode(files.get(MANIFEST));
    const { sha256: _, ...manifest } = JSON.parse(text) as RecordingManifest & { sha256: string };
    const { parts, iterations, checkpoints } = manifest;
    for (const [changed, words] of [
      [{ parts: [...parts, { ...parts[0]!, bytes: 1 }] }, parts[0]!.name],
      [{ iterations: [...iterations, iterations[0]!] }, iterations[0]!.iteration],
      [{ checkpoints: [1, 1].map((trained) => ({ trained, part: parts[0]!.name })) }, 1],
    ] as const)
      expect(() => decodeManifest(encodeManifest({ ...manifest, ...changed } as never))).toThrow(
        `recording.json lists ${words} twice`,
      );
    expect(checkpoints).toBeDefined();
    expect(() => decodeManifest(text.replace("{", '{"format":"other",'))).toThrow(
      'recording.json has the field "format" twice',
    );
  });
});
