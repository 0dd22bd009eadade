/**
 * The gallery of collapses: small real runs that learn well for seven iterations and then, by their
 * schedule, get one cause of a collapse. Each demonstrates one detector of the collapse doctor;
 * `healthy` is the same run without a cause. The first iteration with the planted cause is the
 * onset, known before any detector fires.
 */
import { DOCTOR_DEFAULTS } from "./doctor.ts";
import type { ExperimentSpec } from "./experiment.ts";
import { scheduleOf } from "./schedule.ts";
import { type Schedule } from "./scheduleSchema.ts";

interface Exhibit {
  name: string;
  title: string;
  about: string;
  /** The detector of the doctor that should find it. */
  detector: string;
  algorithm: string;
  cause: Partial<Schedule>;
  maxTokensPerTurn?: number;
  crossScoreEvery?: number;
}

/** First iteration with the planted cause. */
export const ONSET = 8;
const ITERATIONS = 14;

const EXHIBITS: readonly Exhibit[] = [
  {
    name: "collapse-echo-trap",
    title: "Collapse: echo trap",
    about: "GRPO at too high a rate for eight tasks: one answer rules",
    detector: "echo-trap",
    algorithm: "grpo",
    cause: { actorLr: 1e-2, entropyCoef: 0 },
  },
  {
    name: "collapse-template",
    title: "Collapse: template collapse",
    about: "Turn-PPO whose entropy bonus outweighs rewards: answers ignore the board",
    detector: "template-collapse",
    algorithm: "turn-ppo",
    cause: { actorLr: 2e-3, entropyCoef: 3, epochs: 2 },
    crossScoreEvery: 1,
  },
  {
    name: "collapse-zero-variance",
    title: "Collapse: zero variance",
    about: "GRPO with nearly greedy sampling: a group's episodes are identical",
    detector: "zero-variance",
    algorithm: "grpo",
    cause: { temperature: 0.05 },
  },
  {
    name: "collapse-ratio",
    title: "Collapse: ratios blow up",
    about: "Turn-PPO, thirty times the learning rate, four epochs: ratios blow up",
    detector: "ratio-blow-up",
    algorithm: "turn-ppo",
    cause: { actorLr: 1e-2, epochs: 4 },
  },
  {
    name: "collapse-critic",
    title: "Collapse: critic failure",
    about: "Turn-PPO whose critic learns far too fast: worse than no critic",
    detector: "critic-failure",
    algorithm: "turn-ppo",
    cause: { criticLr: 0.5 },
  },
  {
    name: "collapse-entropy",
    title: "Collapse: entropy crash",
    about: "token-PPO at temperature 0.2: the policy stops exploring at once",
    detector: "entropy-crash",
    algorithm: "token-ppo",
    cause: { temperature: 0.2 },
  },
  {
    name: "collapse-noise",
    title: "Collapse: entropy blows up",
    about: "token-PPO rewarded more for entropy than for boxes: entropy blows up",
    detector: "entropy-blow-up",
    algorithm: "token-ppo",
    cause: { actorLr: 2e-3, entropyCoef: 5, epochs: 2 },
  },
  {
    name: "collapse-length",
    title: "Collapse: length explosion",
    about: "Turn-PPO with a bonus on each of twelve tokens: responses never end",
    detector: "length-explosion",
    algorithm: "turn-ppo",
    cause: { actorLr: 2e-3, entropyCoef: 1, epochs: 2 },
    maxTokensPerTurn: 12,
  },
];

/** The detector that each exhibit should trigger. */
export const exhibits: readonly { name: string; detector: string }[] = EXHIBITS.map(
  ({ name, detector }) => ({ name, detector }),
);

/** The gallery as presets, derived from the preset whose model and levels it shares. */
export function galleryPresets(
  nano: ExperimentSpec,
): (Pick<Exhibit, "name" | "title" | "about"> & { spec: ExperimentSpec })[] {
  const healthy = healthySpec(nano);
  return [
    {
      name: healthy.preset,
      title: "Healthy run",
      about:
        "The collapse gallery's baseline: small Sokoban, gentler rate, 32 episodes per iteration.",
      spec: healthy,
    },
    ...EXHIBITS.map((exhibit) => ({
      name: exhibit.name,
      title: exhibit.title,
      about: `${exhibit.about}. Healthy before iteration ${ONSET}.`,
      spec: exhibitSpec(healthy, exhibit),
    })),
  ];
}

function healthySpec(nano: ExperimentSpec): ExperimentSpec {
  return {
    ...nano,
    preset: "healthy",
    algorithms: [
      { name: "grpo", set: {} },
      { name: "turn-ppo", set: {} },
    ],
    optimisation: {
      ...nano.optimisation,
      iterations: ITERATIONS,
      tasksPerIteration: 8,
      groupSize: 4,
      minibatch: 16,
      epochs: 1,
      // At nano's own 1e-3, batches this small drive GRPO into the echo trap within fifteen iterations (measured).
      actorLr: 3e-4,
      actorLrWarmup: 0,
    },
    // Just before the onset and at the end.
    evaluation: { ...nano.evaluation, levels: 64, every: ONSET - 1 },
    // Eight measurements in a run: enough for a baseline and a decision of the template detector.
    doctor: { ...DOCTOR_DEFAULTS, crossScoreEvery: 2 },
  };
}

function exhibitSpec(healthy: ExperimentSpec, exhibit: Exhibit): ExperimentSpec {
  const { name, algorithm, cause, crossScoreEvery = 0 } = exhibit;
  const { maxTokensPerTurn = healthy.sampling.maxTokensPerTurn } = exhibit;
  return {
    ...healthy,
    preset: name,
    algorithms: [{ name: algorithm, set: {} }],
    sampling: { ...healthy.sampling, maxTokensPerTurn },
    doctor: { ...healthy.doctor, crossScoreEvery },
    schedule: scheduleOf({ from: ONSET, ...cause }),
  };
}
