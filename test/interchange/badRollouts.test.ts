/** Damaged and hostile files: a clear sentence, or the good part with a count; nothing in them runs. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, strToU8, zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { unpickle } from "../../src/interchange/container/pickle.ts";
import { openPacked } from "../../src/interchange/container/open.ts";
import { readRolloutLine, type RolloutEpisode } from "../../src/interchange/rollouts/lines.ts";
import { turnbook } from "../cli/cliSupport.ts";
import { evilPickle, gzipBomb, zstdBomb } from "../fixtures/hostileFiles.ts";
import { parquetBombs } from "../fixtures/hostileParquet.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-bad-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const out = join(folder, "out.jsonl");

async function imported(name: string, content: string | Uint8Array, ...options: string[]) {
  writeFileSync(join(folder, name), content);
  const said = await turnbook("import", join(folder, name), "--out", out, "--force", ...options);
  const lines = said.code === 0 ? readFileSync(out, "utf8").trim().split("\n") : [];
  const episodes = lines.flatMap((line) => {
    const read = readRolloutLine(JSON.parse(line));
    return read.kind === "episode" ? [read.episode] : [];
  });
  return { ...said, episodes, warned: said.progress.join("\n") };
}

const row = (over: object = {}) =>
  JSON.stringify({
    ...{ input: "user\nQ\nassistant\n", output: "one", score: 1, step: 1 },
    ...over,
  });

describe("rollouts that are not whole", () => {
  it("are read up to a truncated line, which is counted", async () => {
    const { episodes, warned } = await imported("cut.jsonl", `${row()}\n${row().slice(0, 30)}`);
    expect(episodes).toHaveLength(1);
    expect(warned).toContain("1 line of the recording could not be read: line 2 (no JSON)");
  });

  it("have no reward where it is NaN, infinite or beyond a double", async () => {
    const bad = ["NaN", "-Infinity", "1e400"].map((x) =>
      row({ score: 7 }).replace(":7,", `:${x},`),
    );
    const { episodes, warned } = await imported("nan.jsonl", [row(), ...bad].join("\n"));
    expect(episodes.map(({ reward }) => reward)).toEqual([1, null, null, null]);
    expect(warned).toContain("3 of 4 episodes have no reward");
    expect(warned).toContain("2 numbers are NaN or infinite");
  });

  it("may repeat an id, be alone in a group, or say nothing", async () => {
    const uid = "00000000-0000-4000-8000-000000000000_0_0";
    const lines = [row({ uid }), row({ uid }), row({ input: "alone" }), row({ output: "" })];
    const { episodes, warned, code } = await imported("ids.jsonl", lines.join("\n"));
    expect([code, episodes.length]).toEqual([0, 3]);
    expect(warned).toContain("the same uid and text, and count once");
    expect(episodes.map(({ turns }) => turns.length)).toEqual([1, 1, 1]);
  });

  it("may end in the zeros that a crash leaves", async () => {
    const { episodes, warned } = await imported(
      "crash.jsonl",
      `${row()}\n${row({ input: "b" })}\n\0\0\0`,
    );
    expect(episodes).toHaveLength(2);
    expect(warned).toContain("1 line of the recording could not be read: line 3 (no JSON)");
  });

  it("keep lone surrogates and lines of 10 MB", async () => {
    const long = "x".repeat(10_000_000);
    const text = [row({ output: long }), row().replace("one", "\\ud83d")].join("\n");
    const { episodes } = await imported("long.jsonl", text);
    expect(episodes.map(({ turns }) => turns[0]!.text!.length)).toEqual([10_000_000, 1]);
    expect(episodes[1]!.turns[0]!.text).toBe("\ud83d");
  });
});

describe("rows that others write otherwise", () => {
  it("TRL's with the step among its rewards: the step is none", async () => {
    const line = (reward: number) =>
      JSON.stringify({
        prompt: "Q",
        completion: `C${reward}`,
        reward,
        step: 3,
        advantage: 2 * reward - 1,
      });
    const { episodes } = await imported("trl.jsonl", `${line(0)}\n${line(1)}`);
    expect(episodes.map(({ step, reward }) => [step, reward])).toEqual([
      [3, 0],
      [3, 1],
    ]);
  });

  const four = (over: (i: number) => object) =>
    [0, 1, 2, 3].map((i) => row({ input: `Q${i >> 1}`, output: `A${i}`, ...over(i) })).join("\n");
  /** What each row's step and reward are read as. */
  const told: [string, string, [step: number, reward: number | null][]][] = [
    [
      "numbers as text",
      four((i) => ({ score: `${i % 2}.0`, step: "7" })),
      [
        [7, 0],
        [7, 1],
        [7, 0],
        [7, 1],
      ],
    ],
    [
      "true and false",
      four((i) => ({ score: i === 3, step: 1 })),
      [
        [1, 0],
        [1, 0],
        [1, 0],
        [1, 1],
      ],
    ],
    [
      "another name of the step",
      four((i) => ({ step: undefined, global_step: 3 + (i >> 1) })),
      [
        [3, 1],
        [3, 1],
        [4, 1],
        [4, 1],
      ],
    ],
    [
      "lines of Windows, with a mark before them",
      `\uFEFF${four(() => ({})).replaceAll("\n", "\r\n")}\r\n`,
      [
        [1, 1],
        [1, 1],
        [1, 1],
        [1, 1],
      ],
    ],
    [
      "numbers beyond 64 bits",
      four((i) => ({ score: 2 ** 100 * i })),
      [
        [1, 0],
        [1, 2 ** 100],
        [1, 2 ** 101],
        [1, 3 * 2 ** 100],
      ],
    ],
  ];
  it.each(told)("%s", async (_, content, wanted) => {
    const { episodes, warned } = await imported("rows.jsonl", content);
    expect(episodes.map(({ step, reward }) => [step, reward])).toEqual(wanted);
    expect(new Set(episodes.map(({ group }) => group)).size).toBe(2);
    expect(warned).toBe("");
  });

  it.each([-1, 1.5, 1e20])("a step of %d is said, and not taken for none", async (step) => {
    const { episodes, warned, json } = await imported(
      "rows.jsonl",
      four(() => ({ step })),
    );
    expect(episodes.map((one) => one.step)).toEqual([0, 0, 0, 0]);
    expect(warned).toContain(
      "Some rows have no step that is a whole number from 0 to 10 million, such as",
    );
    expect(JSON.stringify(json)).not.toContain("name a training step");
  });

  it("members of gzip that follow each other, and steps in whatever order of names", async () => {
    const [a, b] = [four(() => ({ step: 10 })), four(() => ({ step: 2 }))];
    const parts = [`${a}\n`, b].map((text) => gzipSync(strToU8(text)));
    const joined = Uint8Array.from(parts.flatMap((part) => [...part]));
    const { json } = await imported("rows.jsonl.gz", joined);
    expect(json[0]).toMatchObject({ episodes: 8, steps: 2, groups: 4 });
  });

  it("a table with semicolons", async () => {
    const table = "prompt;response;score;step\nP;one, two;1;3\nP;three;0;3\n";
    const { episodes } = await imported("rows.csv", table);
    expect(episodes.map(({ step, reward, turns }) => [step, reward, turns[0]!.text])).toEqual([
      [3, 1, "one, two"],
      [3, 0, "three"],
    ]);
  });

  it.each([
    ["1.jsonl", ""],
    ["1.jsonl", "\n  \n\n"],
    ["rows.csv", "prompt,response,score\n"],
  ])("nothing: %s with %j is empty", async (name, content) => {
    const { code, warned } = await imported(name, content);
    expect([code, warned]).toEqual([2, expect.stringContaining("The file is empty.")]);
  });
});

