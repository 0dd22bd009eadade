/**
 * Many episodes in lockstep: every turn is one batched generation over the running episodes, one
 * decode step per token with a KV cache. Draws are keyed by (seed, stream, iteration, trajectory,
 * token index), so neither the batch's composition nor its order changes an episode.
 */
import type { DecodeSession, EngineModel, GenerateResult } from "../engine/engine.ts";
import type { Environment, StepResult } from "../env/environment.ts";
import { greatest } from "../numeric/lists.ts";
import { chanceOf } from "../numeric/rng.ts";
import { gated, type Sliced } from "../numeric/sliced.ts";
import { InputError } from "../numeric/inputError.ts";
import type { TurnInfo, World } from "./world.ts";

/** One start state; trajectories of equal name form a group. */
export interface Task {
  name: string;
  seed: number;
}

export interface EpisodeTurn {
  observation: string;
  queryIds: number[];
  /** As sampled, including the stop token; never re-tokenised. */
  responseIds: number[];
  /** The sampler's own log-probs of the response. */
  sampledLogprob: number[];
  /** The response in a form for people. */
  text: string;
  actions: string[];
  /** Unscaled, including the format penalty. */
  reward: number;
  formatPenalty: number;
  /** Whether the response was a possible action. */
  valid: boolean;
  /** Events of the turn, by metric name. */
  marks: Readonly<Record<string, boolean>>;
  /** What is true of the turn, by metric name; absent: nothing is judged. */
  turnMarks?: Readonly<Record<string, boolean>>;
  /** The environment's random seed; absent if it is deterministic. */
  chance?: number;
}

export interface Episode {
  trajectory: number;
  task: Task;
  turns: EpisodeTurn[];
  terminated: boolean;
  truncated: boolean;
  success: boolean;
  finalObservation: string;
  /** The query that would have come next; its last token is the state-end for a bootstrap value. */
  finalQueryIds: number[];
}

/** The state before one of an episode's turns: everything needed to continue from there. */
export interface SavedTurn {
  /** Number of turns played before. */
  turn: number;
  /** The environment's snapshot. */
  snapshot: unknown;
  observation: string;
  info: TurnInfo;
  /** The query of this turn. */
  queryIds: number[];
  /** Everything before it, queries and responses: visible in full context. */
  historyIds: number[];
}

export interface RolloutRequest<Info extends TurnInfo = TurnInfo> {
  model: EngineModel;
  world: World<Info>;
  /** One per trajectory. [B] */
  tasks: Task[];
  /** Start state of each trajectory; absent: its task's reset. [B] */
  from?: SavedTurn[];
  context: "full" | "turn";
  sampling: { temperature: number; topK: number; topP: number; maxTokensPerTurn: number };
  /** The draws of trajectory i have number `first` (default 0) + i, or are given by `numbers`. [B] */
  key: {
    seed: number;
    stream: string;
    iteration: number;
    first?: number;
    numbers?: readonly number[];
  };
  /** Called after each turn with the number of episodes still running. */
  onTurn?: (running: number) => void;
  /** Awaited before each turn; rejects to cancel. */
  gate?: () => Promise<void>;
}

/** An episode in progress. */
interface Live {
  episode: Episode;
  environment: Environment<TurnInfo>;
  observation: string;
  info: TurnInfo;
  queryIds: number[];
  /** Tokens that the cache still needs before the query. */
  missingIds: number[];
  /** Turns played, including those before a saved start. */
  turn: number;
  sampled: number;
}

/** Plays one episode per task. [B] */
export async function rollout(request: RolloutRequest): Promise<Episode[]> {
  const lives = await gated(beginAll(request), request.gate); // [B]
  const cache = openCache(request, lives);
  try {
    const { maxTurns } = request.world;
    const isRunning = ({ episode, turn }: Live) =>
      turn < maxTurns && !episode.terminated && !episode.truncated;
    for (let running = lives.filter(isRunning); running.length > 0;) {
      await request.gate?.();
      const result = await cache.generate(running);
      running.forEach((live, i) => finishTurn(request, live, result, i));
      running = lives.filter(isRunning);
      request.onTurn?.(running.length);
    }
  } finally {
    cache.dispose();
  }
  return lives.map(close);
}

/** Boards may have to be generated first, and tens of thousands of episodes started. */
function* beginAll({ world, tasks, from }: RolloutRequest): Sliced<Live[]> {
  const lives: Live[] = [];
  for (const [i, task] of tasks.entries()) {
    if (world.making) yield* world.making(task.seed);
    lives.push(begin(world, task, i, from?.[i]));
    yield;
  }
  return lives;
}

