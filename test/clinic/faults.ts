/**
 * What the clinic plants: each kind of fault as data, drawn anew from a seed, and the healthy runs
 * on which a story is to stay silent.
 */
import { uniform } from "../../src/numeric/rng.ts";
import type { CauseName } from "../../src/reading/story/causeNames.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { mergeSpec, validateSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";

/** Length of a run with a fault, and the iterations at which one may begin. */
export const LENGTH = 24;
const ONSETS = [7, 12] as const;

/** Draws of one patient; each asks under a name of its own, so that a new one changes no other. */
export interface Draws {
  /** Log-uniform between two positive numbers, to three digits. */
  strength(name: string, low: number, high: number): number;
  whole(name: string, low: number, high: number): number;
  one<T>(name: string, items: readonly T[]): T;
}

type Planting = {
  algorithm: string;
  /** From an iteration on; absent: the fault is there from the start. */
  set?: Record<string, number>;
  /** It is over after one iteration. */
  once?: true;
  /** What the run has from its start. */
  spec?: PartialSpec;
  /** What it is without the fault; absent: the healthy run on small levels. */
  preset?: string;
};

export interface FaultKind {
  cause: CauseName;
  /** Limits may be chosen while looking at these kinds; the others are only tested. */
  fitted: boolean;
  plant(draws: Draws): Planting;
}

const PPOS = ["token-ppo", "turn-ppo"];
const GROUPED = ["grpo", "rloo"];
const ALL = [...GROUPED, ...PPOS];
/** Their advantages are as large as rewards. */
const UNDIVIDED = ["rloo", "dr-grpo"];

/** Other methods than most kinds draw from. */
const OTHERS = ["gigpo", "reinforce-pp", "dr-grpo", "bi-level-gae"];
/** Another environment, with as many episodes an iteration. */
const ON_ICE = {
  preset: "frozenlake-4x4",
  spec: { optimisation: { tasksPerIteration: 8, groupSize: 4, minibatch: 16 } },
} as const;

/** A method whose own settings are off from the start. */
const withSettings = (name: string, set: Record<string, number | string>): Planting => ({
  algorithm: name,
  spec: { algorithms: [{ name, set }] },
});