describe("junk", () => {
  const junk: [string, string][] = [
    ["words", "[2026-08-22 10:00:00] INFO step: loss 0.3"],
    ["Python's dicts", "{'loss': 0.3, 'step': 1}"],
    ["objects that were cut", '{"input": "user", "output": "as'],
    ["objects of one's own", '{"level": "info", "msg": 1e400}'],
    ["numbers", "17"],
  ];

  it.each(junk)("of %s before good lines is passed over, with a count", async (_, line) => {
    const bad = `${line}\n`.repeat(900);
    const { episodes, warned } = await imported("late.jsonl", `${bad}${row()}\n${bad}${row()}`);
    expect(episodes).toHaveLength(2);
    expect(warned).toContain("1800 lines of the recording could not be read: line 1 (");
    expect(warned).toContain("and 1797 more");
  });

  it.each(junk)("of %s alone is refused, whatever its length", async (name, line) => {
    const { code, warned } = await imported("junk.jsonl", `${line}\n`.repeat(20_000));
    expect([name, code, warned]).toEqual([
      ...[name, 2],
      expect.stringMatching(/This format is not supported\. The first thing in it, line 1 of/),
    ]);
  });

  it("that is no JSON never hides a log, after however many lines", async () => {
    const { episodes } = await imported("late.jsonl", `${"no\n".repeat(20_000)}${row()}`);
    expect(episodes).toHaveLength(1);
  });
});

