/** What the browser keeps of sweeps, and which of their runs this tab still wants: a reload goes on with these. */
import { readTexts, writeValue } from "../../../../runtime/shelf/smallValue.ts";
import type { SweepRun } from "../../../../notebook/cells/sweep/plan.ts";
import { SweepClaim } from "../../../../runtime/shelf/claimSweeps.ts";
import { findSweepRuns, placeOfSweepRun, type SweepShelf } from "../../../../store/sweepShelf.ts";
import { claimAfterReload, isReload, records, reloadWait } from "../../../keptRuns.ts";

/** Places of runs that are still to come; no other tab sees them. */
const WANTED = "turnbook-sweeps";

/** Of the page before this one, where the tab was reloaded; null until somebody asks. */
let interrupted: string[] | null = null;
/** Of this page's sweeps. */
const wanted = new Map<SweepShelf, readonly string[]>();

/** By the notebook's address. */
const claims = new Map<string, SweepClaim>();

function claimAt(home: string): SweepClaim {
  const claim = claims.get(home) ?? new SweepClaim(home, reloadWait);
  claims.set(home, claim);
  return claim;
}

/** Where a notebook's sweeps keep their runs. */
export function shelfAt(home: string): SweepShelf {
  const placeOf = (run: SweepRun) => placeOfSweepRun(home, run);
  const shelf: SweepShelf = {
    claim: claimAt(home),
    find: (runs) => findSweepRuns(runs, placeOf, { records, claim: claimAfterReload }),
    remember: (pending) => {
      const before = interruptedOnes();
      wanted.set(shelf, pending.map(placeOf));
      writeValue("tab", WANTED, [...new Set([...before, ...[...wanted.values()].flat()])]);
    },
    asked: (runs) => {
      const byPlace = new Map(runs.map((run) => [placeOf(run), run]));
      const asked = interruptedOnes().flatMap((place) => byPlace.get(place) ?? []);
      interrupted = interruptedOnes().filter((place) => !byPlace.has(place));
      return asked;
    },
  };
  return shelf;
}

function interruptedOnes(): readonly string[] {
  return (interrupted ??= isReload() ? readTexts("tab", WANTED) : []);
}
