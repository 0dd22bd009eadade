/** FrozenLake as data: cross the ice from P to G; with `slip` a step may go sideways. */
import type { EnvironmentSpec } from "../../spec/experiment.ts";
import { describe, entry, commonFields } from "../descriptor.ts";
import { gridIn, gridLabel, type Picture, type Sprite } from "../picture.ts";
import { FROZEN_LAKE_DEFAULTS, FrozenLakeEnv, RAGEN_FROZEN_LAKE } from "./frozenLakeEnv.ts";
import { DIRECTIONS, randomMap, tileAt, type LakeMap } from "./lakeMap.ts";
import { LakeOptimum, type LakeRules } from "./lakeOptimum.ts";

type FrozenLakeSpec = Extract<EnvironmentSpec, { kind: "frozenlake" }>;

/** RAGEN's maps: start and goal anywhere. */
const ENDS = "anywhere";

const SPRITES: Readonly<Record<string, readonly Sprite[]>> = {
  P: ["ice", "player"],
  _: ["ice"],
  O: ["ice", "hole"],
  G: ["ice", "goal"],
  X: ["ice", "hole", "player"],
  "√": ["ice", "goal", "player"],
};

/** A lake has a goal and no walls; all other grids here have walls. */
function picture(observation: string): Picture | null {
  const grid = gridIn(observation, Object.keys(SPRITES).join(""));
  if (!grid || !grid.rows.flat().some((c) => "G√".includes(c))) return null;
  const label = gridLabel("lake", grid.rows, [
    ["Player", "PX√"],
    ["Goal", "G√"],
    ["Hole", "OX"],
  ]);
  const rows = grid.rows.map((row) => row.map((c) => SPRITES[c]!));
  return { rows, label, notes: grid.notes };
}

/** Optimal players by map and rules: rollouts of one map reach the same states again and again. */
const optima = new Map<string, LakeOptimum>();
const MOST_OPTIMA = 256;

function optimumOf({ standing: { map }, options }: FrozenLakeEnv, gamma: number): LakeOptimum {
  const { slippery, successRate, maxActionsPerTurn } = options;
  return optimumBy(map, { successRate: slippery ? successRate : 1, maxActionsPerTurn, gamma });
}

function optimumBy(map: LakeMap, rules: LakeRules): LakeOptimum {
  const key = JSON.stringify([map, rules]);
  if (optima.size >= MOST_OPTIMA) optima.clear();
  const optimum = optima.get(key) ?? new LakeOptimum(map, rules);
  optima.set(key, optimum);
  return optimum;
}

const bestTurn = (game: FrozenLakeEnv, gamma: number) => optimumOf(game, gamma).best(game.standing);

/** The potential's factor per step, if nothing slips. */
const KEPT = 0.9;

/**
 * The best player's probability of reaching the goal. Without slipping that is the same on every
 * tile with a path to it; then
 * 0.9 to the power of the length of the shortest path, whatever the limits; 0 without one.
 */
function nearness(game: FrozenLakeEnv): number {
  if (atGoal(game)) return 1;
  if (game.options.slippery) return bestTurn(game, 1).value;
  const { map, tile } = game.standing;
  const steps = map.join("").length;
  const single = optimumBy(map, { successRate: 1, maxActionsPerTurn: 1, gamma: KEPT });
  return KEPT * single.best({ tile, actionsLeft: steps, turnsLeft: steps }).value;
}

function atGoal({ standing: { map, tile } }: FrozenLakeEnv): boolean {
  return tileAt(map, tile) === "G";
}

export const frozenLake = describe({
  kind: "frozenlake",
  title: "FrozenLake",
  registered: [
    entry({
      name: "FrozenLake-v0",
      about: "Gymnasium's FrozenLake: cross the slippery ice",
      defaults: FROZEN_LAKE_DEFAULTS,
      create: (options) => new FrozenLakeEnv(options),
    }),
    entry({
      name: "FrozenLake-v0-ragen",
      about: "the same on random maps, with RAGEN's limits",
      defaults: RAGEN_FROZEN_LAKE,
      create: (options) => new FrozenLakeEnv(options),
    }),
  ],
  fields: [
    {
      part: "world",
      path: "environment.map",
      label: "Map",
      options: [
        { value: "", label: "another one each time" },
        { value: "4x4", label: "Gymnasium's 4x4" },
        { value: "8x8", label: "Gymnasium's 8x8" },
      ],
    },
    {
      part: "world",
      path: "environment.size",
      label: "Rows and columns",
      hint: "Of a random map",
      unit: "tiles",
    },
    {
      part: "world",
      path: "environment.frozenProbability",
      label: "Ice",
      hint: "Share of tiles without a hole",
    },
    commonFields.maxTurns,
    { part: "turns", path: "environment.maxActions", label: "Steps at most", hint: "Per episode" },
    { part: "turns", path: "environment.maxActionsPerTurn", label: "Steps per turn, at most" },
    commonFields.think,
    commonFields.formatPenalty,
    {
      part: "chance",
      path: "environment.slip",
      label: "Slip",
      hint: "Share of steps that go to the side",
    },
  ],
  task: "lake",
  shownAs: "picture",
  answers: { form: "steps with || between them", example: "Right || Down" },
  picture,
  ragen: {
    tag: "TurnbookFrozenLake",
    type: "frozen_lake",
    instruction: "Cross the ice (_) from P to the goal (G) without falling into a hole (O).",
    // ragen/env/frozen_lake/config.py
    settings: {
      size: { name: "size" },
      frozenProbability: { name: "p" },
      slip: {
        name: "is_slippery",
        translate: (slip) => Number(slip) > 0,
        why: "a slippery lake goes where it should one time in three there",
      },
    },
  },
  training: {
    create: ({ map, size, frozenProbability, slip, think = false, ...limits }: FrozenLakeSpec) => {
      const { maxTurns, maxActions, maxActionsPerTurn, formatPenalty } = limits;
      return new FrozenLakeEnv({
        map: map ?? "random",
        size,
        frozenProbability,
        ends: ENDS,
        slippery: slip > 0,
        successRate: 1 - slip,
        think,
        maxTurns,
        maxActions,
        maxActionsPerTurn,
        formatPenalty,
      });
    },
    chancy: ({ slip }) => slip > 0,
    taskOf: ({ map, size, frozenProbability }, seed) =>
      map !== undefined
        ? String(seed)
        : randomMap(seed, { size, frozenProbability, ends: ENDS }).join("/"),
    words: { observation: Object.keys(SPRITES), actions: DIRECTIONS },
    compact: (observation) => observation.replaceAll("\n", ""),
    actions: () => DIRECTIONS,
    expert: (game) => bestTurn(game, 1).response,
    potential: nearness,
    best: (game, gamma) => bestTurn(game, gamma).value,
    bestAfter: (game, text, gamma) => {
      const { known, penalty } = game.read(text);
      return penalty + optimumOf(game, gamma).worth(known, game.standing);
    },
  },
});
