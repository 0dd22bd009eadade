/** Six ways to cheat, each with the desk that tries it and what the teacher's page should say. */
import { sealed } from "../../src/reading/classroom/resultCode.ts";

export interface Cheat {
  desk: number;
  what: string;
  /** The code that it hands in. @param own its honest one; @param codeOf honest codes of other desks. */
  code(own: string, codeOf: (desk: number) => string): string;
  /** What it trains: another desk's seed, other settings, or the same desk of another class. */
  trains?: { desk?: number; changes?: Record<string, string>; name?: string };
  /** Doubts that find it, as the table names them. */
  found: readonly string[];
}

/** Places of a code's parts. */
export const PART = { seed: 2, prediction: 3, fingerprint: 4, curves: 5 };

/** With one part changed, and a check that fits. */
export function forged(code: string, part: number, change: (text: string) => string): string {
  const parts = code.split("~").slice(0, -1);
  parts[part] = change(parts[part]!);
  return sealed(parts.join("~"));
}

const seedOf = (code: string) => code.split("~")[PART.seed]!;

/** Between 90 and 95 %, whatever it was. */
const better = (curves: string) => curves.replace(/^(\w+),[^,]+,[^,]+/, "$1,0.9,0.95");

const otherFingerprint = (text: string) => [...text].reverse().join("");

export const CHEATS: readonly Cheat[] = [
  {
    desk: 4,
    what: "raises its curve",
    code: (own) => forged(own, PART.curves, better),
    found: ["notReproduced"],
  },
  {
    desk: 9,
    what: "hands in desk 10's run as its own",
    code: (own, codeOf) => forged(codeOf(10), PART.seed, () => seedOf(own)),
    found: ["copied", "notReproduced"],
  },
  {
    desk: 15,
    what: "trains the seed of no desk",
    trains: { desk: 77 },
    code: (own) => own,
    found: ["noSeat"],
  },
  {
    desk: 21,
    what: "trains another experiment",
    trains: { changes: { "optimisation.actorLr": "3e-3" } },
    code: (own) => own,
    found: ["otherExperiment"],
  },
  {
    desk: 28,
    what: "makes a fingerprint up",
    code: (own) => forged(own, PART.fingerprint, otherFingerprint),
    found: ["notReproduced"],
  },
  {
    desk: 29,
    what: "hands in a friend's code of another class",
    trains: { name: "Thursday" },
    code: (own) => own,
    found: ["noSeat"],
  },
];
