/** What is known of a metric. */
export interface MetricEntry {
  name: string;
  /** What one number speaks of. */
  level: "token" | "turn" | "trajectory" | "group" | "update";
  meaning: string;
  /** verl, TRL, RAGEN or verl-agent; ours where no standard name exists. */
  source: string;
  /** The same number's name elsewhere. */
  also?: string;
  healthy?: string;
}
