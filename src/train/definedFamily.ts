/** A task family whose rewards or whose expert are user definitions. */
import type { Environment, ResetResult, StepResult } from "../env/environment.ts";
import { parseResponse } from "../env/sokoban/parseResponse.ts";
import type { Sliced } from "../numeric/sliced.ts";
import type { DefinedCode, DefinedCodes, ExpertInput, RewardInput } from "../record/definitions.ts";
import type { TurnInfo, World } from "../rollout/world.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { definedCode } from "./definitions.ts";
import { remembering } from "./ownPrompt.ts";
import type { Demonstration, TaskFamily } from "./world.ts";

export function withDefinitions(
  family: TaskFamily,
  { environment, clone }: ExperimentSpec,
  definitions: DefinedCodes | null,
): TaskFamily {
  const { reward, prompt } = environment;
  const native = reward === undefined ? family : withReward(family, codeOf("reward", reward));
  const paid = prompt === undefined ? native : withMemory(native);
  if (clone.expert === undefined) return paid;
  const code = codeOf("expert", clone.expert);
  // The expert plays by the environment's own rewards: they do not change its responses.
  return { ...paid, demonstrate: (seed) => demonstrateByCode(family.world, code, seed) };

  function codeOf(kind: "reward" | "expert", name: string): DefinedCode {
    return definedCode(definitions, { kind, name });
  }
}

/** The best player's value is for the environment's own rewards: for others it is unknown. */
function withReward(family: TaskFamily, code: DefinedCode): TaskFamily {
  const { best: _, bestAfter: __, ...world } = family.world;
  return {
    ...family,
    world: {
      ...world,
      best: () => NaN,
      create: (seed) => rewarded(family.world.create(seed), code),
    },
  };
}

/** Code that writes prompts is told what was played before. */
function withMemory(family: TaskFamily): TaskFamily {
  const create = (seed: number) => remembering(family.world.create(seed));
  return { ...family, world: { ...family.world, create } };
}

/** The same environment with turns rewarded by code; the class stays the same, so that experts and pictures recognise it. */
function rewarded(game: Environment<TurnInfo>, code: DefinedCode): Environment<TurnInfo> {
  let observation = "";
  const reset = game.reset.bind(game);
  const step = game.step.bind(game);
  const snapshot = game.snapshot.bind(game);
  const restore = game.restore.bind(game);
  const seen = <R extends ResetResult<TurnInfo>>(result: R): R => {
    observation = result.observation;
    return result;
  };
  return Object.assign(game, {
    reset: (seed: number) => seen(reset(seed)),
    step: (text: string, chance?: number) => {
      const before = observation;
      const played = step(text, chance);
      return seen({ ...played, reward: payOf(code, before, text, played) });
    },
    snapshot: () => ({ ...(snapshot() as object), before: observation }),
    restore: (saved: unknown) => {
      const { before, ...inner } = saved as { before: string };
      restore(inner);
      observation = before;
    },
  });
}

/** One number, or one per action, which are summed. */
function payOf(
  code: DefinedCode,
  observation: string,
  response: string,
  { reward, terminated, truncated, info, observation: next }: StepResult<TurnInfo>,
): number {
  const { actions = [], formatPenalty = 0, success = false } = info;
  const paid = code.call("reward", {
    observation,
    response,
    actions,
    reward,
    formatPenalty,
    done: terminated || truncated,
    terminated,
    truncated,
    success,
    next,
    info,
  } satisfies RewardInput);
  if (typeof paid === "number" && Number.isFinite(paid)) return paid;
  if (paid instanceof Float64Array && paid.every(Number.isFinite))
    return paid.reduce((sum, x) => sum + x, 0);
  throw new InputError(
    `${code.name}: reward returned ${show(paid)}; it must be a finite number, or a list of them`,
  );
}

/** The expert's responses until the end of the episode; null if it gives up, or does not finish within the limits. */
function* demonstrateByCode(
  world: World,
  code: DefinedCode,
  seed: number,
): Sliced<Demonstration | null> {
  const game = world.create(seed);
  const responses: number[][] = [];
  let { observation, info } = game.reset(seed);
  for (;;) {
    const said = saidBy(code, world, game, observation, info, { seed, turn: responses.length });
    if (said.length === 0) return null;
    const response = world.prompter.respond(said, info);
    responses.push(response);
    const played = game.step(world.prompter.answer(response, info));
    if (played.terminated) return { seed, responses };
    if (played.truncated) return null;
    ({ observation, info } = played);
    yield;
  }
}

/** The actions of the expert's response: a string such as "Up || Left", or a list of names. */
function saidBy(
  code: DefinedCode,
  world: World,
  game: Environment<TurnInfo>,
  observation: string,
  info: TurnInfo,
  { seed, turn }: { seed: number; turn: number },
): string[] {
  const actions = world.actions?.(game) ?? (info as { actionList?: string[] }).actionList ?? [];
  const state: unknown = game.snapshot();
  const drawKey = { seed, stream: "expert", iteration: turn, trajectory: 0 };
  const said = code.call("respond", {
    observation,
    state,
    actions,
    turn,
    draw: { drawKey },
  } satisfies ExpertInput);
  if (said === null) return [];
  if (typeof said === "string")
    return parseResponse(`<answer>${said}</answer>`, false, Infinity).names;
  if (Array.isArray(said) && said.every((one) => typeof one === "string")) return said;
  throw new InputError(
    `${code.name}: respond returned ${show(said)}; it must be a text, a list of action names, or null to give up`,
  );
}
