/** What the page says of a log's chain. */
export const words = {
  intact: (events: number, ended: boolean) =>
    `Chain intact: ${events} events are as the run wrote them${ended ? "" : "; the run had not ended"}.`,
  none: "No chain: nobody can tell whether this log was changed.",
  altered: (line: number, why: string) =>
    `Altered from line ${line}: ${why}. Do not trust the numbers from there on.`,
  /** Of a columnar recording: its files have hashes, and the chain is the full run's, which is not here. */
  file: (read: number, files: number, fingerprint: string) =>
    `File intact: ${read === files ? `all ${files} files` : `the ${read} of ${files} files read so far`} have their SHA-256. Fingerprint of the full run: ${fingerprint.slice(0, 12)}….`,
  fault: (why: string) => `The recording is not whole: ${why}. Reload the page to try again.`,
  refused: (why: string) => `The recorded run is not shown: ${why}. Press Run to make a live one.`,
} as const;
