/** Words of charts. */
export const chartWords = {
  keys: "Left and right arrows read numbers, Enter moves the cursor there, plus and minus zoom, less and greater go along, 0 shows all.",
  behind: (title: string) => `${title} in words and numbers`,
  legend: "Lines and their numbers",
  newest: "newest",
  at: (xName: string, x: string) => `at ${xName} ${x}`,
  none: "–",
  notFinite: "not a number",
  crashed: "crashed",
  baseline: "compared with",
  table: (title: string) => `Numbers of ${title} by iteration`,
  iteration: "iteration",
  difference: "difference",
  differenceHint:
    "difference to the line compared with, here or at the last iteration that both have",
  differenceAtX: (xName: string) =>
    `difference to the line compared with at the same ${xName}, its height taken between its points; here, or as far as both go`,
  place: (x: string) => `at ${x}`,
  sampled: (rows: number, all: number) =>
    `${rows} of ${all} points, those that the picture is drawn from. Files have all of them.`,
} as const;
