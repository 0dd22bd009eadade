/** `play webshop`: one shopping trip from a file of actions, one JSON line per turn. */
import type { ResetResult, StepResult } from "../env/environment.ts";
import { OBSERVATION_MODES } from "../env/webshop/render.ts";
import { WEBSHOP_DEFAULTS, WebShopEnv, type WebShopInfo } from "../env/webshop/webshopEnv.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { parseArgs, type OptionSpec } from "./args.ts";
import type { Command } from "./command.ts";
import { readTurns } from "./turns.ts";
import { CATALOGUE_OPTIONS, readCatalogue } from "./webshopData.ts";

const OPTIONS: Record<string, OptionSpec> = {
  ...CATALOGUE_OPTIONS,
  goal: { type: "integer", min: 0 },
  actions: { type: "string" },
  seed: { type: "integer", min: 0, max: Number.MAX_SAFE_INTEGER },
  observation: { type: "string", choices: OBSERVATION_MODES },
  // The number of turns left is a counter of the draws of `<r>`, of 32 bits.
  "max-turns": { type: "integer", min: 1, max: 2 ** 32 - 1 },
  "format-penalty": { type: "number" },
  "show-attributes": { type: "string", choices: ["on", "off"] },
};

export const playWebshopCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, OPTIONS);
  const [word] = args.words;
  if (word !== undefined) throw new InputError(`play webshop takes no argument ${show(word)}`);
  const goal = args.number("goal");
  if (goal === undefined) throw new InputError("option --goal I is missing");
  const turns = readTurns(args);
  const defaults = WEBSHOP_DEFAULTS;
  const env = new WebShopEnv(await readCatalogue(args, out), {
    observation:
      OBSERVATION_MODES.find((mode) => mode === args.string("observation")) ?? defaults.observation,
    maxTurns: args.number("max-turns") ?? defaults.maxTurns,
    formatPenalty: args.number("format-penalty") ?? defaults.formatPenalty,
    showAttributes: args.string("show-attributes") === "on",
  });
  out.json(startLine(env, env.resetGoal(goal, args.number("seed") ?? 0)));
  for (const text of turns) {
    const result = env.step(text);
    out.json(turnLine(result));
    if (result.terminated || result.truncated) break;
  }
};

/** With the size of the shop: mismatched files leave few goals. */
function startLine({ catalogue }: WebShopEnv, { observation, info }: ResetResult<WebShopInfo>) {
  const { goal, available, turnsLeft } = info;
  const [products, goals] = [catalogue.products.length, catalogue.goals.length];
  const flags = { reward: null, terminated: false, truncated: false };
  return { observation, ...flags, info: { goal, turnsLeft, goals, products }, available };
}

function turnLine({ observation, reward, terminated, truncated, info }: StepResult<WebShopInfo>) {
  const { available, ...rest } = info;
  return { observation, reward, terminated, truncated, info: rest, available };
}
