/** Words of the gradient panel. */
export const words = {
  about: "How near the gradient of one batch comes to the true policy gradient.",
  failed: "The recorded figure did not load. Reload the page to try again.",
  checkpoint: "Policy",
  size: "Batch",
  episodes: "episodes",
  batch: (size: number) => `${size} episodes`,
  cosine: "Cosine to the true gradient",
  snr: "Signal-to-noise ratio",
  hints: {
    cosine: "1 = same direction, 0 = unrelated",
    snr: "squared mean gradient over its variance",
  },
  limit: "Limit",
  difference: (title: string) => `Cosine minus ${title}`,
  row: "Row",
  ceiling: "ceiling",
  draw: (title: string) => `Draw ${title}`,
  table: (size: number) => `All rows at ${size} episodes`,
  tableNote: "95 % bootstrap intervals. At most six rows are drawn.",
  how: "How it was measured",
  explain: [
    "Every row takes its gradient on the same batches, at ratio 1: its own credit, filter, normalisation and aggregation, before the optimiser and the limit on the norm. KL and entropy terms are left out.",
    "The true gradient comes from many other episodes: the return that follows each turn minus the mean of the task's other rollouts in the same state. Squared norms are products of independent parts, so noise does not count as length.",
    "Limit is the cosine of the mean gradient, which remains when noise averages out. Below 1 the row is biased: it also moves the policy where the return does not rise. The estimate is noisy and can exceed 1.",
    "Ceilings use true values from branched rollouts in place of the critic's. Critics are the run's at this iteration; where the run has no critic of a method's kind, the other method's serves.",
  ],
  counts: ({ reference, rows, blocks }: { reference: number; rows: number; blocks: number }) =>
    `n = ${count(rows)} episodes in ${blocks} blocks; true gradient from ${count(reference)} other episodes.`,
  batches: (group: number, branches: number) =>
    `Batches hold groups of ${group} rollouts of one task; ${branches} branches from each state for the ceilings.`,
  noise: (text: string) => `Noise adds ${text} to the true gradient's squared norm.`,
  machine: "Machine",
  command: "Command",
} as const;

const count = (n: number) => n.toLocaleString("en-US");
