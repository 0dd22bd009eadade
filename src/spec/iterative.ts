/**
 * The spec's section on Iterative PPO (arXiv 2511.21638), a method outside the table of algorithms:
 * an outer loop that fits Q(s, a) to logged outcomes, around an inner row of the table that
 * improves single turns with it. Plain data and its ranges; `train/iterative` does the work.
 */
import { real, whole, z } from "./zod.ts";
import type { RowReading } from "./revision.ts";
import { algorithmNames, resolveAlgorithm, type AlgorithmConfig } from "./algorithms.ts";

export const ITERATIVE_NAME = "iterative-ppo";

/** Inner rows: a logged state has one response per round, so rows that compare responses of one task are excluded. */
const innerNames = algorithmNames.filter((name) => playsAlone(resolveAlgorithm(name)));

function playsAlone({ grouped, baseline }: AlgorithmConfig): boolean {
  return !grouped && baseline !== "greedy";
}

// Measured at nano: with higher rates, Q memorises its episodes and does not generalise to others.
const Q_DEFAULTS = { lr: 3e-4, epochs: 2, minibatch: 16, heldOut: 0.25 };

/** The field `iterative` of a spec: one additional learner; absent: none. */
export const iterativeSchema = z.strictObject({
  /** The row that improves single turns, with its own defaults. */
  inner: z._default(z.enum(innerNames as [string, ...string[]]), "token-ppo"),
  /**
   * Rounds of improvement with the same Q. The first uses the logged responses themselves, which
   * the policy has just sampled; each further one samples new responses in the logged states from
   * the current policy. Its value depends on how well Q distinguishes actions (metric
   * q/action_correlation). Measured at nano it distinguishes only states, and the policy got worse:
   * held-out success 0.20 to 0.14 in 20 iterations of one round, faster with two.
   */
  rounds: z._default(whole(1, 32), 1),
  /** Single turns per update. */
  minibatch: z._default(whole(1, 65_536), 128),
  /** Discount of the outcome per turn. */
  gamma: z._default(real(0, 1), 1),
  q: z._default(
    z.strictObject({
      lr: z._default(real(0, 1), Q_DEFAULTS.lr),
      /** Passes over an iteration's episodes. Q continues from its previous weights. */
      epochs: z._default(whole(1, 100), Q_DEFAULTS.epochs),
      /** Trajectories per update. */
      minibatch: z._default(whole(1, 65_536), Q_DEFAULTS.minibatch),
      /**
       * Share of the tasks that Q is not fitted to in their iteration: they measure how well it
       * fits.
       */
      heldOut: z._default(real(0, 0.9), Q_DEFAULTS.heldOut),
    }),
    Q_DEFAULTS,
  ),
});

type IterativeSpec = z.infer<typeof iterativeSchema>;

/** The defaults of `iterative`. */
export const iterativeDefaults = (): IterativeSpec => iterativeSchema.parse({});

/** The method's texts, as each row of the table has. */
export const iterativeRow = {
  name: ITERATIVE_NAME,
  title: "Iterative PPO",
  arxiv: "2511.21638",
  source: "sec. 3; no public code, so networks, data split and inner rounds are our choices",
  about: "Fits Q of turns to outcomes, improves turns with it, and repeats.",
};

/** The inner row, read as the experiment reads its rows, under the method's own name; null if the spec has none. */
export function iterativeConfig(
  iterative: IterativeSpec | undefined,
  reading: RowReading,
): AlgorithmConfig | null {
  if (!iterative) return null;
  return { ...resolveAlgorithm(iterative.inner, {}, reading), ...iterativeRow };
}
