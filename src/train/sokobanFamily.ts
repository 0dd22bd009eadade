/** Sokoban as a task family: worlds, levels and the solver's demonstrations. */
import type { Environment } from "../env/environment.ts";
import { renderBoard, type Board } from "../env/sokoban/board.ts";
import { generateLevel } from "../env/sokoban/generate.ts";
import { sokobanPotential } from "../env/sokoban/potential.ts";
import { SokobanEnv, type SokobanInfo, type SokobanOptions } from "../env/sokoban/sokobanEnv.ts";
import { solveActions } from "../env/sokoban/solver.ts";
import type { World } from "../rollout/world.ts";
import type { SokobanSpec } from "../spec/experiment.ts";
import { modelPresets } from "../spec/models.ts";
import { sokobanTokenizerFiles } from "../text/domainVocabulary.ts";
import type { PlainAdapter } from "../text/promptAdapter.ts";
import { LevelSeeds } from "./levels.ts";
import type { Demonstration, TaskFamily } from "./world.ts";

/** The task family of a spec's environment, seen through a prompter. */
export function sokobanFamily(environment: SokobanSpec, prompter: PlainAdapter): TaskFamily {
  const options: SokobanOptions = {
    size: [environment.rows, environment.columns],
    boxes: environment.boxes,
    searchDepth: environment.searchDepth,
    maxActionsPerTurn: environment.maxActionsPerTurn,
    maxActions: environment.maxActions,
    maxTurns: environment.maxTurns,
    formatPenalty: environment.formatPenalty,
    think: false,
  };
  const boardOf = cached((seed: number) => generateLevel(seed, options).board);
  const world: World<SokobanInfo> = {
    create: (seed) => new SokobanEnv({ ...options, level: boardOf(seed) }),
    prompter,
    maxTurns: environment.maxTurns,
  };
  const potentialOf = sokobanPotential(options.maxActions);
  const potential = (game: Environment) => potentialOf((game as SokobanEnv).board);
  return {
    name: "sokoban",
    world,
    levels: new LevelSeeds((seed) => renderBoard(boardOf(seed))),
    demonstrate: (seed) => demonstrate(boardOf(seed), seed, options, prompter),
    gain: { kind: "potential", of: potential },
    potential,
    vocabSize: modelPresets.nano.vocabSize,
    tokenizerFiles: sokobanTokenizerFiles,
  };
}

/** The solver's moves cut into turns, or null where they do not fit the episode. */
function demonstrate(
  board: Board,
  seed: number,
  { maxActionsPerTurn, maxActions, maxTurns }: SokobanOptions,
  prompter: PlainAdapter,
): Demonstration | null {
  const actions = solveActions(board);
  if (!actions || actions.length === 0 || actions.length > maxActions) return null;
  const turns = Math.ceil(actions.length / maxActionsPerTurn);
  if (turns > maxTurns) return null;
  const responses = Array.from({ length: turns }, (_, h) =>
    prompter.respond(actions.slice(h * maxActionsPerTurn, (h + 1) * maxActionsPerTurn)),
  );
  return { seed, responses };
}

/** Levels kept by seed: the algorithms of an experiment play the same ones, groups play each many times. */
const MOST_CACHED = 4096;

function cached(make: (seed: number) => Board): (seed: number) => Board {
  const boards = new Map<number, Board>();
  return (seed) => {
    const known = boards.get(seed);
    if (known) return known;
    const board = make(seed);
    // Oldest first: a run walks through its seeds and seldom comes back.
    if (boards.size >= MOST_CACHED) boards.delete(boards.keys().next().value!);
    boards.set(seed, board);
    return board;
  };
}