function begin(world: World, task: Task, trajectory: number, from?: SavedTurn): Live {
  const environment = world.create(task.seed);
  const { observation, info } = from ?? environment.reset(task.seed);
  if (from) environment.restore(from.snapshot);
  const episode: Episode = {
    trajectory,
    task,
    turns: [],
    terminated: false,
    truncated: false,
    success: false,
    finalObservation: observation,
    finalQueryIds: [],
  };
  const { turn, queryIds, historyIds } = from ?? {
    turn: 0,
    queryIds: world.prompter.query(observation, info, 0),
    historyIds: [],
  };
  const missingIds = historyIds;
  return { episode, environment, observation, info, queryIds, missingIds, turn, sampled: 0 };
}

/** An episode still running after the last turn counts as truncated. */
function close({ episode }: Live): Episode {
  return episode.terminated || episode.truncated ? episode : { ...episode, truncated: true };
}

/** A response, its query, and the environment's random seed if it is random. */
interface SaidResponse extends Pick<
  EpisodeTurn,
  "observation" | "queryIds" | "responseIds" | "sampledLogprob"
> {
  chance: number | undefined;
}

/** Plays a response to `info`: returns the environment's result, and the turn as an episode records it. */
export function playResponse(
  { prompter, judgesForm }: World,
  environment: Environment<TurnInfo>,
  info: TurnInfo,
  { chance, ...said }: SaidResponse,
): { step: StepResult<TurnInfo>; turn: EpisodeTurn } {
  const { responseIds } = said;
  const step = environment.step(prompter.answer(responseIds, info), chance);
  const { actions = [], formatPenalty = 0, marks = {}, turnMarks } = step.info;
  const turn = {
    ...said,
    text: prompter.display(responseIds),
    actions: [...actions],
    reward: step.reward,
    formatPenalty,
    valid: isValid(step.info, judgesForm === true),
    marks,
    ...(turnMarks && { turnMarks }),
    ...(chance !== undefined && { chance }),
  };
  return { step, turn };
}

/** As reported by the environment; if it does not report that, or form is not checked, every turn without a penalty is valid. */
function isValid({ valid, wellFormed, formatPenalty = 0 }: TurnInfo, judgesForm: boolean): boolean {
  return valid ?? (judgesForm ? wellFormed : undefined) ?? formatPenalty === 0;
}

/** Plays row i of a generation in its environment. */
function finishTurn(request: RolloutRequest, live: Live, result: GenerateResult, i: number) {
  const { world } = request;
  const { episode, environment } = live;
  const responseIds = result.ids[i]!;
  const chance = world.chancy ? chanceIn(request, live) : undefined;
  const { observation, queryIds, info } = live;
  const said = { observation, queryIds, responseIds, sampledLogprob: result.logprobs[i]!, chance };
  const { step, turn } = playResponse(world, environment, info, said);
  episode.turns.push(turn);
  live.sampled += responseIds.length;
  live.observation = step.observation;
  live.info = step.info;
  live.missingIds = [];
  live.turn += 1;
  const { observation: next, info: nextInfo } = step;
  live.queryIds = world.prompter.query(next, nextInfo, live.turn, responseIds, queryIds);
  episode.terminated = step.terminated;
  episode.truncated = step.truncated;
  episode.success = step.info.success ?? false;
  episode.finalObservation = step.observation;
  episode.finalQueryIds = live.queryIds;
}

/** The environment's draws have their own stream, with the same trajectory numbers. */
function chanceIn({ key }: RolloutRequest, { episode, turn }: Live): number {
  const { seed, stream, iteration } = key;
  const trajectory = drawerOf(key, episode.trajectory);
  return chanceOf({ seed, stream: `${stream}-chance`, iteration, trajectory, step: turn });
}

function drawerOf({ first = 0, numbers }: RolloutRequest["key"], trajectory: number): number {
  return numbers?.[trajectory] ?? first + trajectory;
}

/** The turns' keys and values, during and between turns. */
interface Cache {
  /** Samples one response for each running episode, in their order. */
  generate(running: Live[]): Promise<GenerateResult>;
  dispose(): void;
}

function openCache(request: RolloutRequest, lives: Live[]): Cache {
  return request.context === "turn" ? turnCache(request) : fullCache(request, lives);
}

