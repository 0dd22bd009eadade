/** A teacher's part: the class's link, the codes that come back, which of them count, and what the class found. */
import { useEffect, useMemo } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import {
  readClass,
  type ClassSetup,
  type Doubt,
  type Handed,
  isReproducedBy,
} from "../../reading/classroom/classResults.ts";
import { clearCodes, type Classroom } from "../../store/classroom.ts";
import { Button } from "../../ui/Button.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { bookAddressOf, bookHash } from "../book/bookAddress.ts";
import { ClassAdd } from "./ClassAdd.tsx";
import { ClassFound } from "./ClassFound.tsx";
import { ClassLink } from "./ClassLink.tsx";
import { classWords as words } from "./words.ts";
import { setupOf } from "../../reading/classroom/resultCode.ts";
import { hasLog, type SweepRuns } from "../../store/sweepRuns.ts";
import { createSweep } from "../book/cells/sweep/bookSweeps.ts";

interface CodesProps {
  setup: ClassSetup;
  room: StoreApi<Classroom>;
  fields: FieldsOf<"class">;
}

export function ClassCodes({ setup, room, fields }: CodesProps) {
  const { codes, checks } = useStore(room);
  const handed = useMemo(() => readClass(setup, codes, null, checks), [setup, codes, checks]);
  // The link of a code leads back to here.
  useEffect(() => room.setState({ home: bookHash(bookAddressOf(location.hash)) }), [room]);
  const fine = handed.filter(({ doubt }) => doubt === null).length;
  return (
    <div className="class-codes" data-testid="class-codes">
      <ClassLink {...{ setup, room, fields }} />
      <ClassAdd room={room} />
      <p role="status" data-testid="class-count">
        {codes.length === 0 ? "" : words.counts(fine, handed.length)}
      </p>
      {codes.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <>
          <ClassFound {...{ setup, handed, fields }} />
          <Checks {...{ setup, room, handed }} />
          <Codes {...{ setup, room, handed }} options={fields.options} />
          <Button data-testid="class-clear" onClick={() => clearCodes(room)}>
            {words.clear}
          </Button>
        </>
      )}
    </div>
  );
}

interface HandedProps {
  setup: ClassSetup;
  room: StoreApi<Classroom>;
  handed: readonly Handed[];
}

/** The code to check is chosen at random, so that nobody knows it in advance. */
function Checks({ setup, room, handed }: HandedProps) {
  const { sweep, check } = checksOf(setup, room);
  const left = useStore(sweep.store, ({ pending }) => pending.length);
  const pick = () => {
    const one = nextToCheck(handed, Math.random);
    if (one) check([one]);
  };
  const isDone = nextToCheck(handed, () => 0) === null;
  const checkAll = () => check(openCodes(handed));
  return (
    <div className="buttons">
      {left > 0 ? (
        <Button data-testid="class-stop" onClick={() => sweep.stop()}>
          {words.stopChecks}
        </Button>
      ) : (
        <>
          <Button data-testid="class-check" disabled={isDone} onClick={pick}>
            {words.checkOne}
          </Button>
          <Button data-testid="class-check-all" disabled={isDone} onClick={checkAll}>
            {words.checkAll}
          </Button>
        </>
      )}
      <span className="note" role="status" data-testid="class-checking">
        {left > 0 ? words.checking(left) : isDone ? words.checkedAll : words.checkHint}
      </span>
    </div>
  );
}

function Codes({ setup, room, handed, options }: HandedProps & { options: readonly string[] }) {
  const { check } = checksOf(setup, room);
  return (
    <DataTable
      label={words.table}
      testId="class-table"
      rows={handed}
      keyOf={({ code }) => code}
      rowProps={({ doubt }) => ({ "data-doubt": doubt?.kind })}
      columns={[
        { id: "desk", head: words.desk, kind: "number", cell: ({ seat }) => seat ?? "–" },
        {
          id: "predicted",
          head: words.predicted,
          cell: ({ result }) => options[(result?.prediction ?? 0) - 1] ?? "–",
        },
        { id: "standing", head: words.standing, cell: standingOf },
        {
          id: "check",
          head: words.check,
          cell: (one) =>
            one.result &&
            one.seat !== null && (
              <Button look="quiet" onClick={() => check([one])}>
                {words.checkThis(one.seat)}
              </Button>
            ),
        },
      ]}
    />
  );
}

function standingOf({ doubt, isChecked }: Handed): string {
  if (doubt === null) return isChecked ? words.checked : words.fine;
  return reasonOf(doubt);
}

function reasonOf(doubt: Doubt): string {
  switch (doubt.kind) {
    case "unreadable":
      return doubt.why;
    case "contradicted":
      return words.why.contradicted(doubt.seat);
    case "again":
      return words.why.again(doubt.seat);
    case "copied":
      return words.why.copied(doubt.seats);
    default:
      return words.why[doubt.kind];
  }
}

// Spot checks of a class: a code's seed is trained again on this page, and what comes out is compared with the code.

const all = new Map<string, ClassChecks>();

/** The runs of the checks, each under its code. */
interface ClassChecks {
  sweep: SweepRuns;
  /** Trains these again, one after the other. */
  check(handed: readonly Handed[]): void;
}

function checksOf(setup: ClassSetup, room: StoreApi<Classroom>): ClassChecks {
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
function openCodes(handed: readonly Handed[]): Handed[] {
  return handed.filter(
    ({ result, seat, isChecked, doubt }) =>
      result && seat !== null && !isChecked && (doubt === null || SETTLED.includes(doubt.kind)),
  );
}

/** What to check next: a doubt that training can settle comes first, then any that nobody has checked. */
function nextToCheck(handed: readonly Handed[], random: () => number): Handed | null {
  const open = openCodes(handed);
  const doubtful = open.filter(({ doubt }) => doubt !== null);
  const candidates = doubtful.length > 0 ? doubtful : open;
  return candidates[Math.floor(random() * candidates.length)] ?? null;
}
