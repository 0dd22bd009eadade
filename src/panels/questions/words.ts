/** Words of open questions and ablations. */
export const words = {
  title: "Open questions",
  intro:
    "The paper leaves these questions open, and small models can test them. Conditions differ in one thing, and in what follows from it. The settings of each method are from an equal search.",
  ablations: "Ablations",
  ablationsIntro:
    "Around the searched settings of small Sokoban, one thing changes at a time. Ranges are 95 % intervals of the gain over seeds.",
  condition: "Condition",
  method: "Method",
  result: "Held-out success",
  scale: (top: string) => `From 0 to ${top}: ring start, dot end, band 95 % of the gain`,
  notRun: "not run",
  command: "Command",
  gain: (first: string, last: string, range: string | null, n: number, of: number) =>
    `${first} → ${last}${range ? ` (${range})` : ""}, ${n} of ${of} seeds`,
  range: (low: string, high: string) => `gain ${low} to ${high}`,
  tokens: "Tokens a run",
  seconds: "Seconds a run",
  shared: "Seconds are of a machine that other work shared.",
  open: "Open as an experiment",
  unread: "The results could not be loaded.",
} as const;
