/**
 * Methods that learn from preference pairs. They are outside the table of algorithms: they compute
 * no advantage, clip no ratio and need no fresh rollouts. Rows, settings and their ranges are plain
 * data; `objective/preference.ts` has the formulas.
 */
import { real, whole, z } from "./zod.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { ITERATIVE_NAME } from "./iterative.ts";
import { plantsOf, type ChangesDuringRun } from "./plants.ts";

interface PreferenceRow {
  name: string;
  title: string;
  /** arXiv number of the paper that defines it. */
  arxiv: string;
  about: string;
  /** The loss of one pair, as KaTeX. */
  formula: string;
  /** The loss as a function of a pair's logit z. */
  loss: "logistic" | "squared";
  /**
   * The effect of sequential KL on z: none, its margin is added, or alpha times its margin with the
   * chosen response's held constant.
   */
  seqKl: "none" | "margin" | "held-margin";
  /** How log-probs of tokens are combined to the response's. */
  logps: "sum" | "mean";
}

const M = String.raw`m(y)=\sum_t \log\frac{\pi_\theta(y_t)}{\pi_{ref}(y_t)}`;
const D = String.raw`D(y)=\sum_t KL(\pi_{ref}\,\|\,\pi_\theta)_t`;

const rows: PreferenceRow[] = [
  {
    name: "dpo",
    title: "DPO",
    arxiv: "2305.18290",
    about: "Raises the better rollout's log-prob above the worse one's.",
    formula: String.raw`-\log\sigma\big(\beta\,(m(y_w)-m(y_l))\big),\quad ${M}`,
    loss: "logistic",
    seqKl: "none",
    logps: "sum",
  },
  {
    name: "ipo",
    title: "IPO",
    arxiv: "2310.12036",
    about: "Pulls the margin to 1/(2 beta). Log-probs are means over tokens.",
    formula: String.raw`\big(m(y_w)-m(y_l)-\tfrac{1}{2\beta}\big)^2,\quad m(y)=\tfrac{1}{|y|}\sum_t \log\frac{\pi_\theta(y_t)}{\pi_{ref}(y_t)}`,
    loss: "squared",
    seqKl: "none",
    logps: "mean",
  },
  {
    name: "tdpo1",
    title: "TDPO1",
    arxiv: "2404.11999",
    about: "DPO with the margin of the responses' KL to the reference.",
    formula: String.raw`-\log\sigma\big(\beta\,(m(y_w)-m(y_l)-(D(y_l)-D(y_w)))\big),\quad ${M},\; ${D}`,
    loss: "logistic",
    seqKl: "margin",
    logps: "sum",
  },
  {
    name: "tdpo2",
    title: "TDPO2",
    arxiv: "2404.11999",
    about: "TDPO1 with a weighted margin; the chosen KL gives no gradient.",
    formula: String.raw`-\log\sigma\big(\beta\,(m(y_w)-m(y_l)-\alpha\,(D(y_l)-\mathrm{sg}[D(y_w)]))\big),\quad ${M},\; ${D}`,
    loss: "logistic",
    seqKl: "held-margin",
    logps: "sum",
  },
];

/** The methods, in display order. */
export const preferenceRows: readonly PreferenceRow[] = rows;
export const preferenceNames: readonly string[] = rows.map(({ name }) => name);

/** Numbers of the formulas. */
export const preferenceNumbers = {
  beta: {
    about: "Strength of the pull towards the reference: rewards are beta times log-ratios",
    min: 1e-6,
    max: 1000,
    usual: 0.1,
  },
  alpha: { about: "TDPO2's weight of the KL margin", min: 0, max: 1000, usual: 0.5 },
  labelSmoothing: {
    about:
      "Probability that a pair is labelled the wrong way (conservative DPO); logistic losses only",
    min: 0,
    max: 0.5,
    usual: 0,
  },
} as const;

const number = ({ min, max, usual }: { min: number; max: number; usual: number }) =>
  z._default(real(min, max), usual);

