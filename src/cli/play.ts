/** `play ENVIRONMENT`: runs one episode from a file of responses, one JSON line per turn, or by a preset's policy. */
import { SOKOBAN_DEFAULTS, SokobanEnv, type SokobanInfo } from "../env/sokoban/sokobanEnv.ts";
import { generateLevel, MAX_SEED, type LevelOptions } from "../env/sokoban/generate.ts";
import type { Board } from "../env/sokoban/board.ts";
import type { ResetResult, StepResult } from "../env/environment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { parseArgs, type Args, type OptionSpec } from "./args.ts";
import type { Command } from "./command.ts";
import type { Output } from "./command.ts";
import { playGemCommand } from "./playGem.ts";
import { playWebshopCommand } from "./playWebshop.ts";
import { LEVEL_OPTIONS, readLevel } from "./sokobanLevel.ts";
import { readTurns } from "./turns.ts";

const environments = new Map<string, Command>([
  ["sokoban", playSokoban],
  ["webshop", playWebshopCommand],
  ["gem", playGemCommand],
]);

export const playCommand: Command = async (argv, out) => {
  const [name, ...rest] = argv;
  const run = environments.get(name ?? "");
  const names = [...environments.keys()].join(", ");
  if (!run) throw new InputError(`play needs an environment, not ${show(name)}; allowed: ${names}`);
  return run(rest, out);
};

const GENERATOR_OPTIONS = ["seed", "size", "boxes", "search-depth"] as const;

const SOKOBAN_OPTIONS: Record<string, OptionSpec> = {
  ...LEVEL_OPTIONS,
  actions: { type: "string" },
  seed: { type: "integer", min: 0, max: MAX_SEED },
  size: { type: "string" },
  boxes: { type: "integer", min: 1 },
  "search-depth": { type: "integer", min: 2 },
  think: { type: "string", choices: ["on", "off"] },
  "max-actions-per-turn": { type: "integer", min: 1 },
  "max-actions": { type: "integer", min: 1 },
  "max-turns": { type: "integer", min: 1 },
  "format-penalty": { type: "number" },
};

async function playSokoban(argv: string[], out: Output): Promise<number | void> {
  if (argv.includes("--preset")) return (await import("./spoken.ts")).playSpoken(argv, out);
  const args = parseArgs(argv, SOKOBAN_OPTIONS);
  if (args.words.length > 0)
    throw new InputError(`play sokoban takes no argument ${show(args.words[0])}`);
  const turns = readTurns(args);
  const level = sokobanLevel(args, out);
  const defaults = SOKOBAN_DEFAULTS;
  const env = new SokobanEnv({
    level,
    think: args.string("think") === "on",
    maxActionsPerTurn: args.number("max-actions-per-turn") ?? defaults.maxActionsPerTurn,
    maxActions: args.number("max-actions") ?? defaults.maxActions,
    maxTurns: args.number("max-turns") ?? defaults.maxTurns,
    formatPenalty: args.number("format-penalty") ?? defaults.formatPenalty,
  });
  out.json(startLine(env.reset(0)));
  for (const text of turns) {
    const result = env.step(text);
    out.json(turnLine(result));
    if (result.terminated || result.truncated) break;
  }
}

/** The level of --level, or the generated one for --seed. */
function sokobanLevel(args: Args, out: Output): Board {
  const generator = GENERATOR_OPTIONS.find((key) => args.string(key) !== undefined);
  if (args.string("level") !== undefined) {
    if (generator) throw new InputError(`option --${generator} cannot be combined with --level`);
    return readLevel(args);
  }
  if (args.string("index") !== undefined) throw new InputError("option --index needs --level");
  const seed = args.number("seed");
  if (seed === undefined) throw new InputError("play sokoban needs --level FILE.xsb or --seed N");
  const generated = generateLevel(seed, generatorOptions(args));
  if (generated.seed !== seed) {
    out.progress(
      `RAGEN cannot reproduce a level for seed ${seed}; this level is of seed ${generated.seed}`,
    );
  }
  return generated.board;
}

function generatorOptions(args: Args): LevelOptions {
  const { size, boxes, searchDepth } = SOKOBAN_DEFAULTS;
  return {
    size: sizeOf(args.string("size")) ?? size,
    boxes: args.number("boxes") ?? boxes,
    searchDepth: args.number("search-depth") ?? searchDepth,
  };
}

function sizeOf(text: string | undefined): [number, number] | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+)x(\d+)$/i.exec(text);
  if (!match) throw new InputError(`option --size is ${show(text)}; it must look like 6x6`);
  return [Number(match[1]), Number(match[2])];
}

function startLine({ observation, info }: ResetResult<SokobanInfo>) {
  const { actionsLeft } = info;
  return { observation, reward: null, terminated: false, truncated: false, info: { actionsLeft } };
}

function turnLine(result: StepResult<SokobanInfo>) {
  const { observation, reward, terminated, truncated } = result;
  const { actions, envReward, formatPenalty, success, boxesOnTarget, actionsLeft } = result.info;
  const info = { actions, envReward, formatPenalty, success, boxesOnTarget, actionsLeft };
  return { observation, reward, terminated, truncated, info };
}
