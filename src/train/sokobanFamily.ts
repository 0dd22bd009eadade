/** Sokoban as a task family: worlds, levels and the solver's demonstrations. */
import type { Environment } from "../env/environment.ts";
import { move } from "../env/sokoban/dynamics.ts";
import { sayThought } from "../env/sokoban/sayThought.ts";
import { uniforms } from "../numeric/rng.ts";
import { ACTIONS, renderBoard, type Action, type Board } from "../env/sokoban/board.ts";
import {
  SOKOBAN_DEFAULTS,
  SokobanEnv,
  type SokobanInfo,
  type SokobanOptions,
} from "../env/sokoban/sokobanEnv.ts";
import { solving, sokobanPotential } from "../env/sokoban/solver.ts";
import { type Sliced, runWhole } from "../numeric/sliced.ts";
import type { World } from "../rollout/world.ts";
import type { ExperimentSpec, SokobanSpec } from "../spec/experiment.ts";
import type { DefinedCode } from "../record/definitions.ts";
import type { PlainAdapter } from "../text/promptAdapter.ts";
import type { ChatMessage } from "../text/ragenChat.ts";
import {
  compactFor,
  longestQueries,
  sokobanPrompts,
  sokobanVocabulary,
  speaks,
  type Speech,
} from "../text/sokobanPrompts.ts";
import type { Context } from "../text/tokenRow.ts";
import { LevelSeeds } from "./levels.ts";
import { limited } from "./ownPrompt.ts";
import { messageOf } from "../text/ownMessage.ts";
import { whyNotExact } from "./oracle/sokobanOptimum.ts";
import type { Demonstration, TaskFamily } from "./world.ts";
import { generating, type LevelOptions } from "../env/sokoban/generate.ts";

/** Maximum number of cached levels, in addition to those kept for good. */
const MOST_REMEMBERED = 4096;

/** Levels by seed: the algorithms of an experiment play the same ones, groups play each many times. */
class LevelStore {
  #options: LevelOptions;
  #kept = new Map<number, Board>();
  #recent = new Map<number, Board>();

  constructor(options: LevelOptions) {
    this.#options = options;
  }

  get(seed: number): Board {
    return runWhole(this.making(seed));
  }