/** The field `preference` of a spec: each method is its own learner, on pairs of rollouts of the same task. */
export const preferenceSchema = z.strictObject({
  methods: z._default(
    z
      .array(z.enum(preferenceNames as [string, ...string[]]))
      .check(z.minLength(1), z.maxLength(rows.length)),
    ["tdpo2"],
  ),
  /**
   * offline: pairs of the first policy's rollouts, kept for the whole run, with the first policy as
   * reference. iterated: every iteration plays again with the current policy.
   */
  rounds: z._default(z.enum(["offline", "iterated"]), "offline"),
  /**
   * The reference of iterated rounds. first: the first policy, as in online DPO (arXiv 2402.04792);
   * round: the round's own first policy, as in iterative DPO (arXiv 2404.19733), so that the run as
   * a whole is not regularised.
   */
  reference: z._default(z.enum(["first", "round"]), "first"),
  /** Iterations whose tasks the first policy plays, all before the first update, for the fixed pairs (offline only). */
  collect: z._default(whole(1, 1000), 1),
  /** Maximum pairs of one task: best with worst return, second best with second worst, ... */
  pairsPerTask: z._default(whole(1, 512), 1),
  /**
   * Returns that differ by less count as a tie, in the environment's units; a tie gives no pair.
   */
  minGap: z._default(real(0, 1e6), 0),
  beta: number(preferenceNumbers.beta),
  alpha: number(preferenceNumbers.alpha),
  labelSmoothing: number(preferenceNumbers.labelSmoothing),
  /** Passes over the pairs in each iteration. */
  epochs: z._default(whole(1, 100), 1),
  lr: z._default(real(0, 1), 1e-4),
  /** Pairs per update. */
  minibatch: z._default(whole(1, 4096), 16),
  /** Share of the tasks whose pairs are never trained on: they measure generalisation beyond the training pairs. */
  heldOut: z._default(real(0, 0.9), 0),
});

export type PreferenceSpec = z.infer<typeof preferenceSchema>;

/** The defaults of `preference`. */
export const preferenceDefaults = (): PreferenceSpec => preferenceSchema.parse({});

/** The fields of a spec that pairs depend on. */
interface SpecParts extends ChangesDuringRun {
  preference?: PreferenceSpec | undefined;
  optimisation: { groupSize: number };
}

/** @throws InputError for a preference field that conflicts with the rest of the spec. */
export function checkPreference({ preference, optimisation, ...changing }: SpecParts): void {
  if (!preference) return;
  const { methods, rounds, collect } = preference;
  const twice = methods.find((name, i) => methods.indexOf(name) < i);
  if (twice !== undefined)
    throw new InputError(
      `preference.methods has ${show(twice)} a second time; each method may appear once`,
    );
  if (optimisation.groupSize < 2)
    throw new InputError(
      `optimisation.groupSize is ${optimisation.groupSize}; preference pairs need at least 2`,
    );
  if (rounds === "iterated" && collect !== 1)
    throw new InputError(
      `preference.collect is ${collect}; it must be 1 where preference.rounds is iterated`,
    );
  // Log-probs of policy and reference are compared at one temperature, that of the rollouts.
  const temperature = plantsOf(changing).flatMap(({ set }) => set["sampling.temperature"] ?? [])[0];
  if (rounds === "offline" && temperature !== undefined)
    throw new InputError(
      `schedule or plants set sampling.temperature to ${temperature}; it must not change where preference.rounds is offline`,
    );
}

/** Names of a spec's learners in the order of their turns: algorithms, methods on pairs, Iterative PPO. */
export function learnerNames(spec: {
  algorithms: readonly { name: string }[];
  preference?: { methods: readonly string[] } | undefined;
  iterative?: object | undefined;
}): string[] {
  return [
    ...spec.algorithms.map(({ name }) => name),
    ...(spec.preference?.methods ?? []),
    ...(spec.iterative ? [ITERATIVE_NAME] : []),
  ];
}

/** One method with every choice made; plain JSON data. */
export interface PreferenceConfig extends PreferenceRow {
  /** Methods on pairs have no critic. */
  critic: "none";
  beta: number;
  alpha: number;
  labelSmoothing: number;
}

type PairSettings = Pick<PreferenceSpec, keyof typeof preferenceNumbers>;

/** The methods of a spec, resolved, in its order. */
export function preferenceConfigs(preference: PreferenceSpec | undefined): PreferenceConfig[] {
  if (!preference) return [];
  return preference.methods.map((name) => preferenceConfig(name, preference));
}

/** The named row with these settings. @throws RangeError for an unknown name. */
export function preferenceConfig(name: string, settings: PairSettings): PreferenceConfig {
  const row = rows.find((candidate) => candidate.name === name);
  if (!row) throw new RangeError(`${name} is not a preference method`);
  const { beta, alpha, labelSmoothing } = settings;
  return { ...row, critic: "none", beta, alpha, labelSmoothing };
}
