/** Small runs, killed runs, and what a folder holds: for the areas that attack run folders. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Finished, Tools } from "./area.ts";

const hostile = import.meta.dirname;
const launcher = join(hostile, "..", "..", "src", "cli", "turnbook.mjs");

/** Two methods of that many iterations; a run takes about a second. */
export function writeSpec(file: string, iterations: number): string {
  const spec = {
    preset: "nano",
    algorithms: [
      { name: "grpo", set: {} },
      { name: "turn-ppo", set: {} },
    ],
    environment: { maxTurns: 2 },
    optimisation: { iterations, tasksPerIteration: 2, groupSize: 2, minibatch: 2, epochs: 1 },
    critic: { warmup: 0, epochs: 1 },
    evaluation: { levels: 2, every: 1 },
    engine: { backend: "wasm" },
  };
  writeFileSync(file, JSON.stringify(spec));
  return file;
}

export function trainArgs(spec: string, out: string): string[] {
  return ["train", spec, "--out", out, "--workers", "1"];
}

/** The last line of a run that ended. */
export function fingerprintOf({ stdout }: Finished): string | null {
  const last = stdout.trimEnd().split("\n").at(-1) ?? "";
  try {
    return (JSON.parse(last) as { fingerprint?: string }).fingerprint ?? null;
  } catch {
    return null;
  }
}

/** What a command said besides the ordinary. */
export function remarksOf({ stderr }: Finished): string[] {
  const lines = stderr.split("\n").filter((line) => line !== "");
  // A lock that a killed process leaves is taken over, which is said.
  return lines.filter(
    (line) => !/^(engine |\[\d|resumed after|STOPPED|took over the lock of process)/.test(line),
  );
}

/** Null where a run ended with this fingerprint, without a remark unless one is expected. */
export function wrongEnd(end: Finished, fingerprint: string, remarks = false): string | null {
  if (end.code !== 0) return `exit code ${end.code}: ${end.stderr.trim().slice(-300)}`;
  if (fingerprintOf(end) !== fingerprint) return `fingerprint ${fingerprintOf(end)}`;
  const said = remarksOf(end);
  return said.length > 0 && !remarks ? `said ${said.join(" | ")}` : null;
}

/** When to kill: after that many lines on stdout and milliseconds, or when the slowed files say STOPPED. */
export type KillAt = { lines: number; wait: number } | { operation: number };

/** Starts a command and kills it; null where it had ended before. */
export function killed(args: string[], at: KillAt): Promise<{ stderr: string } | null> {
  const slow = pathToFileURL(join(hostile, "slowFiles.mjs")).href;
  const env =
    "operation" in at
      ? { NODE_OPTIONS: `--import=${slow}`, TURNBOOK_STOP_AT: String(at.operation) }
      : {};
  const child = spawn("node", [launcher, ...args], { env: { ...process.env, ...env } });
  let [lines, stderr] = [0, ""];
  const kill = () => child.kill("SIGKILL");
  if ("lines" in at && at.lines === 0) setTimeout(kill, at.wait);
  child.stdout.on("data", (data: Buffer) => {
    const before = lines;
    lines += data.toString().split("\n").length - 1;
    if ("lines" in at && before < at.lines && lines >= at.lines) setTimeout(kill, at.wait);
  });
  child.stderr.on("data", (data: Buffer) => {
    stderr += data.toString();
    if (stderr.includes("STOPPED")) kill();
  });
  return new Promise((resolve) => {
    child.on("close", (_code, signal) => resolve(signal === "SIGKILL" ? { stderr } : null));
  });
}

/** Every entry below a folder with what it is; two of them are equal where nothing was touched. */
export function snapshot(folder: string): string {
  const lines: string[] = [];
  const visit = (path: string, name: string): void => {
    const stat = lstatSync(path);
    if (stat.isDirectory()) {
      lines.push(`${name}/`);
      for (const entry of readdirSync(path).sort()) visit(join(path, entry), `${name}/${entry}`);
    } else if (stat.isSymbolicLink()) lines.push(`${name} -> ${readlinkSync(path)}`);
    else if (stat.isFile()) lines.push(`${name} ${hashOf(readFileSync(path))} ${stat.mtimeMs}`);
    else lines.push(`${name} special`);
  };
  visit(folder, "");
  return lines.join("\n");
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The fingerprint of a spec's run that nothing breaks. */
export async function unbrokenFingerprint(tools: Tools, spec: string): Promise<string> {
  const end = await tools.turnbook(["train", spec, "--workers", "1"]);
  const fingerprint = fingerprintOf(end);
  if (fingerprint === null) throw new Error(`the unbroken run failed: ${end.stderr}`);
  return fingerprint;
}
