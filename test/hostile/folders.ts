/** Folders and files of anybody else's, where train, clone, export and recordings are to write: nothing is touched. */
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { zipSync } from "fflate";
import { rowOf, type Area, type Tools } from "./area.ts";
import {
  killed,
  snapshot,
  trainArgs,
  unbrokenFingerprint,
  writeSpec,
  wrongEnd,
} from "./runSupport.ts";

/** What a foreign folder may hold. */
const FOREIGN: Record<string, (folder: string) => void> = {
  "checkpoints of another program and a log": (f) => {
    mkdirSync(join(f, "checkpoints", "llama"), { recursive: true });
    writeFileSync(join(f, "checkpoints", "llama", "model.bin"), "w");
    writeFileSync(join(f, "events.jsonl"), "x");
  },
  "a text": (f) => writeFileSync(join(f, "notes.txt"), "mine"),
  "an empty log": (f) => writeFileSync(join(f, "events.jsonl"), ""),
  "a log with a chain of its own": (f) =>
    writeFileSync(join(f, "events.jsonl"), '{"type":"start","chain":"00"}\n'),
  "a hidden file": (f) => writeFileSync(join(f, ".config"), "mine"),
  "an empty folder": (f) => mkdirSync(join(f, "src")),
  "another program's checkpoint.zip": (f) =>
    writeFileSync(join(f, "checkpoint.zip"), zipSync({ "model.bin": new Uint8Array(9) })),
  "an empty checkpoint.zip": (f) => writeFileSync(join(f, "checkpoint.zip"), ""),
  "a folder named checkpoint.zip": (f) => mkdirSync(join(f, "checkpoint.zip")),
  "a folder named as the marker": (f) => mkdirSync(join(f, "turnbook-run.json")),
  "a marker of no run": (f) => writeFileSync(join(f, "turnbook-run.json"), '{"format":"other"}'),
  "a lock alone": (f) => writeFileSync(join(f, "turnbook-run.lock"), "mine"),
  "a link to nothing": (f) => symlinkSync("/nowhere/at/all", join(f, "events.jsonl")),
  "a pipe": (f) => void spawnSync("mkfifo", [join(f, "events.jsonl")]),
  weights: (f) => {
    writeFileSync(join(f, "model.safetensors"), "mine");
    writeFileSync(join(f, "config.json"), "{}");
  },
};

export const folders: Area = {
  name: "folders",
  run: async (tools) => {
    const spec = writeSpec(join(tools.folder("spec"), "spec.json"), 2);
    const fingerprint = await unbrokenFingerprint(tools, spec);
    const cases = Object.keys(FOREIGN).flatMap((kind) => [
      { kind, args: ["train", spec, "--workers", "1"] },
      { kind, args: ["clone", spec] },
      { kind, args: ["export", "ragen", "nano"] },
    ]);
    return [
      await rowOf("foreign folders as --out", cases, (one) => refuse(one, tools)),
      await rowOf("foreign files within a run of ours", Object.keys(FOREIGN), (kind) =>
        runBeside(kind, spec, fingerprint, tools),
      ),
      await rowOf("files as --record", RECORDS, (one) => recordTo(one, spec, tools)),
    ];
  },
};

interface Case {
  kind: string;
  args: string[];
}

/** With `--out DIR` and, in DIR, with `--out .`. */
async function refuse({ kind, args }: Case, tools: Tools): Promise<string | null> {
  const folder = tools.folder("foreign");
  FOREIGN[kind]!(folder);
  const before = snapshot(folder);
  for (const [out, cwd] of [
    [folder, "/"],
    [".", folder],
  ] as const) {
    const end = await tools.turnbook([...args, "--out", out], { cwd });
    const wrong = notRefused(end) ?? (snapshot(folder) === before ? null : "something was touched");
    if (wrong !== null) return `${args[0]}, ${kind}: ${wrong}`;
  }
  return null;
}

function notRefused({
  code,
  stdout,
  stderr,
}: {
  code: number | null;
  stdout: string;
  stderr: string;
}) {
  const lines = stderr.trim().split("\n");
  const isRight = code === 2 && stdout === "" && lines.length === 1 && lines[0] !== "";
  return isRight ? null : `exit code ${code}, said ${stderr.slice(0, 300)}`;
}

/** A killed run whose folder also holds what is not its own: it ends right, and that stays. */
async function runBeside(
  kind: string,
  spec: string,
  fingerprint: string,
  tools: Tools,
): Promise<string | null> {
  const out = join(tools.folder("ours"), "run");
  await killed(trainArgs(spec, out), { operation: 30 });
  const beside = join(out, "beside");
  mkdirSync(beside);
  FOREIGN[kind]!(beside);
  mkdirSync(join(out, "checkpoints", "llama"), { recursive: true });
  writeFileSync(join(out, "checkpoints", "llama", "model.bin"), "w");
  // Begun again without a checkpoint, too.
  if (kind.length % 2 === 0)
    for (const name of ["checkpoint.zip", "checkpoint-previous.zip"])
      rmSync(join(out, name), { force: true });
  const before = [snapshot(beside), snapshot(join(out, "checkpoints", "llama"))];
  const wrong = wrongEnd(await tools.turnbook(trainArgs(spec, out)), fingerprint, true);
  const after = [snapshot(beside), snapshot(join(out, "checkpoints", "llama"))];
  return wrong ?? (after.join() === before.join() ? null : `${kind}: something was touched`);
}

interface RecordCase {
  what: string;
  place: (folder: string) => string;
  more: string[];
}

const mine = (folder: string) => {
  writeFileSync(join(folder, "mine.jsonl"), "mine");
  return join(folder, "mine.jsonl");
};
const link = (to: (folder: string) => string) => (folder: string) => {
  symlinkSync(to(folder), join(folder, "link.jsonl"));
  return join(folder, "link.jsonl");
};

/** Each is refused, and nothing is touched. */
const RECORDS: RecordCase[] = [
  { what: "a file", place: mine, more: [] },
  { what: "a file, the command refused", place: mine, more: ["--force", "--iterations", "0"] },
  { what: "a file, the folder refused", place: mine, more: ["--force", "--out", "/"] },
  { what: "a folder", place: (folder) => folder, more: ["--force"] },
  { what: "a link to a file", place: link(mine), more: [] },
  { what: "a link to nothing", place: link(() => "/nowhere/at/all"), more: ["--force"] },
  { what: "below a file", place: (folder) => join(mine(folder), "run.jsonl"), more: [] },
  { what: "a device", place: () => "/dev/null", more: ["--force"] },
  { what: "no name", place: () => "", more: [] },
];

async function recordTo({ what, place, more }: RecordCase, spec: string, tools: Tools) {
  const folder = tools.folder("record");
  const file = place(folder);
  const before = snapshot(folder);
  const end = await tools.turnbook(["train", spec, "--workers", "1", "--record", file, ...more]);
  const isTouched = snapshot(folder) !== before;
  // Where no folder can be made is seen when the recording begins, after the engine is named.
  const lines = end.stderr
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("engine "));
  if (end.code !== 2 || lines.length !== 1) return `${what}: exit code ${end.code}: ${end.stderr}`;
  return isTouched ? `${what}: something was touched` : null;
}