export const FAULTS = {
  "cold-groups": {
    cause: "silent-groups",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", GROUPED),
      set: { "sampling.temperature": d.strength("temperature", 0.03, 0.1) },
    }),
  },
  // As the flagship's GRPO: cheap failures count, and then groups no longer differ.
  "grpo-rate": {
    cause: "silent-groups",
    fitted: true,
    plant: (d) => ({
      algorithm: "grpo",
      set: { "optimisation.actorLr": d.strength("rate", 1e-3, 2e-3) },
    }),
  },
  "hopeless-levels": {
    cause: "too-hard",
    fitted: true,
    plant: (d) => ({
      algorithm: "grpo",
      spec: {
        environment: { boxes: 2, rows: d.whole("rows", 6, 7) },
        optimisation: { actorLr: 1e-3 },
      },
    }),
  },
  "high-rate": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: {
        "optimisation.actorLr": d.strength("rate", 5e-3, 2e-2),
        "optimisation.epochs": d.whole("epochs", 3, 5),
      },
    }),
  },
  "many-steps": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: {
        "optimisation.minibatch": 2,
        "optimisation.epochs": d.whole("epochs", 10, 16),
        "optimisation.actorLr": d.strength("rate", 1e-3, 2e-3),
      },
    }),
  },
  "low-rate": {
    cause: "small-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: { "optimisation.actorLr": d.strength("rate", 1e-8, 1e-6) },
    }),
  },
  "critic-rate": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: { "critic.lr": d.strength("rate", 0.2, 0.8) },
    }),
  },
  "critic-weight": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: { "critic.coef": d.strength("weight", 30, 100) },
      spec: { critic: { kind: "head-shared", coef: 0.5 } },
    }),
  },
  cold: {
    cause: "entropy-crash",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: { "sampling.temperature": d.strength("temperature", 0.1, 0.3) },
    }),
  },
  "entropy-bonus": {
    cause: "entropy-blow-up",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: {
        "optimisation.actorLr": 2e-3,
        "optimisation.entropyCoef": d.strength("bonus", 4, 8),
        "optimisation.epochs": 2,
      },
    }),
  },
  hot: {
    cause: "entropy-blow-up",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: { "sampling.temperature": d.strength("temperature", 2, 4) },
    }),
  },
  "room-to-ramble": {
    cause: "entropy-blow-up",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: {
        "optimisation.actorLr": 2e-3,
        "optimisation.entropyCoef": d.strength("bonus", 0.7, 1.4),
        "optimisation.epochs": 2,
      },
      spec: { sampling: { maxTokensPerTurn: 12 } },
    }),
  },
  "cut-off": {
    cause: "format-loss",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: { "sampling.maxTokensPerTurn": d.whole("tokens", 2, 3) },
    }),
  },
  "reward-scale": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: { "optimisation.rewardScale": d.strength("scale", 100, 10_000) },
    }),
  },
  "one-task": {
    cause: "low-signal",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: {
        "optimisation.tasksPerIteration": 1,
        "optimisation.groupSize": d.whole("group", 2, 4),
        "optimisation.minibatch": 2,
      },
    }),
  },
  "few-levels": {
    cause: "memorised",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: {
        environment: { trainLevels: d.whole("levels", 2, 4) },
        optimisation: { actorLr: d.strength("rate", 4e-4, 8e-4), epochs: 3 },
      },
    }),
  },
  "critic-epochs": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: {
        "critic.lr": d.strength("rate", 0.03, 0.1),
        "critic.epochs": d.whole("epochs", 10, 20),
      },
    }),
  },
  nucleus: {
    cause: "entropy-crash",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: { "sampling.topP": d.strength("mass", 0.1, 0.3) },
    }),
  },
  "greedy-groups": {
    cause: "silent-groups",
    fitted: true,
    plant: (d) => ({ algorithm: d.one("method", GROUPED), set: { "sampling.topK": 1 } }),
  },
  "tiny-gradients": {
    cause: "small-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: { "optimisation.maxGradNorm": d.strength("norm", 1e-9, 1e-8) },
    }),
  },
  "minibatch-of-one": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: {
        "optimisation.minibatch": 1,
        "optimisation.actorLr": d.strength("rate", 2e-3, 5e-3),
      },
    }),
  },
  "many-epochs": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: {
        "optimisation.epochs": d.whole("epochs", 20, 40),
        "optimisation.actorLr": d.strength("rate", 1e-3, 3e-3),
      },
    }),
  },
  "one-group": {
    cause: "low-signal",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", GROUPED),
      set: {
        "optimisation.tasksPerIteration": 1,
        "optimisation.groupSize": d.whole("group", 6, 12),
        "optimisation.minibatch": 6,
      },
    }),
  },
  "raw-pay": {
    cause: "reward-hacking",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: {
        processReward: { shaping: "raw", eta: d.strength("weight", 2, 8) },
        optimisation: { actorLr: 1e-3 },
      },
    }),
  },
  "top-one": {
    cause: "entropy-crash",
    fitted: true,
    plant: (d) => ({ algorithm: d.one("method", PPOS), set: { "sampling.topK": 1 } }),
  },
  "one-token": {
    cause: "format-loss",
    fitted: true,
    plant: (d) => ({ algorithm: d.one("method", ALL), set: { "sampling.maxTokensPerTurn": 1 } }),
  },
  "one-leap": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: { "optimisation.actorLr": d.strength("rate", 1e-2, 3e-2), "optimisation.epochs": 4 },
      once: true,
    }),
  },
  "deaf-critic": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: { critic: { lr: d.strength("rate", 1e-9, 1e-7) } },
    }),
  },
  warm: {
    cause: "entropy-blow-up",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: { "sampling.temperature": d.strength("temperature", 1.5, 1.9) },
    }),
  },
  "two-pairs": {
    cause: "low-signal",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      set: {
        "optimisation.tasksPerIteration": 2,
        "optimisation.groupSize": 2,
        "optimisation.minibatch": d.whole("minibatch", 2, 4),
      },
    }),
  },
  "hopeless-critics": {
    cause: "too-hard",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: { environment: { boxes: 2, rows: d.whole("rows", 6, 7) } },
    }),
  },
  // At these rates RLOO, which does not clip, takes steps too large before it learns anything by heart.
  "few-levels-in-groups": {
    cause: "memorised",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ["grpo", "dr-grpo"]),
      spec: {
        environment: { trainLevels: d.whole("levels", 2, 4) },
        optimisation: { actorLr: d.strength("rate", 4e-4, 8e-4), epochs: 3 },
      },
    }),
  },
  "tiny-clip": {
    cause: "small-steps",
    fitted: true,
    plant: (d) => {
      const width = d.strength("width", 1e-5, 1e-3);
      // Of those that clip.
      return withSettings(d.one("method", ["grpo", ...PPOS]), { epsLow: width, epsHigh: width });
    },
  },
  "held-tight": {
    cause: "small-steps",
    fitted: true,
    plant: (d) => withSettings(d.one("method", ALL), { betaKl: d.strength("weight", 30, 100) }),
  },
  "waits-for-critic": {
    cause: "small-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: { "critic.warmup": d.whole("warmup", 50, 200) },
    }),
  },
  "nucleus-groups": {
    cause: "silent-groups",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", GROUPED),
      set: { "sampling.topP": d.strength("mass", 0.05, 0.2) },
    }),
  },
  "group-of-one": {
    cause: "silent-groups",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", GROUPED),
      set: {
        "optimisation.groupSize": 1,
        "optimisation.tasksPerIteration": d.whole("tasks", 24, 32),
      },
    }),
  },
  "one-leap-in-groups": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", GROUPED),
      set: { "optimisation.actorLr": d.strength("rate", 1e-2, 3e-2), "optimisation.epochs": 4 },
      once: true,
    }),
  },
  "critic-leap": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: { "critic.lr": d.strength("rate", 0.3, 0.9), "critic.epochs": 8 },
      once: true,
    }),
  },
  "one-level": {
    cause: "memorised",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: {
        environment: { trainLevels: 1 },
        optimisation: { actorLr: d.strength("rate", 3e-4, 6e-4), epochs: 3 },
      },
    }),
  },
  "raw-pay-in-groups": {
    cause: "reward-hacking",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", GROUPED),
      spec: {
        processReward: { shaping: "raw", eta: d.strength("weight", 3, 9) },
        optimisation: { actorLr: 5e-4 },
      },
    }),
  },
  "two-rollouts": {
    cause: "low-signal",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      set: {
        "optimisation.tasksPerIteration": 2,
        "optimisation.groupSize": 1,
        "optimisation.minibatch": d.whole("minibatch", 1, 2),
      },
    }),
  },
  "short-sight": {
    cause: "short-sight",
    fitted: true,
    plant: (d) => withSettings(d.one("method", PPOS), { gamma: d.strength("gamma", 0.01, 0.2) }),
  },
  "blind-bootstrap": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => {
      const planted = withSettings(d.one("method", PPOS), { lambda: 0 });
      return {
        ...planted,
        spec: { ...planted.spec, critic: { lr: d.strength("rate", 0.05, 0.3) } },
      };
    },
  },
  "faint-rewards": {
    cause: "entropy-blow-up",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", UNDIVIDED),
      spec: { optimisation: { rewardScale: d.strength("scale", 1e-6, 1e-4) } },
    }),
  },
  "one-turn": {
    cause: "too-hard",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: { environment: { maxTurns: 1, maxActions: d.whole("actions", 1, 2) } },
    }),
  },
  "no-clip": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => {
      const algorithm = d.one("method", ["grpo", ...PPOS]);
      return {
        ...withSettings(algorithm, { epsLow: 1, epsHigh: 1e3, dualClip: "none" }),
        set: {
          "optimisation.epochs": d.whole("epochs", 8, 16),
          "optimisation.actorLr": d.strength("rate", 1e-3, 3e-3),
        },
      };
    },
  },
  "slow-warmup": {
    cause: "small-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: {
        optimisation: { actorLrWarmup: 1000, actorLr: d.strength("rate", 1e-5, 1e-4) },
      },
    }),
  },
  "narrow-from-start": {
    cause: "silent-groups",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", [...GROUPED, "dr-grpo"]),
      spec: { sampling: { topP: d.strength("mass", 0.02, 0.1) } },
    }),
  },
  "hot-from-start": {
    cause: "entropy-blow-up",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: { sampling: { temperature: d.strength("temperature", 2, 4) } },
    }),
  },
  "weightless-critic": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: { critic: { kind: "head-shared", coef: 0, lr: d.strength("rate", 1e-3, 1e-2) } },
    }),
  },
  "flipped-judge": {
    cause: "reward-hacking",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: {
        processReward: {
          shaping: "raw",
          eta: d.strength("weight", 2, 6),
          noise: { flip: d.strength("flip", 0.7, 1) },
        },
      },
    }),
  },
  "paid-steps": {
    cause: "reward-hacking",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: {
        environment: { stepCost: d.strength("pay", 0.5, 3) },
        optimisation: { actorLr: 5e-4 },
      },
    }),
  },
  "punished-success": {
    cause: "reward-hacking",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: {
        environment: { successBonus: -d.strength("bonus", 3, 10) },
        optimisation: { actorLr: 5e-4 },
      },
    }),
  },
  "hot-on-ice": {
    cause: "entropy-blow-up",
    fitted: true,
    plant: (d) => ({
      ...ON_ICE,
      algorithm: d.one("method", ALL),
      set: { "sampling.temperature": d.strength("temperature", 2, 4) },
    }),
  },
  "low-rate-on-ice": {
    cause: "small-steps",
    fitted: true,
    plant: (d) => ({
      ...ON_ICE,
      algorithm: d.one("method", ALL),
      set: { "optimisation.actorLr": d.strength("rate", 1e-8, 1e-6) },
    }),
  },
  "high-rate-on-ice": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      ...ON_ICE,
      algorithm: d.one("method", PPOS),
      set: {
        "optimisation.actorLr": d.strength("rate", 5e-3, 2e-2),
        "optimisation.epochs": d.whole("epochs", 3, 5),
      },
    }),
  },
  "critic-rate-on-ice": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      ...ON_ICE,
      algorithm: d.one("method", PPOS),
      set: { "critic.lr": d.strength("rate", 0.2, 0.8) },
    }),
  },
  "one-token-on-ice": {
    cause: "format-loss",
    fitted: true,
    plant: (d) => ({
      ...ON_ICE,
      algorithm: d.one("method", ALL),
      set: { "sampling.maxTokensPerTurn": 1 },
    }),
  },
  "cold-groups-on-ice": {
    cause: "silent-groups",
    fitted: true,
    plant: (d) => ({
      ...ON_ICE,
      algorithm: d.one("method", GROUPED),
      set: { "sampling.temperature": d.strength("temperature", 0.03, 0.1) },
    }),
  },
  "one-group-on-ice": {
    cause: "low-signal",
    fitted: true,
    plant: (d) => ({
      ...ON_ICE,
      algorithm: d.one("method", GROUPED),
      set: {
        "optimisation.tasksPerIteration": 1,
        "optimisation.groupSize": d.whole("group", 6, 12),
        "optimisation.minibatch": 6,
      },
    }),
  },
  "high-rate-from-start": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: {
        optimisation: {
          actorLr: d.strength("rate", 5e-3, 2e-2),
          epochs: d.whole("epochs", 3, 5),
        },
      },
    }),
  },
  "low-rate-from-start": {
    cause: "small-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: { optimisation: { actorLr: d.strength("rate", 1e-8, 1e-6) } },
    }),
  },
  "cut-off-from-start": {
    cause: "format-loss",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: {
        sampling: { maxTokensPerTurn: d.whole("tokens", 1, 2) },
        optimisation: { actorLr: d.strength("rate", 2e-4, 4e-4) },
      },
    }),
  },
  "critic-rate-from-start": {
    cause: "critic-failure",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: { critic: { lr: d.strength("rate", 0.2, 0.8) } },
    }),
  },
  "few-rollouts-from-start": {
    cause: "low-signal",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: {
        optimisation: {
          tasksPerIteration: 1,
          groupSize: d.whole("group", 2, 4),
          minibatch: 2,
          actorLr: d.strength("rate", 2e-4, 4e-4),
        },
      },
    }),
  },
  "cold-from-start": {
    cause: "entropy-crash",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", PPOS),
      spec: { sampling: { temperature: d.strength("temperature", 0.1, 0.3) } },
    }),
  },
  "leap-of-others": {
    cause: "large-steps",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", OTHERS),
      set: {
        "optimisation.actorLr": d.strength("rate", 5e-3, 2e-2),
        "optimisation.epochs": d.whole("epochs", 3, 5),
      },
    }),
  },
  "bonus-from-start": {
    cause: "entropy-blow-up",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: {
        optimisation: {
          actorLr: 2e-3,
          entropyCoef: d.strength("bonus", 4, 8),
          epochs: 2,
        },
      },
    }),
  },
  // To fail at once is cheaper than to succeed.
  "dear-steps": {
    cause: "reward-hacking",
    fitted: true,
    plant: (d) => ({
      algorithm: d.one("method", ALL),
      spec: {
        environment: { stepCost: -d.strength("cost", 4, 8) },
        optimisation: { actorLr: 5e-4 },
      },
    }),
  },
} satisfies Record<string, FaultKind>;
export type FaultName = keyof typeof FAULTS;

