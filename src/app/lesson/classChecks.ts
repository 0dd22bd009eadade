/** Spot checks of a class: a code's seed is trained again on this page, and what comes out is compared with the code. */
import type { StoreApi } from "zustand/vanilla";
import {
  isReproducedBy,
  type ClassSetup,
  type Doubt,
  type Handed,
} from "../../reading/classroom/classResults.ts";
import { setupOf } from "../../reading/classroom/resultCode.ts";
import type { Classroom } from "../../store/classroom.ts";
import { hasLog, type SweepRuns } from "../../store/sweepRuns.ts";
import { createSweep } from "../book/cells/sweep/bookSweeps.ts";
import { classWords as words } from "./words.ts";

const all = new Map<string, ClassChecks>();

/** The runs of the checks, each under its code. */
interface ClassChecks {
  sweep: SweepRuns;
  /** Trains these again, one after the other. */
  check(handed: readonly Handed[]): void;
}

export function checksOf(setup: ClassSetup, room: StoreApi<Classroom>): ClassChecks {
  const name = setupOf(setup.spec);
  const known = all.get(name);
  if (known) return known;
  const asked = new Map<string, Handed>();
  const sweep = createSweep(() => words.checkName, null);
  sweep.store.subscribe(({ results }, before) => {
    if (results === before.results) return;
    const checks = new Map(room.getState().checks);
    for (const [code, result] of results) {
      const claim = asked.get(code)?.result;
      if (!claim || !hasLog(result)) continue;
      checks.set(code, isReproducedBy(claim, result.log) ? "same" : "different");
    }
    room.setState({ checks });
  });
  const check = (handed: readonly Handed[]) => {
    const runs = handed.flatMap((one) => {
      if (!one.result || one.seat === null) return [];
      asked.set(one.code, one);
      const { seed } = one.result;
      return [{ key: one.code, setting: "", seed, spec: { ...setup.spec, seed } }];
    });
    void sweep.run([...sweep.store.getState().pending, ...runs]);
  };
  const made = { sweep, check };
  all.set(name, made);
  return made;
}

/** Doubts that training settles. */
const SETTLED: readonly Doubt["kind"][] = ["contradicted", "copied"];

/** Codes of which training can say more than is known. */
export function openCodes(handed: readonly Handed[]): Handed[] {
  return handed.filter(
    ({ result, seat, isChecked, doubt }) =>
      result && seat !== null && !isChecked && (doubt === null || SETTLED.includes(doubt.kind)),
  );
}

/** What to check next: a doubt that training can settle comes first, then any that nobody has checked. */
export function nextToCheck(handed: readonly Handed[], random: () => number): Handed | null {
  const open = openCodes(handed);
  const doubtful = open.filter(({ doubt }) => doubt !== null);
  const candidates = doubtful.length > 0 ? doubtful : open;
  return candidates[Math.floor(random() * candidates.length)] ?? null;
}
