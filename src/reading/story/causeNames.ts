/** The causes by name, which the page knows before it reads a run. */
export const CAUSE_NAMES = [
  "silent-groups",
  "cheap-failures",
  "echo-trap",
  "template-collapse",
  "large-steps",
  "small-steps",
  "critic-failure",
  "entropy-crash",
  "entropy-blow-up",
  "length-growth",
  "format-loss",
  "sampler-mismatch",
  "reference-drift",
  "reward-hacking",
  "low-signal",
  "too-hard",
  "short-sight",
  "memorised",
  "masked-tokens",
  "stale-batch",
] as const;
export type CauseName = (typeof CAUSE_NAMES)[number];
