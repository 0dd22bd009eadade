/** Sokoban as a task family: worlds, levels and the solver's demonstrations. */
import type { Environment } from "../env/environment.ts";
import { renderBoard, type Action, type Board } from "../env/sokoban/board.ts";
import {
  SOKOBAN_DEFAULTS,
  SokobanEnv,
  type SokobanInfo,
  type SokobanOptions,
} from "../env/sokoban/sokobanEnv.ts";
import { solving, sokobanPotential } from "../env/sokoban/solver.ts";
import { type Sliced, runWhole } from "../numeric/sliced.ts";
import type { World } from "../rollout/world.ts";
import type { SokobanSpec } from "../spec/experiment.ts";
import { modelPresets } from "../spec/models.ts";
import { sokobanTokenizerFiles } from "../text/domainVocabulary.ts";
import type { SokobanAdapter } from "../text/compactSokoban.ts";
import { LevelSeeds } from "./levels.ts";
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

/** The task family of a spec's environment, with a prompter. */
export function sokobanFamily(environment: SokobanSpec, prompter: SokobanAdapter): TaskFamily {
  const options: SokobanOptions = {
    size: [environment.rows, environment.columns],
    boxes: environment.boxes,
    searchDepth: environment.searchDepth,
    maxActionsPerTurn: environment.maxActionsPerTurn,
    minActionsPerTurn: environment.minActionsPerTurn ?? SOKOBAN_DEFAULTS.minActionsPerTurn,
    maxActions: environment.maxActions,
    maxTurns: environment.maxTurns,
    formatPenalty: environment.formatPenalty,
    think: environment.think ?? false,
    judgeThoughts: false,
    stepCost: environment.stepCost ?? SOKOBAN_DEFAULTS.stepCost,
    successBonus: environment.successBonus ?? SOKOBAN_DEFAULTS.successBonus,
    slip: environment.slip ?? 0,
    observationNoise: environment.observationNoise ?? 0,
  };
  const chancy = options.slip > 0 || options.observationNoise > 0;
  const store = new LevelStore(options);
  const world: World<SokobanInfo> = {
    create: (seed) => new SokobanEnv({ ...options, level: store.get(seed) }),
    making: (seed) => store.making(seed),
    prompter,
    maxTurns: environment.maxTurns,
    ...(chancy && { chancy }),
  };
  const potentialOf = sokobanPotential(options.maxActions);
  const potential = (game: Environment) => potentialOf((game as SokobanEnv).board);
  return {
    name: "sokoban",
    world,
    levels: new LevelSeeds({
      boardOf: (seed) => renderBoard(store.get(seed)),
      making: (seed) => store.making(seed),
      keep: (seed) => store.keep(seed),
    }),
    demonstrate: (seed) =>
      options.slip > 0
        ? demonstrateTurnByTurn(world, seed, options, prompter)
        : demonstrate(store, seed, options, prompter),
    gain: { kind: "potential", of: potential },
    potential,
    bestRefused: whyNotExact(options),
    vocabSize: modelPresets.nano.vocabSize,
    tokenizerFiles: sokobanTokenizerFiles,
  };
}

/** The solver's moves split into turns, or null if they do not fit the episode. */
function* demonstrate(
  store: LevelStore,
  seed: number,
  { minActionsPerTurn, maxActionsPerTurn, maxActions, maxTurns }: SokobanOptions,
  prompter: SokobanAdapter,
): Sliced<Demonstration | null> {
  const actions = yield* solving(yield* store.making(seed));
  if (!actions || actions.length === 0 || actions.length > maxActions) return null;
  const turns = Math.ceil(actions.length / maxActionsPerTurn);
  if (turns > maxTurns) return null;
  const responses = Array.from({ length: turns }, (_, h) =>
    prompter.planned(
      wellFormed(actions.slice(h * maxActionsPerTurn), minActionsPerTurn),
      maxActionsPerTurn,
    ),
  );
  return { seed, responses };
}

/** Repeats the last move if a turn needs more: moves after the solution are not played. */
function wellFormed(plan: readonly Action[], least: number): Action[] {
  const missing = Math.max(0, least - plan.length);
  return [...plan, ...Array<Action>(missing).fill(plan.at(-1)!)];
}

/** If moves can slip, the solver replans before each turn; null if it does not finish within the limits. */
function* demonstrateTurnByTurn(
  { create }: World<SokobanInfo>,
  seed: number,
  { minActionsPerTurn, maxActionsPerTurn }: SokobanOptions,
  prompter: SokobanAdapter,
): Sliced<Demonstration | null> {
  const game = create(seed) as SokobanEnv;
  game.reset(seed);
  const responses: number[][] = [];
  for (;;) {
    const actions = yield* solving(game.board);
    if (!actions || actions.length === 0) return null;
    const plan = wellFormed(actions, minActionsPerTurn);
    const response = prompter.planned(plan, maxActionsPerTurn);
    responses.push(response);
    const { terminated, truncated } = game.step(prompter.answer(response));
    if (terminated) return { seed, responses };
    if (truncated) return null;
  }
}
