/** The steps that a formula is read in. */
export const STEPS = [
  ...(["rollout", "reward", "value", "tdError", "advantage"] as const),
  ...(["ratio", "clip", "loss", "update"] as const),
] as const;
export type StepId = (typeof STEPS)[number];