describe("packed files", () => {
  it("that are truncated give what was whole", async () => {
    const lines = Array.from({ length: 1000 }, (_, i) => row({ output: `${Math.sin(i)}` }));
    const packed = gzipSync(strToU8(lines.join("\n")));
    const { episodes, warned } = await imported(
      "1.jsonl.gz",
      packed.subarray(0, packed.length / 2),
    );
    expect(episodes.length).toBeGreaterThan(250);
    expect(warned).toMatch(/was read up to where that failed\. It is packed, and damaged/);
  });

  it("that are not what their name says are read for what they are", async () => {
    expect((await imported("text.jsonl.gz", row())).episodes).toHaveLength(1);
    const { code, warned } = await imported("noise.jsonl", Uint8Array.of(1, 0, 2, 0, 3));
    expect([code, warned]).toEqual([2, expect.stringContaining("neither text nor packed")]);
  });

  it("of tar say how they are unpacked, also compressed", async () => {
    const tar = new Uint8Array(2048);
    tar.set(strToU8("1.jsonl"));
    tar.set(strToU8("ustar"), 257);
    for (const [name, bytes] of [
      ["a.tar", tar],
      ["a.tar.gz", gzipSync(tar)],
    ] as const) {
      const { code, warned } = await imported(name, bytes);
      expect([code, warned]).toEqual([2, expect.stringContaining("tar xf a.tar unpacks it")]);
    }
  });

  it("whose entries share their bytes are no archive", async () => {
    const one = zipSync({ "a.jsonl": new Uint8Array(1 << 20).fill(0x78) });
    const view = new DataView(one.buffer);
    const start = view.getUint32(one.length - 6, true);
    const entry = one.subarray(start, one.length - 22);
    const end = new Uint8Array(one.subarray(one.length - 22));
    new DataView(end.buffer).setUint16(10, 1000, true);
    const parts = [one.subarray(0, start), ...Array.from({ length: 1000 }, () => entry), end];
    const { code, warned } = await imported("bomb.zip", Buffer.concat(parts));
    expect([code, warned]).toEqual([2, expect.stringContaining("damaged or not complete")]);
  });

  const bombs: Record<string, () => Uint8Array> = {
    "bomb.jsonl.gz": gzipBomb,
    "bomb.zip": () => zipSync({ "a.jsonl": new Uint8Array(80 << 20).fill(0x78) }, { level: 9 }),
    "bomb.jsonl.zst": () => zstdBomb(),
    "zst.zip": () => zipSync({ "a.jsonl.zst": zstdBomb() }),
    "gz.gz": () => gzipSync(gzipBomb()),
  };
  it.each(Object.keys(bombs))("that unpack to much more than they are stop: %s", async (name) => {
    const { code, warned } = await imported(name, bombs[name]!());
    expect([code, warned]).toEqual([2, expect.stringContaining("unpacks to more than 500 times")]);
  });

  it("of Zstandard may not ask for more memory than its own program gives", async () => {
    const { code, warned } = await imported("window.jsonl.zst", zstdBomb(20 << 3));
    expect([code, warned]).toEqual([2, expect.stringContaining("larger than 128 MB")]);
  });
});

describe("Parquet files", () => {
  it.each(Object.entries(parquetBombs))("with %s are refused at once", async (name, make) => {
    const file = make();
    expect(file.length).toBeLessThan(200_000);
    const { code, warned } = await imported("bomb.parquet", file);
    expect([name, code, warned]).toEqual([
      ...[name, 2],
      expect.stringMatching(/unpacks to more than 500 times|Parquet file could not be read: \w/),
    ]);
  });
});

