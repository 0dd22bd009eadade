/** `play gem --env NAME`: one episode of a registered environment, one JSON line per turn. */
import type { Environment } from "../env/environment.ts";
import { listEnvironments, makeEnvironment } from "../env/registry.ts";
import { EpisodeTracking } from "../env/wrappers/episodeTracking.ts";
import { ObservationHistory, type PromptInfo } from "../env/wrappers/observationHistory.ts";
import { TimeLimit } from "../env/wrappers/timeLimit.ts";
import { InputError, show } from "../spec/inputError.ts";
import { parseArgs, type Args, type OptionSpec } from "./args.ts";
import type { Command } from "./command.ts";
import { readTurns } from "./turns.ts";

const OPTIONS: Record<string, OptionSpec> = {
  env: { type: "string" },
  seed: { type: "integer", min: 0, max: Number.MAX_SAFE_INTEGER },
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
  const turns = readTurns(args);
  const environment = wrapped(makeEnvironment(name, settings(args.list("set"))), args);
  const start = environment.reset(args.number("seed") ?? 0);
  const flags = { reward: null, terminated: false, truncated: false };
  out.json({ observation: start.observation, ...flags, info: withoutPrompt(start.info) });
  for (const text of turns) {
    const result = environment.step(text);
    out.json({ ...result, info: withoutPrompt(result.info) });
    if (result.terminated || result.truncated) break;
  }
};

/** The prompt's texts are part of the observation already. */
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

/** `--set key=value`: numbers and true or false as such, everything else as text. */
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
