/** Rollouts inside of something else, and texts in other encodings: the same run as from lines of JSON. */
import { gzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readImport, readLarge } from "../../src/reading/log/readImport.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { episodesOfStep, type LargeFile } from "../../src/reading/log/stepIndex.ts";

const rows = Array.from({ length: 8 }, (_, i) => ({
  step: 3 + (i >> 2),
  prompt: `Frage ${i >> 1}: größer?`,
  completion: `日本 ${i} 🙂`,
  reward: i % 3,
}));
type Row = (typeof rows)[number];

const bytesOf = (text: string) => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
const lines = (values: readonly unknown[]) => values.map((one) => JSON.stringify(one)).join("\n");

async function read(name: string, bytes: Uint8Array<ArrayBuffer>) {
  const { bytes: written, index, facts } = await readImport([{ name, bytes }]);
  const log = logOf(written, index.events);
  const [run = ""] = log.algorithms;
  const episodes = log
    .iterationsWithEpisodes(run)
    .flatMap((step) =>
      log
        .episodes(run, step)
        .map(({ task, reward, turns }) => [
          ...[step, task, reward],
          ...[turns[0]!.observation, turns[0]!.text],
        ]),
    );
  return { episodes, facts };
}

const plain = () => read("rows.jsonl", bytesOf(lines(rows)));
const without = (row: Row, ...names: (keyof Row)[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name as keyof Row)));
const steps = [rows.slice(0, 4), rows.slice(4)];
const groups = [0, 2, 4, 6].map((i) => rows.slice(i, i + 2));
const column = <K extends keyof Row>(name: K, of: readonly Row[] = rows) =>
  of.map((row) => row[name]);
const names = ["step", "prompt", "completion", "reward"] as const;

const wrapped: [string, unknown][] = [
  ["a list", rows],
  ["a list in an object", { rollouts: rows }],
  ["beside settings", { model: "m", seed: 7, config: { lr: 1e-6, layers: [1, 2] }, data: rows }],
  ["two objects deep", { run: { name: "a", results: rows } }],
  ["lists in a list", groups],
  ["by name", Object.fromEntries(rows.map((row, i) => [`rollout_${i}`, row]))],
  [
    "steps that say their number once",
    steps.map((own) => ({ step: own[0]!.step, rollouts: own.map((row) => without(row, "step")) })),
  ],
  [
    "groups that say their prompt once",
    {
      groups: groups.map((own) => ({
        prompt: own[0]!.prompt,
        samples: own.map((row) => without(row, "prompt")),
      })),
    },
  ],
  ["columns", Object.fromEntries(names.map((name) => [name, column(name)]))],
  [
    "columns as pandas writes them",
    Object.fromEntries(names.map((name) => [name, { ...column(name) }])),
  ],
];

describe("rollouts inside of something else", () => {
  it.each(wrapped)("are read from %s, on one line or many", async (_, value) => {
    const { episodes } = await plain();
    expect(episodes).toHaveLength(8);
    for (const space of [0, 2]) {
      const { episodes: found, facts } = await read(
        "a.json",
        bytesOf(JSON.stringify(value, null, space)),
      );
      expect(found).toEqual(episodes);
      expect(facts.warnings.filter((one) => one.includes("could not be read"))).toEqual([]);
    }
  });

  it("are read from a line a step, or a line a group with lists of answers and rewards", async () => {
    const { episodes } = await plain();
    const bySteps = steps.map((own) => ({ loss: 0.1, step: own[0]!.step, samples: own }));
    expect((await read("a.jsonl", bytesOf(lines(bySteps)))).episodes).toEqual(episodes);
    const byGroups = groups.map((own) => ({
      step: own[0]!.step,
      prompt: own[0]!.prompt,
      completions: column("completion", own),
      rewards: column("reward", own),
    }));
    expect((await read("a.jsonl", bytesOf(lines(byGroups)))).episodes).toEqual(episodes);
  });

  it("never get another's reward or answer", async () => {
    const bare = {
      reward: 5,
      completion: "said",
      rollouts: rows.map((row) => without(row, "reward")),
    };
    await expect(read("a.json", bytesOf(JSON.stringify(bare)))).rejects.toThrow("not supported");
  });

  it("leave evaluations out, by name, where both are in one file", async () => {
    const both = { train: rows, eval_rollouts: rows.slice(0, 2) };
    const { episodes, facts } = await read("a.json", bytesOf(JSON.stringify(both)));
    expect(episodes).toEqual((await plain()).episodes);
    expect(facts.warnings).toContainEqual(
      expect.stringContaining("of an evaluation: eval_rollouts"),
    );
  });

  it("do not count twice beside the log that they were collected from", async () => {
    const log = { name: "run/rows.jsonl", bytes: bytesOf(lines(rows)) };
    const all = { name: "run/_all.json", bytes: bytesOf(JSON.stringify({ 3: rows, 4: rows })) };
    const { facts, index } = await readImport([all, log]);
    const { events } = index;
    expect(events.filter(({ event }) => event.type === "iteration")).toHaveLength(2);
    expect(facts.warnings).toContainEqual(expect.stringContaining("run/_all.json"));
  });

  it("have columns to be named where their names are unknown", async () => {
    const strange = {
      model: "m",
      rollouts: rows.map(({ prompt, reward }) => ({ q: prompt, r: reward })),
    };
    await expect(read("a.json", bytesOf(JSON.stringify(strange)))).rejects.toMatchObject({
      columns: ["q", "r"],
    });
  });
});