describe("pickles", () => {
  const marker = join(folder, "ran");
  const evil = evilPickle(marker);

  it("run nothing: a name that is not listed ends the reading", async () => {
    const { code, warned } = await imported("evil.pkl", evil);
    expect(code).toBe(2);
    expect(warned).toContain('names "os.system", which is not opened');
    expect(existsSync(marker)).toBe(false);
  });

  it.each(["builtins\neval", "posix\nsystem", "torch\nload", "torch.storage\n_load_from_bytes"])(
    "do not know %j",
    (name) => {
      expect(() => unpickle(strToU8(`c${name}\n.`))).toThrow(/which is not opened/);
    },
  );

  it("in torch's archives run nothing either", async () => {
    const { code, warned } = await imported("rollout_1.pt", zipSync({ "a/data.pkl": evil }));
    expect([code, warned]).toEqual([2, expect.stringContaining("which is not opened")]);
  });

  const ends = (size: number) => [...new Uint8Array(new Uint32Array([size]).buffer)];
  const tensor = [...strToU8("ctorch._utils\n_rebuild_tensor_v2\n"), 0x28];
  const array = [...strToU8("cnumpy.core.multiarray\n_reconstruct\n"), 0x29, 0x52];
  const bombs: Record<string, number[]> = {
    // Each list holds the one before twice.
    "lists in lists": [0x5d, ...Array.from({ length: 60 }, () => [0x32, 0x86]).flat()],
    "a list that holds itself": [0x5d, 0x32, 0x61],
    "a list a hundred thousand deep": Array.from({ length: 100_000 }, () => 0x5d).concat(
      Array.from({ length: 99_999 }, () => 0x61),
    ),
    "a tensor larger than its data": [
      ...[...tensor, 0x5d, 0x4b, 1, 0x61, 0x4b, 0, 0x4a, ...ends(2e9), 0x85, 0x4b, 0, 0x85],
      ...[0x74, 0x52],
    ],
    "a tensor of repeated numbers": [
      ...[...tensor, 0x28, ...Array.from({ length: 1000 }, () => [0x4b, 1]).flat(), 0x6c, 0x4b, 0],
      ...[0x4d, 0xe8, 3, 0x4d, 0xe8, 3, 0x4d, 0xe8, 3, 0x87, 0x4b, 0, 0x4b, 0, 0x4b, 0, 0x87],
      ...[0x74, 0x52],
    ],
    "an array of empty rows": [
      ...[...array, 0x28, 0x4b, 1, 0x4a, ...ends(2e9), 0x4b, 0, 0x86, 0x4e, 0x89, 0x5d, 0x74, 0x62],
    ],
  };

  it.each(Object.entries(bombs))("with %s are refused", (_, code) => {
    expect(() => unpickle(Uint8Array.from([0x80, 2, ...code, 0x2e]))).toThrow(
      /more values than are read|larger than its data|This pickle is damaged/,
    );
  });

  it("that end too soon or are nonsense are said to be damaged", () => {
    for (const bytes of [
      [],
      [0x80, 4],
      [0x5d, 0x61, 0x2e],
      [0x58, 255, 255, 255, 127],
      [0x52, 0x2e],
    ])
      expect(() => unpickle(Uint8Array.from(bytes))).toThrow(/This pickle/);
  });

  it("give numbers, texts and dicts, whatever their keys", () => {
    const text = "(dS'__proto__'\n(dS'a'\nI1\nssS'n'\nF1.5\ns.";
    const read = unpickle(strToU8(text)) as Record<string, unknown>;
    expect(read["n"]).toBe(1.5);
    expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
  });
});

describe("what a command line leaves out", () => {
  it("is whole groups and steps, and said", async () => {
    const steps = [1, 2, 3].flatMap((step) =>
      ["a", "b", "c"].flatMap((input) => [0, 1].map((score) => row({ input, score, step }))),
    );
    const { json, episodes } = await imported(
      ...(["steps.jsonl", steps.join("\n"), "--steps", "2:", "--groups", "2"] as const),
    );
    expect(json[0]).toMatchObject({ episodes: 8, steps: 2, groups: 4, leftOut: 10 });
    const sizes = (all: readonly RolloutEpisode[]) =>
      all.map(({ step, group }) => `${step} ${group}`);
    expect(new Set(sizes(episodes)).size).toBe(4);
  });

  it("may be given by other names of columns", async () => {
    const line = JSON.stringify({ asked: "Q", said: "A", paid: 2, kind: "k" });
    const map = ["prompt=asked", "completion=said", "reward=paid", "group=kind"];
    const { episodes } = await imported("own.jsonl", line, ...map.flatMap((one) => ["--map", one]));
    expect(episodes).toMatchObject([
      { group: "k", reward: 2, turns: [{ text: "A", observation: "Q" }] },
    ]);
    const odd = await imported("own.jsonl", line, "--map", "promt=asked");
    expect([odd.code, odd.warned]).toEqual([
      2,
      expect.stringContaining("FIELD is messages, prompt"),
    ]);
    const steps = await imported("own.jsonl", line, "--steps", "one");
    expect(steps.warned).toContain("it must be A:B");
  });
});

it("an archive in archives is not followed without end", async () => {
  let bytes = zipSync({ "1.jsonl": strToU8(row()) });
  for (let depth = 0; depth < 4; depth++) bytes = zipSync({ "a.zip": bytes });
  await expect(openPacked({ name: "a.zip", chunks: () => [bytes] })).rejects.toThrow(
    /archive of archives/,
  );
});