/** Turn context: every turn begins with an empty cache, so it contains only the running episodes. */
function turnCache(request: RolloutRequest): Cache {
  const generate = async (running: Live[]) => {
    const batch = bucket(running.length);
    const { maxTokensPerTurn } = request.sampling;
    const limit = request.model.config.maxPositions;
    const needed = ({ queryIds }: Live) => queryIds.length + maxTokensPerTurn;
    for (const live of running)
      if (needed(live) > limit)
        overflow(
          live,
          "turn",
          limit,
          ` and ${maxTokensPerTurn} more; use a smaller sampling.maxTokensPerTurn`,
        );
    const session = request.model.decode(batch, greatest(running.map(needed)));
    try {
      return await sampleTurn(request, session, padTo(running, batch), (live) => live.queryIds);
    } finally {
      session.dispose();
    }
  };
  return { generate, dispose: () => undefined };
}

/** Full context: one cache for the whole episode; finished rows stay idle. */
function fullCache(request: RolloutRequest, lives: Live[]): Cache {
  const { maxTokensPerTurn } = request.sampling;
  const query = greatest(lives.map(({ queryIds }) => queryIds.length));
  // Later queries may be longer than the first (e.g. a reward line): half as much again is
  // reserved.
  const { maxTurns, maxQueryTokens, laterQueryTokens } = request.world;
  const longest = maxQueryTokens ?? Math.ceil(query * 1.5);
  const perTurn = (laterQueryTokens ?? longest) + maxTokensPerTurn;
  const limit = request.model.config.maxPositions;
  const needed = lives.map(
    ({ missingIds, turn }) =>
      missingIds.length + longest + maxTokensPerTurn + perTurn * (maxTurns - turn - 1),
  );
  const capacity = Math.min(limit, greatest(needed));
  const session = request.model.decode(lives.length, capacity);
  const generate = async (running: Live[]) => {
    const prompt = ({ missingIds, queryIds }: Live) => [...missingIds, ...queryIds];
    const fits = (live: Live) =>
      session.lengths[live.episode.trajectory]! + prompt(live).length + maxTokensPerTurn <=
      capacity;
    const advice = `; use context "turn" or a smaller environment.maxTurns`;
    for (const live of running) if (!fits(live)) overflow(live, "full", capacity, advice);
    const runs = new Set(running);
    const rows = lives.map((live) => (runs.has(live) ? live : null)); // [B]
    const result = await sampleTurn(request, session, rows, prompt);
    return pickRows(
      result,
      running.map(({ episode }) => episode.trajectory),
    );
  };
  return { generate, dispose: () => session.dispose() };
}

function overflow(
  { episode, queryIds }: Live,
  context: string,
  capacity: number,
  rest: string,
): never {
  throw new InputError(
    `context "${context}" has no room for trajectory ${episode.trajectory} at turn ${episode.turns.length + 1}: its ${capacity} tokens have no room for a query of ${queryIds.length}${rest}`,
  );
}

/** One generation; `rows` gives the episode of each cache row, null for idle rows. */
function sampleTurn(
  request: RolloutRequest,
  session: DecodeSession,
  rows: (Live | null)[],
  prompt: (live: Live) => number[],
): Promise<GenerateResult> {
  const { sampling, world } = request;
  const { first: _first, numbers: _numbers, ...key } = request.key;
  // Idle rows draw nothing; any number will do.
  const drawer = (live: Live | null) => drawerOf(request.key, live?.episode.trajectory ?? 0);
  return session.generate({
    prompts: rows.map((live) => (live ? prompt(live) : [])),
    maxNewTokens: sampling.maxTokensPerTurn,
    stopIds: world.prompter.stopIds,
    temperature: sampling.temperature,
    topK: sampling.topK,
    topP: sampling.topP,
    key: {
      ...key,
      trajectory: rows.map(drawer),
      step: rows.map((live) => live?.sampled ?? 0),
    },
  });
}

function pickRows({ ids, logprobs }: GenerateResult, rows: number[]): GenerateResult {
  return { ids: rows.map((row) => ids[row]!), logprobs: rows.map((row) => logprobs[row]!) };
}

function padTo(running: Live[], batch: number): (Live | null)[] {
  return Array.from({ length: batch }, (_, i) => running[i] ?? null); // [batch]
}

/** Next power of two: few batch shapes mean few plans and a bounded buffer pool. */
function bucket(n: number): number {
  return n <= 1 ? 1 : 2 ** (32 - Math.clz32(n - 1));
}
