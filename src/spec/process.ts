/**
 * The spec's section on process rewards: what each turn gets in addition to the environment's
 * rewards. Plain data and its ranges; `train/process` computes the numbers, `credit/shaping.ts` has
 * the formula.
 */
import { real, whole, z } from "./zod.ts";
import { InputError } from "../numeric/inputError.ts";

const LEARNED_DEFAULTS = { labelled: 0.5, lr: 3e-3, epochs: 2, minibatch: 8 };

/** Absent: no process rewards. */
export const processReward = z.strictObject({
  /**
   * The source of scores. exact: the solver, or the shop's own reward terms. learned: a second
   * network that starts from the first policy's weights and learns from turns that the exact one
   * has labelled good or bad. none: no scores.
   */
  provider: z.enum(["none", "exact", "learned"]).default("exact"),
  /**
   * potential: gamma Phi(s') - Phi(s), which leaves every optimal policy optimal. raw: 1 for a good
   * turn and 0 for a bad one (its probability of being good if learned), added directly, which
   * rewards long episodes.
   */
  shaping: z.enum(["potential", "raw"]).default("potential"),
  /** Weight relative to the environment's rewards, before rewardScale. */
  eta: real(0, 1000).default(0.5),
  noise: z
    .strictObject({
      /** Share of labels that are flipped (raw). */
      flip: real(0, 1).default(0),
      /** Standard deviation of the noise added to each score (raw) or to each state's potential, fixed per state. */
      sigma: real(0, 1000).default(0),
    })
    .default({ flip: 0, sigma: 0 }),
  /** How the learned judge is trained, in every iteration before it scores. */
  learned: z
    .strictObject({
      /**
       * Share of an iteration's tasks whose turns are labelled; the others measure its accuracy.
       */
      labelled: real(0.01, 1).default(LEARNED_DEFAULTS.labelled),
      lr: real(0, 1).default(LEARNED_DEFAULTS.lr),
      epochs: whole(1, 100).default(LEARNED_DEFAULTS.epochs),
      /** Trajectories per update. */
      minibatch: whole(1, 65_536).default(LEARNED_DEFAULTS.minibatch),
    })
    .default(LEARNED_DEFAULTS),
});

export type ProcessRewardSpec = z.infer<typeof processReward>;

/** Rules across fields. @throws InputError naming the field, its value and what is allowed. */
export function checkProcessReward(spec: ProcessRewardSpec | undefined): void {
  if (spec?.shaping !== "potential") return;
  if (spec.provider === "learned") {
    throw new InputError(
      "processReward.shaping is potential; with provider learned it must be raw: the learned judge scores a turn, not a state",
    );
  }
  if (spec.noise.flip > 0) {
    throw new InputError(
      `processReward.noise.flip is ${spec.noise.flip}; with shaping potential it must be 0: there are no labels, use noise.sigma`,
    );
  }
}
