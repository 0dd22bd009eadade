/**
 * Hostile import files of all known formats, through the import path in Node: refused with a sentence, or read with a
 * word on what is wrong; a recording that is not what its run wrote is called altered. In the long form also 3,000 files
 * with random damage.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { leftOut } from "../../src/reading/log/leftOut.ts";
import { LogDoctor } from "../../src/reading/diagnosis.ts";
import { readImport, runsIn, type ChosenFile } from "../../src/reading/log/readImport.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { checkRecording } from "../../src/train/integrity.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";
import { rowOf, type Area } from "./area.ts";

/** How reading a file ended. */
type End =
  /** With a sentence. */
  | "refused"
  /** Something was left out, and that was said. */
  | "warned"
  /** All of it was read. */
  | "read"
  /** A recording that is not what its run wrote. */
  | "altered";

interface Case {
  what: string;
  files: ChosenFile[];
  /** Any of these is right. */
  ends: End[];
}

export const imports: Area = {
  name: "imports",
  run: async ({ full, random }) => {
    const rows = [await rowOf("files of every format", importCases(), attempt)];
    const draw = random("imports");
    const damaged = Array.from({ length: full ? 3000 : 300 }, (_, i) => randomDamage(draw, i));
    return [...rows, await rowOf("files with random damage", damaged, attempt)];
  },
};

const ALL: End[] = ["refused", "warned", "read", "altered"];

async function attempt({ what, files, ends }: Case): Promise<string | null> {
  const found = await Promise.all((await runsIn(files)).map(endOf));
  const odd = found.find(([end]) => !ends.includes(end));
  if ("polluted" in {}) return `${what}: it changed the prototype of all objects`;
  return odd ? `${what}: ${odd.join(": ")}, which must be ${ends.join(" or ")}` : null;
}

/** As the import worker and the panels behind it do, the worker's last net left out. */
async function endOf(files: ChosenFile[]): Promise<[End, string]> {
  const read = await readImport(files).catch((error: Error) => {
    if (error.name === "RefusedError") return error;
    throw error;
  });
  if (read instanceof Error) return ["refused", read.message];
  const { isOwn, bytes, index, facts } = read;
  structuredClone(index.events); // they are sent between threads
  const warnings = [...facts.warnings, ...(isOwn ? leftOut(bytes, index.events) : [])];
  const log = logOf(bytes, index.events);
  for (const name of log.algorithms)
    for (const n of log.iterationsWithEpisodes(name)) log.episodes(name, n);
  new LogDoctor(log).advance(Infinity);
  const integrity = isOwn ? await checkRecording(bytes) : { state: "none" };
  if (integrity.state === "altered") return ["altered", JSON.stringify(integrity)];
  return warnings.length > 0 ? ["warned", warnings.join(" ")] : ["read", ""];
}

const fixtures = join(import.meta.dirname, "..", "fixtures", "import");
const encoder = new TextEncoder();
const file = (text: string, name = "1.jsonl"): ChosenFile => ({
  name,
  bytes: encoder.encode(text),
});

const FOREIGN: Record<string, string> = Object.fromEntries(
  ["12.jsonl", "13.jsonl", "rank_0.jsonl", "rollouts.json", "unipo.json"].map((name) => [
    name,
    readFileSync(join(fixtures, name), "utf8"),
  ]),
);

const own = syntheticRecording({ ...shortRun(), recordEpisodes: 2 });
const ownLines = own.trimEnd().split("\n");
const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;

/** What is done to a file of another program. */
const DAMAGE: Record<string, [ends: End[], change: (text: string) => string | Uint8Array]> = {
  "cut in the middle": [["refused", "warned", "read"], (text) => text.slice(0, text.length / 2)],
  "cut by one": [["refused", "warned", "read"], (text) => text.trimEnd().slice(0, -1)],
  "cut to its first bytes": [["refused"], (text) => text.slice(0, 20)],
  doubled: [["refused", "warned", "read"], (text) => `${text}\n${text}`],
  reversed: [["refused"], (text) => [...text].reverse().join("")],
  "NUL for each space": [["refused", "warned", "read"], (text) => text.replaceAll(" ", "\u0000")],
  "in UTF-16": [["refused"], (text) => Buffer.from(`\ufeff${text}`, "utf16le")],
  "numbers too large": [
    ["refused", "warned", "read"],
    (text) => text.replace(/:\s*-?\d[\d.e-]*/g, ": 1e999"),
  ],
  "NaN for numbers": [ALL, (text) => text.replace(/:\s*-?\d[\d.e-]*/g, ": NaN")],
  "texts for numbers": [ALL, (text) => text.replace(/:\s*-?\d[\d.e-]*/g, ': "constructor"')],
  "numbers for texts": [ALL, (text) => text.replace(/:\s*"(?:[^"\\]|\\.)*"/g, ": 7")],
  "objects for lists": [
    ALL,
    (text) => text.replaceAll("[", '{"length": 1e9, "x":').replaceAll("]", "}"),
  ],
  "null for all": [ALL, (text) => text.replace(/:\s*("(?:[^"\\]|\\.)*"|-?\d[\d.e-]*)/g, ": null")],
  "names of prototypes": [
    ALL,
    (text) =>
      text.replaceAll("{", '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {}}, '),
  ],
  "texts that are names of prototypes": [
    ALL,
    (text) => text.replace(/:\s*"(?:[^"\\]|\\.)*"/g, ': "constructor"'),
  ],
  "a field nested deep": [
    ["refused", "warned", "read"],
    (text) => text.replace("{", `{"x": ${nested}, `),
  ],
  "a line nested deep": [["refused", "warned", "read"], (text) => `${text}\n${nested}\n`],
  "the last comma left": [ALL, (text) => text.replace(/\}\s*$/, ",}")],
};

