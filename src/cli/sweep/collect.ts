/** Results of one sweep from many folders: where runs overlap, their fingerprints must agree. */
import { InputError } from "../../numeric/inputError.ts";
import { readResult, type RunResult } from "./results.ts";
import type { Sweep } from "./sweepFile.ts";

interface Disagreement {
  run: string;
  folders: [string, string];
  fingerprints: [string, string];
}

interface CollectedResults {
  results: RunResult[];
  /** Runs finished in more than one folder. */
  overlaps: number;
  disagreements: Disagreement[];
}

/** For each run the one that got furthest. @throws InputError for a log that is damaged or from another run. */
export function collectFolders({ runs }: Sweep, folders: readonly string[]): CollectedResults {
  if (folders.length === 0) throw new InputError("sweep --collect needs at least one folder");
  let overlaps = 0;
  const disagreements: Disagreement[] = [];
  const results = runs.map((run) => {
    const found = folders.map((folder) => ({ folder, result: readResult(folder, run) }));
    const done = found.filter(({ result }) => result.state === "done");
    overlaps += Math.max(0, done.length - 1);
    for (const other of done.slice(1)) {
      const [a, b] = [done[0]!, other];
      if (a.result.fingerprint === b.result.fingerprint) continue;
      disagreements.push({
        run: run.name,
        folders: [a.folder, b.folder],
        fingerprints: [a.result.fingerprint, b.result.fingerprint],
      });
    }
    const results = found.map(({ result }) => result);
    return results.reduce((best, one) => (furtherThan(one, best) ? one : best));
  });
  return { results, overlaps, disagreements };
}

function furtherThan(a: RunResult, b: RunResult): boolean {
  const rank = ({ state, iterations }: RunResult) => (state === "done" ? Infinity : iterations);
  return rank(a) > rank(b);
}
