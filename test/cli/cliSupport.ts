/** Runs commands in this process, and a spec that trains in about a second. */
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