/** What is done to a recording: anything but its first line and its ending belongs to the chain. */
const OWN_DAMAGE: Record<string, [ends: End[], change: () => string | Uint8Array]> = {
  "as it is": [["read"], () => own],
  "with CRLF and a byte-order mark": [["read"], () => `\ufeff${ownLines.join("\r\n")}`],
  doubled: [["altered"], () => own + own],
  "each line doubled": [["altered"], () => ownLines.flatMap((line) => [line, line]).join("\n")],
  "one line doubled": [["altered"], () => ownLines.toSpliced(9, 0, ownLines[9]!).join("\n")],
  shuffled: [["altered"], () => [...ownLines].sort((a, b) => a.length - b.length).join("\n")],
  "two lines exchanged": [["altered"], () => exchanged(8, 11).join("\n")],
  reversed: [["altered"], () => [...ownLines].reverse().join("\n")],
  "a line left out": [["altered"], () => ownLines.toSpliced(9, 1).join("\n")],
  "a number changed": [
    ["altered"],
    () => own.replace(/"actor\/entropy":[\d.]+/, '"actor/entropy":0.5'),
  ],
  "a reward changed": [["altered"], () => own.replace(/"reward":-?[\d.]+/, '"reward":9')],
  "a chain changed": [["altered"], () => own.replace(/"chain":"./, '"chain":"x')],
  "a clock changed": [
    ["read"],
    () => own.replace(/"at":"[^"]*"/, '"at":"1999-01-01T00:00:00.000Z"'),
  ],
  "cut in the middle": [["altered", "warned"], () => own.slice(0, own.length / 2)],
  "cut after a line": [["read", "warned"], () => `${ownLines.slice(0, 12).join("\n")}\n`],
  "without its first lines": [["altered"], () => ownLines.slice(4).join("\n")],
  "a line of bytes": [
    ["altered", "warned"],
    () => ownLines.toSpliced(7, 0, "\u0000\ufffd\u0001").join("\n"),
  ],
  "a line nested deep": [["altered", "warned"], () => ownLines.toSpliced(7, 0, nested).join("\n")],
  "metrics nested deep": [
    ["altered", "warned"],
    () => own.replace('"metrics":{', `"metrics":{"x":${nested},`),
  ],
  "a time nested deep": [
    ["altered", "warned"],
    () => own.replace('"time":{', `"time":{"x":${nested},`),
  ],
  "an event nested deep": [
    ["altered", "warned"],
    () => own.replace('"type":"iteration"', `"type":"iteration","x":${nested}`),
  ],
  "an episode nested deep": [
    ["altered", "warned"],
    () => own.replace('"episodes":[', `"episodes":[${nested},`),
  ],
  "numbers too large": [
    ["altered", "warned"],
    () => own.replace(/"iteration":3,/g, '"iteration":1e300,'),
  ],
  "names of prototypes": [
    ["altered"],
    () => own.replaceAll('"metrics":{', '"metrics":{"__proto__":1,"constructor":2,'),
  ],
  "a method called __proto__": [
    ["altered"],
    () => own.replaceAll('"algorithm":"grpo"', '"algorithm":"__proto__"'),
  ],
  "metrics left out": [["altered", "warned"], () => own.replace(/"metrics":\{[^}]*\},/g, "")],
};

function exchanged(a: number, b: number): string[] {
  return ownLines.with(a, ownLines[b]!).with(b, ownLines[a]!);
}

function importCases(): Case[] {
  const foreign = Object.entries(FOREIGN).flatMap(([name, text]) =>
    Object.entries(DAMAGE).map(([what, [ends, change]]): Case => {
      const content = change(text);
      const bytes = typeof content === "string" ? encoder.encode(content) : new Uint8Array(content);
      return { what: `${name} ${what}`, ends, files: [{ name, bytes }] };
    }),
  );
  const recorded = Object.entries(OWN_DAMAGE).map(([what, [ends, change]]): Case => {
    const content = change();
    const bytes = typeof content === "string" ? encoder.encode(content) : new Uint8Array(content);
    return { what: `a recording, ${what}`, ends, files: [{ name: "run.jsonl", bytes }] };
  });
  return [
    ...foreign,
    ...recorded,
    ...OTHERS.map(([what, ends, ...files]) => ({ what, ends, files })),
  ];
}

const bytes = (...list: number[]): ChosenFile => ({ name: "x", bytes: Uint8Array.from(list) });
const verl = FOREIGN["12.jsonl"]!;
const OTHERS: [what: string, ends: End[], ...files: ChosenFile[]][] = [
  ["an empty file", ["refused"], file("")],
  ["white space", ["refused"], file(" \n\t\n")],
  ["an object of something else", ["refused"], file('{"a":1}')],
  ["a list of nothing", ["refused"], file("[]")],
  ["a list of lists", ["refused"], file("[[[[]]]]")],
  ["nested deep", ["refused"], file(nested)],
  ["opened and never closed", ["refused"], file("[".repeat(1_000_000))],
  ["one long word", ["refused"], file("x".repeat(5_000_000))],
  ["a million lines of nothing", ["refused"], file("\n".repeat(1_000_000))],
  ["a hundred thousand numbers", ["refused"], file("1\n".repeat(100_000))],
  ["a page", ["refused"], file("<!doctype html><script>polluted = 1</script>")],
  ["a picture", ["refused"], bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)],
  ["a zip file", ["refused"], bytes(0x50, 0x4b, 0x03, 0x04, 0)],
  ["a gzip file", ["refused"], bytes(0x1f, 0x8b, 8, 0)],
  ["a pickle", ["refused"], bytes(0x80, 0x04, 0x95, 0)],
  ["a Parquet file", ["refused"], bytes(0x50, 0x41, 0x52, 0x31)],
  ["bytes", ["refused"], bytes(...Array.from({ length: 5000 }, (_, i) => (i * 131) % 256))],
  ["files of two programs", ["refused"], file(verl), file(FOREIGN["unipo.json"]!, "2.json")],
  ["a recording and another program's file", ["refused"], file(own), file(verl, "2.jsonl")],
  ["the same file twice", ["read", "warned"], file(verl), file(verl)],
  ["a step that is none", ["read", "warned"], file('{"input":"q","output":"a","step":-1e300}')],
  [
    "a method called constructor",
    ALL,
    file('{"type":"header","algorithm":"constructor"}\n{"step":1,"metrics":{"loss":1}}'),
  ],
  [
    "a method called __proto__",
    ALL,
    file('{"type":"header","algorithm":"__proto__"}\n{"step":1,"metrics":{"loss":1}}'),
  ],
  [
    "a method with a long name",
    ALL,
    file(`{"type":"header","algorithm":"${"x".repeat(1e6)}"}\n{"step":1,"metrics":{"loss":1}}`),
  ],
  ["a header only", ["refused"], file('{"command":"rm -rf /"}\n')],
  [
    "a long dialogue",
    ["read", "warned"],
    file(JSON.stringify({ input: "q", output: "a\nuser\nb\nassistant\n".repeat(20_000) })),
  ],
  [
    "speakers without an end",
    ["read", "warned"],
    file(JSON.stringify({ input: "q", output: "</a>user\n".repeat(200_000) })),
  ],
];

/** A file of any format, one to four pieces of which are something else. */
function randomDamage(random: () => number, i: number): Case {
  const names = [...Object.keys(FOREIGN), "run.jsonl"];
  const name = names[Math.floor(random() * names.length)]!;
  let text = FOREIGN[name] ?? own;
  for (let left = 1 + Math.floor(random() * 4); left > 0; left--) {
    const at = Math.floor(random() * text.length);
    const piece = PIECES[Math.floor(random() * PIECES.length)]!;
    text = text.slice(0, at) + piece + text.slice(at + Math.floor(random() ** 3 * 200));
  }
  return { what: `${name}, damage ${i}`, ends: ALL, files: [file(text, name)] };
}

const PIECES = [
  ...["", "null", "[]", "{}", '"', "1e999", "NaN", "\n", "\u0000", ",", "}", "]", "[[", '{"a":'],
  ...["\\", "\\u0000", "-", "true", '"__proto__":', '"step":1e300,', '"constructor"', "\ud800"],
];
