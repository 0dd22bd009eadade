/** UI texts about a log's hash chain. */
export const words = {
  intact: (events: number, ended: boolean) =>
    `Chain intact: ${events} events, unaltered${ended ? "" : "; the run was unfinished"}.`,
  none: "No chain: changes to this log cannot be detected.",
  altered: (line: number, why: string) =>
    `Altered from line ${line}: ${why}. Do not trust the numbers from there on.`,
  /** For a columnar recording: its files have hashes, and the chain belongs to the full run, which is not here. */
  file: (read: number, files: number, fingerprint: string) =>
    `File intact: ${read === files ? `all ${files} files` : `the ${read} of ${files} files read so far`} match their SHA-256. Fingerprint of the full run: ${fingerprint.slice(0, 12)}….`,
  fault: (why: string) => `The recording is incomplete: ${why}. Reload the page to try again.`,
  refused: (why: string) => `The recorded run is not shown: ${why}. Press Run to train your own.`,
} as const;
