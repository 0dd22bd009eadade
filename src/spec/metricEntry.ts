/** Documentation of a metric. */
export interface MetricEntry {
  name: string;
  /** What one number belongs to. */
  level: "token" | "turn" | "trajectory" | "group" | "update";
  meaning: string;
  /** verl, TRL, RAGEN or verl-agent; ours if no standard name exists. */
  source: string;
  /** The same number's name elsewhere. */
  also?: string;
  healthy?: string;
}
