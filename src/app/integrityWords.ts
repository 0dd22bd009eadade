/** What the page says of a log's chain. */
export const words = {
  intact: (events: number, ended: boolean) =>
    `Chain intact: ${events} events are as the run wrote them${ended ? "" : "; the run had not ended"}.`,
  none: "No chain: nobody can tell whether this log was changed.",
  altered: (line: number, why: string) =>
    `Altered from line ${line}: ${why}. Do not trust the numbers from there on.`,
} as const;
