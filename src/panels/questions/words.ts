/** Words of the open questions. */
export const words = {
  title: "Open questions",
  intro:
    "The paper leaves these questions open, and small models can test them. Each compares two conditions that differ in one setting.",
  condition: "Condition",
  method: "Method",
  result: "Held-out success",
  notRun: "not run",
  command: "Command",
  gain: (first: string, last: string, n: number, of: number) =>
    `${first} → ${last}, ${n} of ${of} seeds`,
  unread: "The results could not be loaded.",
} as const;
