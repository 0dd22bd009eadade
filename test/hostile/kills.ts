/** Kills of `train --out`: nothing is lost but the iteration in progress, and the run ends with the unbroken fingerprint. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rowOf, type Area, type Tools } from "./area.ts";
import {
  killed,
  trainArgs,
  unbrokenFingerprint,
  writeSpec,
  wrongEnd,
  type KillAt,
} from "./runSupport.ts";

const ITERATIONS = 5;
/** Lines of a whole run: 2 of the start, and 2 methods' evaluations before and 2 lines each after every iteration. */
const LINES = 4 + 4 * ITERATIONS;
/** Operations that one checkpoint takes, by test/hostile/slowFiles.mjs. */
const OPERATIONS = 50;

interface Place {
  spec: string;
  fingerprint: string;
  tools: Tools;
}

export const kills: Area = {
  name: "kills",
  run: async (tools) => {
    const spec = writeSpec(join(tools.folder("spec"), "spec.json"), ITERATIONS);
    const place = { spec, tools, fingerprint: await unbrokenFingerprint(tools, spec) };
    const count = tools.full ? 60 : 20;
    const random = tools.random("kills");
    const anywhere = Array.from({ length: count }, (): KillAt => ({
      lines: Math.floor(random() * LINES),
      wait: Math.floor(random() * 60),
    }));
    const saving = Array.from({ length: count }, (): KillAt => ({
      operation: 1 + Math.floor(random() * OPERATIONS),
    }));
    return [
      await rowOf("killed at any moment, then resumed", anywhere, (at) => survive(at, place)),
      await rowOf("killed while a checkpoint is written", saving, (at) => survive(at, place)),
    ];
  },
};

/** The killed run keeps every iteration whose checkpoint had been written, and says nothing when it resumes. */
async function survive(at: KillAt, { spec, fingerprint, tools }: Place): Promise<string | null> {
  const out = join(tools.folder("run"), "run");
  const args = trainArgs(spec, out);
  const kill = await killed(args, at);
  const tried = JSON.stringify(at);
  if ("operation" in at && kill === null) return `${tried}: it ended before it was killed`;
  const before = logOf(out);
  const verdict = await tools.turnbook(["verify", out]);
  const end = await tools.turnbook(args);
  const wrong = wrongEnd(end, fingerprint) ?? lostEvents(before, logOf(out));
  if (wrong !== null) return `${tried}: ${wrong}`;
  // Before its first file a folder is empty, which is not a run.
  const isRun = verdict.code === 0 || (verdict.code === 2 && before.length === 0);
  return isRun ? null : `${tried}: verify said ${verdict.stdout}${verdict.stderr}`;
}

/** The chains of the log's whole lines. */
function logOf(out: string): string[] {
  const file = join(out, "events.jsonl");
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as { chain: string }).chain);
}

function lostEvents(before: string[], after: string[]): string | null {
  const at = before.findIndex((chain, i) => after[i] !== chain);
  return at < 0 ? null : `event ${at + 1} of the killed run is another in the end`;
}
