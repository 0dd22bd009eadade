/** What is kept of a live experiment that was tried: its numbers, and what says whether they are still of that experiment. */

export interface Tried {
  /** The body of the lesson's cell `live`, as it was trained. */
  experiment: string;
  fingerprint: string;
  /** By metric: iteration and value. */
  train: Record<string, [number, number | null][]>;
  /** Held-out success: iteration and share. */
  success: [number, number | null][];
  /** Detectors of the doctor that found something. */
  findings: string[];
}

/** Metrics by lesson. */
export const TRIED: Record<string, readonly string[]> = {
  clip: ["actor/pg_clipfrac"],
  drift: ["actor/clip_bias_norm/mean", "actor/clip_bias_denominator/mean", "actor/turn_ratio_ess"],
  clinic: ["actor/ppo_kl_k3"],
};
