/** UI texts of open questions and ablations. */
export const words = {
  title: "Open questions",
  intro:
    "The paper leaves these questions open, and small models can test them. Conditions differ in one thing, and in what follows from it. An equal search chose each method’s settings, unless a note says otherwise.",
  ablations: "Ablations",
  ablationsIntro:
    "Around the searched settings of small Sokoban, one thing changes at a time. Ranges are 95 % intervals of the gain over seeds.",
  condition: "Condition",
  method: "Method",
  result: "Held-out success",
  scale: (top: string) => `0 to ${top}: ring = start, dot = end, band = 95 % interval of the gain`,
  notRun: "not run",
  missing: (runs: number, of: number, iterations: number) =>
    `Cannot tell yet: ${runs} of ${of} runs are missing, ${iterations.toLocaleString("en")} iterations in all.`,
  elsewhere: "Not to be answered here",
  command: "Command",
  gain: (
    first: string,
    last: string,
    range: string | null,
    seeds: { n: number; of: number; collapsed: number },
  ) =>
    [
      `${first} → ${last}${range ? ` (${range})` : ""}, ${seeds.n} of ${seeds.of} seeds`,
      ...(seeds.collapsed > 0 ? [`${seeds.collapsed} collapsed`] : []),
    ].join(", "),
  range: (low: string, high: string) => `gain ${low} to ${high}`,
  tokens: "Tokens per run",
  seconds: "Seconds per run",
  shared: "Seconds were measured on a shared machine.",
  open: "Open as an experiment",
  unread: "The results could not be loaded.",
} as const;
