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
  provider: z._default(z.enum(["none", "exact", "learned"]), "exact"),
  /**
   * potential: gamma Phi(s') - Phi(s), which leaves every optimal policy optimal. raw: 1 for a good
   * turn and 0 for a bad one (its probability of being good if learned), added directly, which
   * rewards long episodes.
   */
  shaping: z._default(z.enum(["potential", "raw"]), "potential"),
  /** Weight relative to the environment's rewards, before rewardScale. */
  eta: z._default(real(0, 1000), 0.5),
  noise: z._default(
    z.strictObject({
      /** Share of labels that are flipped (raw). */
      flip: z._default(real(0, 1), 0),
      /** Standard deviation of the noise added to each score (raw) or to each state's potential, fixed per state. */
      sigma: z._default(real(0, 1000), 0),
    }),
    { flip: 0, sigma: 0 },
  ),
  /** How the learned judge is trained, in every iteration before it scores. */
  learned: z._default(
    z.strictObject({
      /**
       * Share of an iteration's tasks whose turns are labelled; the others measure its accuracy.
       */
      labelled: z._default(real(0.01, 1), LEARNED_DEFAULTS.labelled),
      lr: z._default(real(0, 1), LEARNED_DEFAULTS.lr),
      epochs: z._default(whole(1, 100), LEARNED_DEFAULTS.epochs),
      /** Trajectories per update. */
      minibatch: z._default(whole(1, 65_536), LEARNED_DEFAULTS.minibatch),
    }),
    LEARNED_DEFAULTS,
  ),
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
