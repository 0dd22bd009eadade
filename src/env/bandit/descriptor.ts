/** The bandit as data: one turn, two arms, no state. The only thing to learn is which arm pays more on average. */
import type { EnvironmentSpec } from "../../spec/experiment.ts";
import { describe, entry, commonFields } from "../descriptor.ts";
import type { Picture } from "../picture.ts";
import { BANDIT_DEFAULTS, BanditEnv, PAIRS } from "./banditEnv.ts";

type BanditSpec = Extract<EnvironmentSpec, { kind: "bandit" }>;

const ARMS = Object.values(PAIRS).flatMap((pairs) => pairs.flatMap((pair) => pair.split("/")));

const OFFER = /Two arms can be pulled: (.+) and (.+)\.$/;

/** The two names offered; null for the answer to a pull. */
function offered(observation: string): [string, string] | null {
  const found = OFFER.exec(observation);
  return found && [found[1]!, found[2]!];
}

/** One lever per arm. */
function picture(observation: string): Picture | null {
  const names = offered(observation);
  if (!names) return null;
  return {
    rows: [names.map(() => ["lever"] as const)],
    label: `Two levers: ${names.join(", ")}.`,
    notes: observation,
  };
}

/** Expected rewards of the steady and of the daring arm. */
function worthOf({ options }: BanditEnv): [steady: number, daring: number] {
  return [options.steadyReward, options.daringReward * options.daringProbability];
}

function bestArm(game: BanditEnv): string {
  const [steady, daring] = worthOf(game);
  return game.standing[steady > daring ? "steady" : "daring"];
}

/** After a malformed turn, the player can still pull in the next one. */
function best(game: BanditEnv): number {
  const [steady, daring] = worthOf(game);
  return game.standing.ended ? 0 : Math.max(steady, daring);
}

function bestAfter(game: BanditEnv, text: string, gamma: number): number {
  const [steady, daring] = worthOf(game);
  const arm = game.armIn(text);
  if (arm !== undefined) return arm === game.standing.steady ? steady : daring;
  const later = game.standing.turnsLeft > 1 ? gamma * best(game) : 0;
  return game.options.formatPenalty + later;
}

export const bandit = describe({
  kind: "bandit",
  title: "Bandit",
  registered: [
    entry({
      name: "Bandit-v0",
      about: "RAGEN's bandit: guess from two names which arm pays more on average",
      defaults: BANDIT_DEFAULTS,
      create: (options) => new BanditEnv(options),
    }),
  ],
  fields: [
    { part: "reward", path: "environment.steadyReward", label: "Steady arm pays" },
    {
      part: "reward",
      path: "environment.daringReward",
      label: "Daring arm pays",
      hint: "When it pays",
    },
    commonFields.formatPenalty,
    {
      part: "chance",
      path: "environment.daringProbability",
      label: "Daring arm's luck",
      hint: "How often it pays",
    },
    commonFields.maxTurns,
  ],
  task: "game",
  shownAs: "picture",
  answers: { form: "the name of an arm", example: "Baker" },
  picture,
  // ragen/env/bandit/config.py; its arms have other names.
  ragen: {
    tag: "TurnbookBandit",
    type: "bandit",
    instruction: "Each arm pays as its name suggests. Pull the one that pays more on average.",
    settings: {
      steadyReward: { name: "lo_arm_score" },
      daringReward: { name: "hi_arm_hiscore" },
      daringProbability: { name: "hi_arm_hiscore_prob" },
    },
  },
  training: {
    create: ({ kind: _, trainLevels: __, think = false, ...options }: BanditSpec) =>
      new BanditEnv({ ...options, think }),
    chancy: () => true,
    // Arms have only their names: every game is a new random draw, and none equals a held-out one.
    taskOf: (_, seed) => String(seed),
    words: { observation: ARMS, actions: ARMS },
    compact: (observation) => offered(observation)?.join("") ?? "",
    actions: ({ names }) => names,
    expert: (game) => [bestArm(game)],
    potential: () => 0,
    best,
    bestAfter,
  },
});
