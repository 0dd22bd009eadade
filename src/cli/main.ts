/** The command line: finds the command, prints its JSON, and turns bad input into one line and exit code 2. */
import { EngineError } from "../engine/errors.ts";
import { InputError } from "../spec/inputError.ts";

/** Where a command writes; tests pass their own. */
export interface Output {
  /** One JSON value as one line on stdout. */
  json(value: unknown): void;
  /** Progress, on stderr. */
  progress(line: string): void;
}

export type Command = (argv: string[], out: Output) => Promise<void>;

/** Loaded when called, so that `play` does not wait for a tensor library. */
const commands: Record<string, () => Promise<Command>> = {
  play: async () => (await import("./play.ts")).play,
  solve: async () => (await import("./solve.ts")).solve,
  reward: async () => (await import("./reward.ts")).reward,
  search: async () => (await import("./search.ts")).search,
  baselines: async () => (await import("./baselines.ts")).baselines,
  algorithms: async () => (await import("./algorithms.ts")).algorithms,
  credit: async () => (await import("./credit.ts")).credit,
  objective: async () => (await import("./credit.ts")).objective,
  compare: async () => (await import("./compare.ts")).compare,
  oracle: async () => (await import("./oracle.ts")).oracle,
  logits: async () => (await import("./logits.ts")).logits,
  clone: async () => (await import("./clone.ts")).clone,
  train: async () => (await import("./train.ts")).train,
  doctor: async () => (await import("./doctor.ts")).doctor,
  export: async () => (await import("./export.ts")).exportSpec,
  spec: async () => (await import("./presets.ts")).spec,
  presets: async () => (await import("./presets.ts")).presets,
};

const processOutput: Output = {
  json: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
  progress: (line) => void process.stderr.write(`${line}\n`),
};

/** Runs one command line; returns the exit code: 0, 1 where the machine failed, 2 after bad input. */
export async function main(argv: string[], out: Output = processOutput): Promise<number> {
  try {
    const [name, ...rest] = argv;
    const load = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!load) {
      const names = Object.keys(commands).join(", ");
      throw new InputError(
        name === undefined
          ? `no command; commands: ${names}`
          : `unknown command "${name}"; commands: ${names}`,
      );
    }
    const command = await load();
    await command(rest, out);
    return 0;
  } catch (error) {
    if (!(error instanceof InputError || error instanceof EngineError)) throw error;
    out.progress(error.message.replace(/\s*\n\s*/g, " "));
    return error instanceof InputError ? 2 : 1;
  }
}