/** A text in UTF-16, with a mark or without. */
function utf16(text: string, isLittle: boolean, mark = "\uFEFF"): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(2 * (mark + text).length));
  [...(mark + text).split("")].forEach((unit, i) =>
    view.setUint16(2 * i, unit.charCodeAt(0), isLittle),
  );
  return new Uint8Array(view.buffer);
}

const table = ["step;prompt;completion;reward", ...rows.map((row) => Object.values(row).join(";"))];

describe("text in UTF-16", () => {
  const texts: [string, string][] = [
    ["rows.jsonl", lines(rows)],
    ["rows.json", JSON.stringify({ rollouts: rows })],
    ["rows.csv", table.join("\r\n")],
  ];

  it.each(texts)("is read as %s, in either order of bytes, plain or packed", async (name, text) => {
    const { episodes } = await plain();
    for (const isLittle of [true, false])
      for (const mark of ["\uFEFF", ""]) {
        const bytes = utf16(text, isLittle, mark);
        expect((await read(name, bytes)).episodes).toEqual(episodes);
        const packed = gzipSync(bytes) as Uint8Array<ArrayBuffer>;
        expect((await read(`${name}.gz`, packed)).episodes).toEqual(episodes);
      }
  });

  it("is a recording of ours as well", async () => {
    const { bytes } = await readImport([{ name: "rows.jsonl", bytes: bytesOf(lines(rows)) }]);
    const own = await readImport([
      { name: "own.jsonl", bytes: utf16(new TextDecoder().decode(bytes), true) },
    ]);
    expect(own.isOwn).toBe(true);
    expect(own.bytes).toEqual(bytes);
  });
});

/** Pieces are odd, so that a character's bytes are in two. */
const large = (name: string, bytes: Uint8Array<ArrayBuffer>): LargeFile => ({
  name,
  size: bytes.length,
  *chunks(start = 0, end = bytes.length) {
    for (let at = start; at < end; at += 101) yield bytes.slice(at, Math.min(end, at + 101));
  },
});

describe("steps of large files", () => {
  const bySteps = lines(steps.map((own) => ({ step: own[0]!.step, samples: own })));
  const files: [string, Uint8Array<ArrayBuffer>][] = [
    ["steps.jsonl", bytesOf(bySteps)],
    ["steps.jsonl", utf16(bySteps, true)],
    ["rows.json", bytesOf(JSON.stringify({ rollouts: rows }))],
    ["rows.csv", utf16(table.join("\n"), false)],
  ];

  it.each(files)("are found in %s, wrapped or in UTF-16", async (name, bytes) => {
    const file = large(name, bytes);
    const { events } = await readLarge([file], {});
    for (const { step } of events.filter(({ event }) => event.type === "iteration")) {
      const episodes = await episodesOfStep(new Map([[0, file]]), step!, {});
      const said = rows.filter((row) => row.step === step!.iteration);
      expect(episodes.map(({ turns }) => turns[0]!.text)).toEqual(
        said.map((row) => row.completion),
      );
    }
    expect(events.filter(({ event }) => event.type === "iteration")).toHaveLength(2);
  });
});
