/** A method's settings in the header of a UNIPO log, under the names used here. */
import { resolveAlgorithm, type AlgorithmConfig } from "../../spec/algorithms.ts";
import type { SaidSettings } from "./foreign.ts";
import { numberOf, iterationNumber, type Fields } from "./values.ts";
import { words } from "./words.ts";
import { isRecord } from "../../spec/jsonText.ts";

/** The usual names in UNIPO's `hparams`, which are free-form. */
const HPARAMS = {
  gamma: ["gamma"],
  lambda: ["gae_lambda", "lambda", "lam"],
  epsLow: ["clip_eps_low", "clip_low", "clip_eps", "cliprange"],
  epsHigh: ["clip_eps_high", "clip_high", "clip_eps", "cliprange"],
  betaKl: ["kl_coef"],
} as const;
type Hyperparameter = keyof typeof HPARAMS;

/** The settings and notes on them, or why they are not used; null if the header has none. */
export function unipoSettings(
  algorithm: string,
  header: Fields,
): { said: SaidSettings | null; note: string } | null {
  const hparams = isRecord(header["hparams"]) ? header["hparams"] : {};
  const set = readSet(hparams);
  if (Object.keys(set).length === 0) return null;
  const config = tried(algorithm, set);
  if (!config) return { said: null, note: words.unipo.oddSettings };
  const missing = neededBy(config).filter((name) => !(name in set));
  if (missing.length > 0) return { said: null, note: words.unipo.missingSettings(missing) };
  const groupSize = iterationNumber(hparams["group_size"]);
  // A bound that the header does not have is not drawn.
  return {
    said: { set: { ...set, dualClip: null }, groupSize },
    note: words.unipo.settings(set, groupSize),
  };
}

function readSet(hparams: Fields): Partial<Record<Hyperparameter, number>> {
  const entries = Object.entries(HPARAMS).flatMap(([name, theirs]) => {
    const value = theirs.map((one) => numberOf(hparams[one])).find((one) => one !== null);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** Null for a method, or a value, that does not exist here. */
function tried(algorithm: string, set: Record<string, number>): AlgorithmConfig | null {
  try {
    return resolveAlgorithm(algorithm, set);
  } catch {
    return null;
  }
}

/** Settings that panels would show as the run's own, so that no default may replace them. */
function neededBy({ critic, ratio }: AlgorithmConfig): Hyperparameter[] {
  const ofCritic: Hyperparameter[] = critic === "none" ? [] : ["gamma", "lambda"];
  return ratio === "none" ? ofCritic : [...ofCritic, "epsLow", "epsHigh"];
}