  /** Generates the level unless it is cached. */
  *making(seed: number): Sliced<Board> {
    const known = this.#kept.get(seed) ?? this.#recent.get(seed);
    if (known) return known;
    const { board } = yield* generating(seed, this.#options);
    // Oldest first: a run walks through its seeds and seldom returns to one.
    if (this.#recent.size >= MOST_REMEMBERED)
      this.#recent.delete(this.#recent.keys().next().value!);
    this.#recent.set(seed, board);
    return board;
  }

  /** Keeps this level for good: every evaluation plays it. */
  keep(seed: number): void {
    this.#kept.set(seed, this.get(seed));
  }
}

/**
 * The task family of a spec's environment. `speech`: of models that speak; absent: the small
 * vocabulary. `prompt`: the code that writes their messages.
 */
export function sokobanFamily(
  environment: SokobanSpec,
  { context, clone }: Pick<ExperimentSpec, "context" | "clone">,
  speech?: Speech,
  prompt?: DefinedCode,
): TaskFamily {
  const options = optionsOf(environment);
  const chancy = options.slip > 0 || options.observationNoise > 0;
  const store = new LevelStore(options);
  const message = prompt && messageOf(prompt);
  const prompter = sokobanPrompts(environment, context, speech, message);
  const limits = speaks(environment)
    ? queryLimits(environment, context, speech, message)
    : undefined;
  const world: World<SokobanInfo> = {
    create: (seed) => new SokobanEnv({ ...options, level: store.get(seed) }),
    making: (seed) => store.making(seed),
    prompter:
      prompt && limits
        ? limited(prompter, prompt, limits, environment.earlierThoughts !== undefined)
        : prompter,
    maxTurns: environment.maxTurns,
    ...limits,
    ...(chancy && { chancy }),
  };
  const potentialOf = sokobanPotential(options.maxActions);
  const vocabulary = sokobanVocabulary(environment);
  const potential = (game: Environment) => potentialOf((game as SokobanEnv).board);
  return {
    name: "sokoban",
    world,
    levels: new LevelSeeds({
      boardOf: (seed) => renderBoard(store.get(seed)),
      making: (seed) => store.making(seed),
      keep: (seed) => store.keep(seed),
    }),
    demonstrate: (seed) => {
      if (speaks(environment)) {
        const answer = spokenAnswer(environment, prompter, clone, seed);
        return demonstrateTurnByTurn(world, seed, options, answer, clone.noise === 1);
      }
      const compact = compactFor(environment, context);
      const planned = (plan: readonly Action[]) => compact.planned(plan, options.maxActionsPerTurn);
      return options.slip > 0
        ? demonstrateTurnByTurn(world, seed, options, (_, plan) => planned(plan))
        : demonstrate(store, seed, options, planned);
    },
    gain: { kind: "potential", of: potential },
    potential,
    bestRefused: whyNotExact(options),
    vocabSize: speech?.tokenizer.vocabSize ?? vocabulary.size,
    tokenizerFiles: vocabulary.files,
  };
}

function optionsOf(environment: SokobanSpec): SokobanOptions {
  return {
    size: [environment.rows, environment.columns],
    boxes: environment.boxes,
    searchDepth: environment.searchDepth,
    maxActionsPerTurn: environment.maxActionsPerTurn,
    minActionsPerTurn: environment.minActionsPerTurn ?? SOKOBAN_DEFAULTS.minActionsPerTurn,
    maxActions: environment.maxActions,
    maxTurns: environment.maxTurns,
    formatPenalty: environment.formatPenalty,
    think: environment.think ?? (environment.thought ?? 0) > 0,
    judgeThoughts: (environment.thought ?? 0) > 0,
    stepCost: environment.stepCost ?? SOKOBAN_DEFAULTS.stepCost,
    successBonus: environment.successBonus ?? SOKOBAN_DEFAULTS.successBonus,
    slip: environment.slip ?? 0,
    observationNoise: environment.observationNoise ?? 0,
  };
}

/** What a chat needs room for: where it goes on, the rules come once. */
function queryLimits(
  environment: SokobanSpec,
  context: Context,
  speech?: Speech,
  message?: ChatMessage,
): Pick<World, "laterQueryTokens"> & { maxQueryTokens: number } {
  const { first, later } = longestQueries(environment, speech, message);
  const goesOn = context === "full" || environment.earlierThoughts !== undefined;
  if (goesOn) return { maxQueryTokens: first, laterQueryTokens: later };
  // Code may write more in each turn than in the one before.
  return { maxQueryTokens: message ? first + later : first };
}

/** The solver's moves split into turns, or null if they do not fit the episode. */
function* demonstrate(
  store: LevelStore,
  seed: number,
  { minActionsPerTurn, maxActionsPerTurn, maxActions, maxTurns }: SokobanOptions,
  planned: (plan: readonly Action[]) => number[],
): Sliced<Demonstration | null> {
  const actions = yield* solving(yield* store.making(seed));
  if (!actions || actions.length === 0 || actions.length > maxActions) return null;
  const turns = Math.ceil(actions.length / maxActionsPerTurn);
  if (turns > maxTurns) return null;
  const responses = Array.from({ length: turns }, (_, h) =>
    planned(wellFormed(actions.slice(h * maxActionsPerTurn), minActionsPerTurn)),
  );
  return { seed, responses };
}

/** Repeats the last move if a turn needs more: moves after the solution are not played. */
function wellFormed(plan: readonly Action[], least: number): Action[] {
  const missing = Math.max(0, least - plan.length);
  return [...plan, ...Array<Action>(missing).fill(plan.at(-1)!)];
}

/** The response to a board, given the solver's moves from there to the end; `turn` from 0. */
type SolverAnswer = (board: Board, plan: readonly Action[], turn: number) => number[];

/** The numbers that choose phrasings and slips of a turn. */
const DRAWS = 16;

/**
 * The solver speaks. With probability `misread` its thought says something false, with probability
 * `noise` it makes one random move instead that does something, which the thought then names.
 */
function spokenAnswer(
  { thought = 0, maxActionsPerTurn }: SokobanSpec,
  prompter: PlainAdapter,
  { noise = 0, misread: misreads = 0 }: ExperimentSpec["clone"],
  seed: number,
): SolverAnswer {
  return (board, plan, turn) => {
    const key = { seed, stream: "clone-thought", iteration: turn, trajectory: 0 };
    const draws = uniforms({ ...key, step: 0 }, DRAWS);
    const slips = uniforms({ ...key, step: DRAWS }, 3);
    const able = ACTIONS.filter((action) => move(board, action) !== board);
    const stray = able[Math.floor(slips[2]! * able.length)]!;
    const now = slips[1]! < noise ? [stray] : plan.slice(0, maxActionsPerTurn);
    if (thought === 0) return prompter.respond(now);
    const misread = slips[0]! < misreads;
    const told = sayThought(board, { plan, now, length: thought, misread, draws });
    return prompter.respond(now, undefined, told);
  };
}

/** Before each turn the solver plans anew; null if it does not finish within the limits, unless `anyEnd` will do. */
function* demonstrateTurnByTurn(
  { create, prompter }: World<SokobanInfo>,
  seed: number,
  { minActionsPerTurn }: SokobanOptions,
  answerTo: SolverAnswer,
  anyEnd = false,
): Sliced<Demonstration | null> {
  const game = create(seed) as SokobanEnv;
  game.reset(seed);
  const responses: number[][] = [];
  for (;;) {
    const actions = yield* solving(game.board);
    if (!actions || actions.length === 0)
      return anyEnd && responses.length > 0 ? { seed, responses } : null;
    const plan = wellFormed(actions, minActionsPerTurn);
    const response = answerTo(game.board, plan, responses.length);
    responses.push(response);
    // The chat's and the compact format's answers are the same in every state.
    const { terminated, truncated } = game.step((prompter as PlainAdapter).answer(response));
    if (terminated) return { seed, responses };
    if (truncated) return anyEnd ? { seed, responses } : null;
  }
}
