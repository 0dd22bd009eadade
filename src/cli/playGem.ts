/** `play gem --env NAME`: one episode of a registered environment, or several in lockstep, one JSON line per turn. */
import type { Environment, StepResult } from "../env/environment.ts";
import { listEnvironments, makeEnvironment } from "../env/registry.ts";
import { EpisodeTracking } from "../env/wrappers/episodeTracking.ts";
import { ObservationHistory, type PromptInfo } from "../env/wrappers/observationHistory.ts";
import { TimeLimit } from "../env/wrappers/timeLimit.ts";
import { VectorEnvironment } from "../env/vectorEnvironment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { parseArgs, type Args, type OptionSpec } from "./args.ts";
import type { Command, Output } from "./command.ts";
import { readTurns } from "./turns.ts";

const OPTIONS: Record<string, OptionSpec> = {
  env: { type: "string" },
  seed: { type: "integer", min: 0, max: Number.MAX_SAFE_INTEGER },
  /** GEM's num_envs. */
  envs: { type: "integer", min: 1, max: 1024 },
  actions: { type: "string" },
  set: { type: "string", repeat: true },
  "max-turns": { type: "integer", min: 1, max: Number.MAX_SAFE_INTEGER },
  /** GEM's names of its wrappers. */
  observation: { type: "string", choices: ["last", "concat", "concat_with_action"] },
};

export const playGemCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, OPTIONS);
  const [word] = args.words;
  if (word !== undefined) throw new InputError(`play gem takes no argument ${show(word)}`);
  const name = args.string("env");
  if (name === undefined) {
    const names = listEnvironments().map((entry) => entry.name);
    throw new InputError(`option --env is missing; allowed: ${names.join(", ")}`);
  }
  const make = () => wrapped(makeEnvironment(name, settings(args.list("set"))), args);
  const [seed, envs] = [args.number("seed") ?? 0, args.number("envs")];
  if (envs === undefined) playOne(make(), seed, readTurns(args), out);
  else playMany(Array.from({ length: envs }, make), seed, readTurns(args), out);
};

const START = { reward: null, terminated: false, truncated: false };

const shown = ({ info, ...result }: StepResult<object>) => ({
  ...result,
  info: withoutPrompt(info),
});

function playOne(
  environment: Environment<object>,
  seed: number,
  turns: readonly string[],
  out: Output,
): void {
  const { observation, info } = environment.reset(seed);
  out.json({ observation, ...START, info: withoutPrompt(info) });
  for (const text of turns) {
    const result = environment.step(text);
    out.json(shown(result));
    if (result.terminated || result.truncated) break;
  }
}

/** In lockstep, from consecutive seeds. An environment whose episode has ended waits for the others. */
function playMany(
  rows: readonly Environment<object>[],
  seed: number,
  lines: readonly string[],
  out: Output,
): void {
  const turns = lines.map((line, i) => turnsIn(line, i, rows.length));
  const all = new VectorEnvironment(rows);
  all.reset(seed).forEach(({ observation, info }, env) => {
    out.json({ env, observation, ...START, info: withoutPrompt(info) });
  });
  for (const texts of turns) {
    const { active } = all;
    if (active.length === 0) break;
    const results = all.step(texts.map((text, env) => (active.includes(env) ? text : null)));
    results.forEach((result, env) => {
      if (result) out.json({ env, ...shown(result) });
    });
  }
}

/** A line of `--actions` with several environments: a JSON list with a text for each, or null to wait. */
function turnsIn(line: string, i: number, envs: number): (string | null)[] {
  const list = listIn(line);
  const isOfTexts = list?.every((text) => text === null || typeof text === "string");
  if (list?.length === envs && isOfTexts) return list as (string | null)[];
  throw new InputError(
    `line ${i + 1} of --actions is ${show(line)}; with --envs ${envs} it must be a JSON list of ${envs} texts or nulls`,
  );
}

function listIn(line: string): unknown[] | null {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
}

/** The prompt texts are already part of the observation. */
function withoutPrompt(info: PromptInfo): object {
  return { ...info, prefix: undefined, suffix: undefined };
}

/** Time limit, then what is shown, then the tracking, outermost, as in GEM. */
function wrapped(environment: Environment<object>, args: Args): Environment<object> {
  const maxTurns = args.number("max-turns");
  const limited = maxTurns === undefined ? environment : new TimeLimit(environment, maxTurns);
  const observation = args.string("observation") ?? "last";
  const history =
    observation === "last"
      ? { actions: false, turns: 0 }
      : { actions: observation === "concat_with_action" };
  return new EpisodeTracking(new ObservationHistory(limited, history));
}

/** `--set key=value`: numbers and true or false are converted, everything else is a string. */
function settings(list: string[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map((text) => {
      const eq = text.indexOf("=");
      if (eq < 1)
        throw new InputError(`option --set is ${show(text)}; it must look like key=value`);
      return [text.slice(0, eq), valueOf(text.slice(eq + 1))];
    }),
  );
}

function valueOf(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
}