export interface Patient {
  /** A fault's name, or healthy. */
  kind: FaultName | "healthy";
  cause: CauseName | null;
  /** First iteration with the fault; null for a healthy run. */
  onset: number | null;
  algorithm: string;
  seed: number;
  spec: ExperimentSpec;
}

/** A patient with a fault, drawn from its seed. */
export function patientOf(kind: FaultName, seed: number): Patient {
  const draws = drawsOf(`clinic-${kind}`, seed);
  const { cause, plant }: FaultKind = FAULTS[kind];
  const { algorithm, set, spec = {}, once = false, preset = "healthy" } = plant(draws);
  const onset = set ? draws.whole("onset", ...ONSETS) : 1;
  const plants = set ? [{ at: onset, set }] : [];
  if (once) plants.push({ at: onset + 1, set: settingsOf(set!) });
  return {
    ...{ kind, cause, onset, algorithm, seed },
    spec: specOf(preset, algorithm, seed, mergeSpec(spec, set ? { plants } : {}) as PartialSpec),
  };
}

/** What a healthy run has in place of these settings. */
function settingsOf(set: Record<string, number>): Record<string, number> {
  const healthy = presetSpec("healthy") as unknown as Record<string, Record<string, number>>;
  const own = (path: string) => {
    const [room, name] = path.split(".");
    return healthy[room!]![name!]!;
  };
  return Object.fromEntries(Object.keys(set).map((path) => [path, own(path)]));
}

