/**
 * The description and computation of a clip rule (axis F): one file per rule, and one line in
 * `clips.ts`.
 */
import type { Binding } from "../formula/vocabulary.ts";
import type { NumberName } from "../numbers.ts";
import type { ClipNumbers, PolicyLoss, RatioInput } from "../objective/policyTypes.ts";
import type { RatioLevel } from "../objective/ratio.ts";
import type { TexPiece } from "../formula/tex.ts";

/** Log-ratios between which nothing is cut; null: no bound on that side. */
export interface ClipBounds {
  low: number | null;
  high: number | null;
  /** Log-ratio beyond which dual clip cuts A < 0; null without. */
  dual: number | null;
}

/** One unit of the objective: its ratio and advantage, the factor of its range, and a token's log-probs. */
export interface ClipUnit {
  w: number;
  A: number;
  scale: number;
  logprob: number;
  oldLogprob: number;
  /** Whether the rule picked it from among its batch's. */
  picked?: boolean;
}

/** The two sides of a clipped objective, and which of them decides. */
export interface Branches {
  /** w A. */
  free: number;
  /** clip(rho) A. */
  held: number;
  /** The smaller of both. */
  min: number;
  /** dualClip A if that decides, else null. */
  floor: number | null;
  /** What the unit contributes to the objective. */
  value: number;
  /** `equal`: the ratio is within the range, or the advantage 0. */
  winner: "free" | "held" | "equal" | "floor";
}

/** The terms of a rule's formula: objective, ratio and advantage of its unit. */
export interface ClipTerms {
  J: Binding;
  w: Binding;
  A: Binding;
  hasDual: boolean;
}

export interface ClipRule {
  /** What is clipped. */
  about: string;
  /** What the rule does outside the band, for the clip panel. */
  says: string;
  /** Numbers that the rule reads. */
  settings: readonly NumberName[];
  /** verl's `loss_mode`, for the ratio levels at which verl has the rule. */
  verl: Partial<Record<RatioLevel, string>>;
  /** Keys of verl's actor for numbers of its own. */
  verlKeys?: Readonly<Record<string, NumberName>>;
  /** The loss's name in the plugin for verl that exports bring. */
  plugin?: Partial<Record<RatioLevel, string>>;
  /** Whether ratios are constant weights of tokens, so that the objective's units are tokens. */
  weighsTokens: boolean;
  /** Whether each turn has its own range, which a log does not record. */
  scalesRange: boolean;
  /** Whether what happens to a unit depends on the others of its minibatch, which a log does not record. */
  picks?: true;
  /** The loss of a batch and its exact gradient. */
  loss(input: RatioInput): PolicyLoss;
  /** Where it cuts, if that is a range of log-ratios; `ofTokens`: log-ratios of tokens, at every ratio level. */
  band(numbers: ClipNumbers): ClipBounds & { ofTokens?: true };
  /** What one unit contributes to the objective. */
  objective(unit: ClipUnit, numbers: ClipNumbers): number;
  /** The sides of its min; absent for a rule without one. */
  branches?(unit: ClipUnit, numbers: ClipNumbers): Branches;
  /** The formula of what one unit contributes to the objective, in lines. */
  formula(terms: ClipTerms): TexPiece[];
  /** For a rule that clips log-ratios before they are pooled: d' of one token, and its formula. */
  held?: {
    of(d: number, A: number, numbers: ClipNumbers): number;
    formula(A: Binding): TexPiece;
  };
}
