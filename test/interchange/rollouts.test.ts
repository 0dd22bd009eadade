import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  readRolloutLine,
  writeRolloutLine,
  type RolloutEpisode,
} from "../../src/interchange/rollouts/lines.ts";

const page = readFileSync("src/interchange/rollouts/README.md", "utf8");
const [example, schema] = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, text]) => text!);

const bare = { seed: null, penalty: null, greedyScore: null, rewards: null, run: null };
const episode: RolloutEpisode = {
  ...bare,
  step: 3,
  split: "eval",
  group: "g",
  id: "g/1",
  reward: 0.1,
  success: false,
  terminated: null,
  truncated: true,
  policy: [1, 2],
  final: "end",
  finalValue: 0.25,
  turns: [
    { observation: "o", text: "a\ud800", reward: null, gain: 0.5, n: 2 },
    { observation: null, text: "", reward: 1e300, gain: null, n: 1 },
  ],
  columns: {
    ids: Int32Array.of(1, -1, 151_644),
    oldLogprob: Float32Array.of(-0.5, NaN, -3),
    clipped: Uint8Array.of(0, 1, 0),
  },
};

function again(line: Parameters<typeof writeRolloutLine>[0]) {
  return readRolloutLine(JSON.parse(writeRolloutLine(line)));
}

describe("a line of turnbook-rollouts/1", () => {
  it("keeps every field of an episode, and NaN as unknown", () => {
    expect(again({ kind: "episode", episode })).toMatchObject({ kind: "episode", episode });
  });

  it("gives a column about its bytes in base64", () => {
    const n = 30_000;
    const x = new Float32Array(n).fill(-0.5);
    const turns = [{ observation: null, text: null, reward: null, gain: null, n }];
    const columns = { ids: new Int32Array(n), rolloutLogprob: x, oldLogprob: x, newLogprob: x };
    const all = { ...columns, refLogprob: x, entropy: x, value: x, advantage: x };
    const line = writeRolloutLine({
      kind: "episode",
      episode: { ...episode, turns, columns: all },
    });
    expect(line.length / n).toBeLessThan(45);
  });

  it("reads the example of its page", () => {
    const read = example!
      .trim()
      .split("\n")
      .map((line) => readRolloutLine(JSON.parse(line)));
    expect(read.map(({ kind }) => kind)).toEqual(["header", "vocab", "episode", "metrics"]);
    const [header, , third] = read;
    expect(header).toMatchObject({
      header: { framework: "verl", groupSize: 4, settings: { gamma: 1 } },
    });
    expect(third).toMatchObject({ episode: { group: "level 3", reward: 1, success: null } });
    const { columns } = (third as { episode: RolloutEpisode }).episode;
    expect([...columns.ids!, ...columns.oldLogprob!]).toEqual([17, 18, -0.5, -0.5]);
  });

  it("has the same fields as the schema on its page", () => {
    const { oneOf, $defs } = JSON.parse(schema!) as {
      oneOf: { title: string; properties: object }[];
      $defs: { turn: { properties: object } };
    };
    const named = oneOf.find(({ title }) => title === "episode")!.properties;
    const { columns, turns, ...rest } = episode;
    const columnNames = Object.keys(named).slice(Object.keys(named).indexOf("turns") + 1);
    expect(Object.keys(named).filter((name) => !columnNames.includes(name))).toEqual(
      expect.arrayContaining([...Object.keys(rest), "turns"]),
    );
    for (const name of columnNames)
      expect(() => readRolloutLine({ step: 1, turns: [], [name]: "AA==" })).toThrow(`${name} is`);
    const read = readRolloutLine({ step: 1, turns: [{}] });
    expect(Object.keys($defs.turn.properties).sort()).toEqual(
      Object.keys((read as { episode: RolloutEpisode }).episode.turns[0]!).sort(),
    );
    expect(Object.keys(columns).every((name) => columnNames.includes(name))).toBe(true);
    expect(turns.length).toBe(2);
  });

  it.each([
    [{ format: "turnbook-rollouts/2" }, /format is "turnbook-rollouts\/2"; this version reads/],
    [{ turns: [], step: -1 }, /step is -1; it must be a whole number from 0/],
    [{ turns: [], step: "1" }, /step is "1"/],
    [{ turns: {}, step: 1 }, /turns is .*it must be a list/],
    [{ turns: [3], step: 1 }, /turns\[0\] is 3; it must be an object/],
    [{ turns: [{ n: 1.5 }], step: 1 }, /turns\[0\]\.n is 1\.5/],
    [{ turns: [{ n: 2 }], step: 1, ids: "AAAA" }, /ids is 3 bytes; it must be 8 bytes in base64/],
    [{ turns: [{ n: 2 }], step: 1, ids: "?" }, /ids is "\?"; it must be 8 bytes/],
    [{ step: 1 }, /a line has "step"; it must have format, turns, vocab or metrics/],
    [null, /a line is null/],
  ])("refuses %j", (value, message) => {
    expect(() => readRolloutLine(value)).toThrow(message);
  });
});
