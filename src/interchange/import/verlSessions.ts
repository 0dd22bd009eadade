/**
 * Rows of verl's trainer V1, whose `uid` is `{uid}_{session}_{output}`
 * (`verl/trainer/ppo/v1/trainer_base.py`): a session is one rollout of a task, and an agent loop
 * may return several outputs in it, usually one per turn, each with the score of the final one
 * copied to it. Split from the right, since the task's own uid may contain anything.
 */
import type { Fields } from "./values.ts";
import { textOrNull } from "./values.ts";

/** One rollout: its rows in the order of their outputs. */
export interface VerlSession {
  step: number;
  /** The common name of rows of one task. */
  group: string;
  rows: Fields[];
  /** Whether group and outputs were in the uid; otherwise the row is alone and its whole uid names the group. */
  keyed: boolean;
  /** Whether an earlier output of it is missing. */
  incomplete: boolean;
}

interface HeldRow {
  row: Fields;
  step: number;
  uid: string;
  group: string;
  session: string;
  output: number;
}

const KEY = /^(.+)_(\d+)_(\d+)$/s;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Collects the rows of a file until it is complete. */
export class Sessions {
  /** Repeated rows, which count once. */
  repeated = 0;
  #held: HeldRow[] = [];
  /** What was written under each uid, in this file and earlier ones. */
  #seen = new Map<string, string>();
  #doubled = false;

  /** False if the row has no such uid. @param run the run that its uids belong to */
  take(row: Fields, step: number, run: string): boolean {
    const uid = textOrNull(row["uid"]) ?? "";
    const [, group, session, output] = KEY.exec(uid) ?? [];
    if (group === undefined || session === undefined) return false;
    const place = `${run} ${step} ${uid}`;
    const text = `${textOrNull(row["input"])}\n${textOrNull(row["output"])}`;
    const before = this.#seen.get(place);
    if (before === text) this.repeated++;
    else {
      // A uid of several answers names their task, whatever it looks like.
      if (before !== undefined) this.#doubled = true;
      this.#seen.set(place, text);
      this.#held.push({ row, step, uid, group, session, output: Number(output) });
    }
    return true;
  }

  /** Returns the sessions of the collected rows and clears them. */
  drain(): VerlSession[] {
    const held = this.#held;
    const sessions = this.#doubled ? [] : sessionsOf(held);
    this.#held = [];
    const areKeys =
      !this.#doubled && sessions.every((rows) => UUID.test(rows[0]!.group) || isWhole(rows));
    this.#doubled = false;
    if (!areKeys) return held.map(aloneOf);
    return sessions.map((rows) => ({
      step: rows[0]!.step,
      group: rows[0]!.group,
      rows: rows.map(({ row }) => row),
      keyed: true,
      incomplete: !isWhole(rows),
    }));
  }
}

function sessionsOf(held: readonly HeldRow[]): HeldRow[][] {
  const sessions = new Map<string, HeldRow[]>();
  for (const one of held) {
    const key = `${one.step} ${one.group} ${one.session}`;
    const rows = sessions.get(key);
    if (rows) rows.push(one);
    else sessions.set(key, [one]);
  }
  return [...sessions.values()].map((rows) => rows.sort((a, b) => a.output - b.output));
}

/** Whether its outputs are numbered from 0 without a gap. */
function isWhole(rows: readonly HeldRow[]): boolean {
  return rows.every(({ output }, i) => output === i);
}

function aloneOf({ row, step, uid }: HeldRow): VerlSession {
  return { step, group: uid, rows: [row], keyed: false, incomplete: false };
}
