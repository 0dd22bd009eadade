/**
 * A preset's game as its policy or the solver plays it: to read aloud (`play sokoban --preset`), or
 * token by token (`tokens`).
 */
import type { Episode, EpisodeTurn } from "../rollout/rollout.ts";
import { playResponse, rollout } from "../rollout/rollout.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError } from "../numeric/inputError.ts";
import { runWhole } from "../numeric/sliced.ts";
import { tokenRow } from "../text/tokenRow.ts";
import { createFirst } from "../model/firstModel.ts";
import { prepareToAsk, taskFamilyOf } from "../train/warmStart.ts";
import { parseArgs, type Args, type OptionSpec } from "./args.ts";
import type { Command, Output } from "./command.ts";
import { MODEL_OPTION, runFolderHost } from "./modelFolder.ts";
import { nodeHost } from "./nodeHost.ts";
import { openTrainEngine, specIn, TRAIN_OPTIONS } from "./trainOptions.ts";

const OPTIONS: Record<string, OptionSpec> = {
  preset: { type: "string" },
  policy: { type: "string", choices: ["start", "solver"] },
  seed: { type: "integer", min: 0 },
  temperature: { type: "number", min: 0 },
  workers: TRAIN_OPTIONS.workers,
  ...MODEL_OPTION,
};

/** `play sokoban --preset NAME --policy start|solver`: every turn's board and response, and how it ended. */
export const playSpoken: Command = async (argv, out) => {
  const episode = await episodeOf(parseArgs(argv, OPTIONS), out);
  const say = (line: string) => (out.text ?? out.json)(line);
  for (const [h, { observation, text, reward, turnMarks }] of episode.turns.entries()) {
    say(`Turn ${h + 1}\n${observation}\n${text}`);
    const marks = Object.entries(turnMarks ?? {}).map(
      ([name, is]) => `${name} ${is ? "yes" : "no"}`,
    );
    say(`Reward ${Math.round(reward * 1e6) / 1e6}${marks.map((mark) => `, ${mark}`).join("")}\n`);
  }
  say(`${episode.finalObservation}\n${endOf(episode)} after ${episode.turns.length} turns`);
};

function endOf({ success, terminated }: Episode): string {
  return success ? "Solved" : terminated ? "Ended" : "Not solved";
}

/** `tokens --preset NAME [--turn T]`: every token of an episode, with its id, piece, mask and turn. */
export const tokensCommand: Command = async (argv, out) => {
  const args = parseArgs(argv, { ...OPTIONS, turn: { type: "integer", min: 1 } });
  const spec = specOf(args);
  const { turns } = await episodeOf(args, out);
  const only = args.number("turn");
  if (only !== undefined && only > turns.length)
    throw new InputError(`option --turn is ${only}; the episode has ${turns.length} turns`);
  const row = tokenRow(turns, spec.context);
  const { tokenText } = taskFamilyOf(spec).world.prompter;
  const starts = turnStarts(turns);
  row.ids.forEach((id, at) => {
    const turn = starts.findLastIndex((start) => start <= at) + 1;
    if (only !== undefined && turn !== only) return;
    const trained = row.responseMask[at] === 1;
    out.json({ at, turn, id, piece: tokenText(id), trained, position: row.position[at] });
  });
};

/** Index of the first token of each turn's query. */
function turnStarts(turns: readonly EpisodeTurn[]): number[] {
  let at = 0;
  return turns.map(({ queryIds, responseIds }) => {
    const start = at;
    at += queryIds.length + responseIds.length;
    return start;
  });
}

function specOf(args: Args): ExperimentSpec {
  const preset = args.string("preset");
  if (preset === undefined) throw new InputError("option --preset NAME is missing");
  return specIn(preset);
}

async function episodeOf(args: Args, out: Output): Promise<Episode> {
  const spec = specOf(args);
  const seed = args.number("seed") ?? 1;
  return args.string("policy") === "solver"
    ? solverEpisode(spec, seed)
    : startEpisode(spec, seed, args, out);
}

/** Played by the weights that training starts from. */
async function startEpisode(
  spec: ExperimentSpec,
  seed: number,
  args: Args,
  out: Output,
): Promise<Episode> {
  const model = await runFolderHost(spec, args);
  const engine = await openTrainEngine(spec, args, out);
  try {
    const prepared = await prepareToAsk(spec, { ...nodeHost(engine, out), ...model });
    const { family, config } = prepared;
    const policy = await createFirst(engine, config, prepared, "none");
    const temperature = args.number("temperature") ?? spec.evaluation.temperature;
    const [episode] = await rollout({
      model: policy,
      world: family.world,
      tasks: [{ name: `${family.name}:${seed}`, seed }],
      context: spec.context,
      sampling: { ...spec.sampling, temperature },
      key: { seed: spec.seed, stream: "play", iteration: 0 },
    });
    return episode!;
  } finally {
    engine.dispose();
  }
}

/** The solver's demonstration, as it is cloned. */
function solverEpisode(spec: ExperimentSpec, seed: number): Episode {
  const family = taskFamilyOf(spec);
  const { world } = family;
  const demonstration = runWhole(family.demonstrate(seed));
  if (!demonstration)
    throw new InputError(`option --seed is ${seed}; the solver does not finish its level in time`);
  const environment = world.create(seed);
  let { observation, info } = environment.reset(seed);
  const turns: EpisodeTurn[] = [];
  let last = { terminated: false, truncated: false };
  for (const [h, responseIds] of demonstration.responses.entries()) {
    const { responseIds: before, queryIds: asked } = turns.at(-1) ?? {};
    const queryIds = world.prompter.query(observation, info, h, before, asked);
    const sampledLogprob = responseIds.map(() => 0);
    const said = { observation, queryIds, responseIds, sampledLogprob, chance: undefined };
    const { step, turn } = playResponse(world, environment, info, said);
    turns.push(turn);
    ({ observation, info } = step);
    last = step;
  }
  return {
    trajectory: 0,
    task: { name: `${family.name}:${seed}`, seed },
    turns,
    ...last,
    success: info.success ?? false,
    finalObservation: observation,
    finalQueryIds: [],
  };
}