/** Eight methods and three environments take turns. */
const HEALTHY_METHODS = [
  ...["grpo", "token-ppo", "turn-ppo", "rloo", "gigpo", "dr-grpo", "reinforce-pp", "bi-level-gae"],
];
const HEALTHY_PRESETS = ["healthy", "frozenlake-4x4", "bandit"];

/** A run without a fault. @param index from 0 */
export function healthyPatient(index: number, seed: number): Patient {
  const algorithm = HEALTHY_METHODS[index % HEALTHY_METHODS.length]!;
  const preset = HEALTHY_PRESETS[index % HEALTHY_PRESETS.length]!;
  return {
    ...{ kind: "healthy" as const, cause: null, onset: null, algorithm, seed },
    spec: specOf(preset, algorithm, seed, {}),
  };
}

function specOf(
  preset: string,
  algorithm: string,
  seed: number,
  changes: PartialSpec,
): ExperimentSpec {
  const common = {
    algorithms: [{ name: algorithm, set: {} }],
    optimisation: { iterations: LENGTH },
    evaluation: { levels: 64, every: 4 },
    recordEpisodes: 16,
    seed,
  };
  return validateSpec(mergeSpec(mergeSpec(presetSpec(preset), common) as PartialSpec, changes));
}

function drawsOf(stream: string, seed: number): Draws {
  const draw = (name: string) =>
    uniform({ seed, stream: `${stream}-${name}`, iteration: 0, trajectory: 0, step: 0 });
  return {
    strength: (name, low, high) => Number((low * (high / low) ** draw(name)).toPrecision(3)),
    whole: (name, low, high) => low + Math.floor(draw(name) * (high - low + 1)),
    one: (name, items) => items[Math.floor(draw(name) * items.length)]!,
  };
}
