/** Runs commands in this process, and a spec that trains in about a second. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { main } from "../../src/cli/main.ts";

export interface Said {
  code: number;
  json: Record<string, unknown>[];
  progress: string[];
}

export async function turnbook(...argv: string[]): Promise<Said> {
  const json: Record<string, unknown>[] = [];
  const progress: string[] = [];
  const out = {
    json: (value: unknown) => void json.push(JSON.parse(JSON.stringify(value)) as never),
    progress: (line: string) => void progress.push(line),
  };
  return { code: await main(argv, out), json, progress };
}

const launcher = resolve(import.meta.dirname, "../../src/cli/turnbook.mjs");

/** A process of its own, killed once it says `words`; resolves with what it said, and whether it was killed. */
export function killedAt(words: string, ...argv: string[]) {
  const child = spawn("node", [launcher, ...argv]);
  let said = "";
  const hear = (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes(words)) child.kill("SIGKILL");
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  return new Promise<{ said: string; killed: boolean }>((done) =>
    child.on("close", (_code, signal) => done({ said, killed: signal === "SIGKILL" })),
  );
}

/** Two methods, so that an iteration has two units of work. */
export const tinySpec = (iterations = 3) => ({
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
});
