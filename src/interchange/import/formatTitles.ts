/** Formats of other programs by the names that users know; the page shows them without loading the readers. */

/** In the order in which formats are tried. */
export const formatTitles = [
  ...(["Turnbook rollouts", "verl", "verl traces", "prime-rl", "verifiers", "RAGEN"] as const),
  // Before UNIPO, whose steps also have metrics.
  ...(["tables", "UNIPO", "SkyRL", "AReaL", "rLLM", "Tinker", "slime"] as const),
  ...(["Agent Lightning", "Inspect", "messages with rewards", "metrics"] as const),
] as const;

export type FormatTitle = (typeof formatTitles)[number];
