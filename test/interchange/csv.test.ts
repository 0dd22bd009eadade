/** Tables as text: each cell as it was written, whatever is in it, and rows of any writer by their columns. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, strToU8 } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { csvItems } from "../../src/interchange/container/csv.ts";
import { readRolloutLine } from "../../src/interchange/rollouts/lines.ts";
import { turnbook } from "../cli/cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-csv-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const valuesOf = (text: string, size = Infinity, separator = ",") => {
  const bytes = strToU8(text);
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  return [...csvItems(chunks, separator)].map(({ value, number }) => [number, value]);
};

describe("cells", () => {
  const cases: [name: string, text: string, rows: unknown[]][] = [
    ["plain", "a,b\n1,x\n", [[2, { a: 1, b: "x" }]]],
    [
      "without a last line break, with CRLF",
      "a,b\r\n1,x\r\n,y",
      [
        [2, { a: 1, b: "x" }],
        [3, { a: null, b: "y" }],
      ],
    ],
    [
      "quoted",
      'a,b\n"x, ""y""\r\nz",2\n3,4',
      [
        [2, { a: 'x, "y"\r\nz', b: 2 }],
        [4, { a: 3, b: 4 }],
      ],
    ],
    ["empty and quoted empty", 'a,b\n"",\n', [[2, { a: null, b: null }]]],
    [
      "quotes at both ends",
      'a\n""""\n"""x"""\n',
      [
        [2, { a: '"' }],
        [3, { a: '"x"' }],
      ],
    ],
    ["numbers and words", "a,b,c\n-1.5e3,True,nan\n", [[2, { a: -1500, b: true, c: NaN }]]],
    ["beyond a double", "a,b\n1e400,1_0\n", [[2, { a: NaN, b: "1_0" }]]],
    [
      "texts by their names",
      "prompt,response\n42,true\n",
      [[2, { prompt: "42", response: "true" }]],
    ],
    ["JSON", 'a,prompt\n"[1,2]","[1,2]"\n', [[2, { a: [1, 2], prompt: "[1,2]" }]]],
    ["after a mark and a blank line", "\ufeffa,b\n\n1,2\n", [[3, { a: 1, b: 2 }]]],
    [
      "too few",
      "a,b\n1\n1,2\n",
      [
        [2, undefined],
        [3, { a: 1, b: 2 }],
      ],
    ],
    [
      "named like an object's own",
      "__proto__,b\n1,2\n",
      [
        [
          2,
          Object.fromEntries([
            ["__proto__", 1],
            ["b", 2],
          ]),
        ],
      ],
    ],
  ];

  it.each(cases)("that are %s are the same in pieces of any size", (_, text, rows) => {
    for (const size of [1, 2, 3, 7, Infinity]) expect(valuesOf(text, size)).toEqual(rows);
  });

  it("of any text come back", () => {
    const texts = ['"', '""', ",", "\n", "\r\n", "é→😀", ' "x" ', "a\tb", "'", '",\n"', ""];
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const all = texts.flatMap((a) => texts.map((b) => [a, b] as const));
    const text = `prompt,answer\n${all.map((row) => row.map(cell).join(",")).join("\n")}`;
    for (const size of [1, 5, Infinity])
      expect(valuesOf(text, size).map(([, value]) => Object.values(value as object))).toEqual(all);
  });

  it("may be apart by tabs", () => {
    expect(valuesOf("a\tb\n1,5\t2\n", 3, "\t")).toEqual([[2, { a: "1,5", b: 2 }]]);
  });

  it.each([
    ['a\n"x', /row at line 2 is no CSV/],
    ['a,b\n1,2\n"x"y,2\n', /row at line 3 is no CSV/],
  ])("%j are refused with their line", (text, message) => {
    for (const size of [1, Infinity]) expect(() => valuesOf(text, size)).toThrow(message);
  });
});

async function imported(name: string, content: string | Uint8Array, ...options: string[]) {
  const out = join(folder, "out.jsonl");
  writeFileSync(join(folder, name), content);
  const said = await turnbook("import", join(folder, name), "--out", out, "--force", ...options);
  const lines = said.code === 0 ? readFileSync(out, "utf8").trim().split("\n") : [];
  const episodes = lines.flatMap((line) => {
    const read = readRolloutLine(JSON.parse(line));
    return read.kind === "episode" ? [read.episode] : [];
  });
  return { ...said, episodes, warned: said.progress.join("\n") };
}

describe("tables of rollouts", () => {
  const tables: [name: string, text: string, reward: number, text: string][] = [
    ["own.csv", "prompt,response,score,step\nQ,7,0.5,3\n", 0.5, "7"],
    ["trl.csv", "step,prompt,completion,accuracy,advantage\n3,Q,A,0.5,-1\n", 0.5, "A"],
    ["verl.csv", "input,output,score,step\nQ,A,0.5,3\n", 0.5, "A"],
    ["val.csv", "step,input_1,output_1,score_1\n3,Q,A,0.5\n", 0.5, "A"],
    ["own.tsv", "prompt\tresponse\tscore\tstep\nQ\tA\t0.5\t3\n", 0.5, "A"],
    ["lines.csv", '{"prompt":"Q","response":"A","score":0.5,"step":3}\n', 0.5, "A"],
  ];

  it.each(tables)("%s", async (name, text, reward, said) => {
    const { episodes, warned } = await imported(name, text);
    expect([warned, episodes]).toMatchObject([
      "",
      [{ step: 3, reward, turns: [{ observation: "Q", text: said }] }],
    ]);
    const packed = await imported(`${name}.gz`, gzipSync(strToU8(text)));
    expect(packed.episodes).toEqual(episodes);
  });

  it("have columns by other names, messages, and rows that are not whole", async () => {
    const text = 'frage,antwort,lohn,kind\nQ,42.0,1,a\nQ,"4\n3",0,a\nQ,4\n';
    const map = ["prompt=frage", "completion=antwort", "reward=lohn", "group=kind"];
    const own = await imported("own.csv", text, ...map.flatMap((one) => ["--map", one]));
    expect(own.episodes).toMatchObject([
      { group: "a", reward: 1, turns: [{ text: "42.0" }] },
      { group: "a", reward: 0, turns: [{ text: "4\n3" }] },
    ]);
    expect(own.warned).toContain("line 5 (more or fewer cells than columns)");
    const said = JSON.stringify([
      { role: "user", content: "Q" },
      { role: "assistant", content: "A" },
    ]).replaceAll('"', '""');
    const { episodes } = await imported("talk.csv", `messages,reward\n"${said}",2\n`);
    expect(episodes).toMatchObject([{ reward: 2, turns: [{ observation: "Q", text: "A" }] }]);
    const odd = await imported("own.csv", text, "--map", "prompt=frag");
    expect([odd.code, odd.warned]).toEqual([2, expect.stringContaining("no column frag")]);
  });
});
