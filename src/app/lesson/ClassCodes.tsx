/** A teacher's part: codes by paste or file, which of them count, and what the class found. */
import { useMemo, useRef, useState } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import { IterationChart } from "../../charts/IterationChart.tsx";
import type { FieldsOf } from "../../notebook/cellFields.ts";
import { namedMetrics } from "../../panels/curves/metrics.ts";
import { seedCurves } from "../../panels/curves/seedCurves.ts";
import { panelWords } from "../../panels/shared/strings.ts";
import { learnerNames } from "../../spec/preference.ts";
import {
  countedResults,
  logsOf,
  classOutcome,
  readClass,
  type ClassSetup,
  type Doubt,
  type Handed,
} from "../../reading/classroom/classResults.ts";
import { codesIn, type ResultCode } from "../../reading/classroom/resultCode.ts";
import { titleOf } from "../../reading/titles.ts";
import { addCodes, clearCodes, type Classroom } from "../../store/classroom.ts";
import { Button } from "../../ui/Button.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Field } from "../../ui/Field.tsx";
import { checksOf, nextToCheck } from "./classChecks.ts";
import { classWords as words } from "./words.ts";

interface CodesProps {
  setup: ClassSetup;
  room: StoreApi<Classroom>;
  fields: FieldsOf<"class">;
}

export function ClassCodes({ setup, room, fields }: CodesProps) {
  const { codes, checks } = useStore(room);
  const handed = useMemo(() => readClass(setup, codes, null, checks), [setup, codes, checks]);
  const fine = handed.filter(({ doubt }) => doubt === null).length;
  return (
    <div className="class-codes" data-testid="class-codes">
      <AddCodes room={room} />
      <p role="status" data-testid="class-count">
        {codes.length === 0 ? "" : words.counts(fine, handed.length)}
      </p>
      {codes.length === 0 ? (
        <Empty>{words.none}</Empty>
      ) : (
        <>
          <Found {...{ setup, handed, fields }} />
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

function AddCodes({ room }: { room: StoreApi<Classroom> }) {
  const [text, setText] = useState("");
  const [said, setSaid] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const take = (given: string) => {
    const found = codesIn(given);
    setSaid(words.added(addCodes(room, found), found.length));
    if (found.length > 0) setText("");
  };
  return (
    <>
      <Field label={words.paste} hint={words.pasteHint}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            value={text}
            data-testid="class-paste"
            onChange={({ currentTarget }) => setText(currentTarget.value)}
          />
        )}
      </Field>
      <div className="buttons">
        <Button
          look="primary"
          data-testid="class-add"
          disabled={text.trim() === ""}
          onClick={() => take(text)}
        >
          {words.add}
        </Button>
        <Button onClick={() => file.current?.click()}>{words.file}</Button>
        <input
          ref={file}
          type="file"
          accept=".txt,.csv,.tsv,.md,text/*"
          hidden
          data-testid="class-file"
          onChange={({ currentTarget }) => {
            const [given] = currentTarget.files ?? [];
            if (given) void given.slice(0, MOST_BYTES).text().then(take);
            currentTarget.value = "";
          }}
        />
        <span className="note" role="status">
          {said}
        </span>
      </div>
    </>
  );
}

/** Of a file of codes: far more than a school has. */
const MOST_BYTES = 1_000_000;

function Found({
  setup,
  handed,
  fields,
}: {
  setup: ClassSetup;
  handed: readonly Handed[];
  fields: CodesProps["fields"];
}) {
  const { spec } = setup;
  const results = countedResults(handed);
  const metric = namedMetrics(spec.environment.kind)[setup.metric]!;
  const curves = useMemo(
    () => seedCurves(logsOf(setup, handed), learnerNames(spec), metric),
    [setup, handed, spec, metric],
  );
  return (
    <section aria-label={words.outcome}>
      <h3>
        {words.outcome} <span className="note">{words.runs(results.length)}</span>
      </h3>
      <IterationChart
        title={metric.title}
        hint={metric.hint}
        testId="class-curves"
        curves={curves}
        xName={panelWords.curves.xName}
        xDomain={[0, spec.optimisation.iterations]}
        yDomain={metric.yDomain}
        format={metric.format}
      />
      <Outcome {...{ setup, results, options: fields.options }} />
    </section>
  );
}

interface OutcomeProps {
  setup: ClassSetup;
  results: readonly ResultCode[];
  options: readonly string[];
}

function Outcome({ setup, results, options }: OutcomeProps) {
  const metric = namedMetrics(setup.spec.environment.kind)[setup.metric]!;
  const { n, methods, predictions } = classOutcome(setup, results, options.length);
  return (
    <>
      <DataTable
        testId="class-outcome"
        rows={methods}
        keyOf={({ algorithm }) => algorithm}
        columns={[
          {
            id: "method",
            head: words.method,
            kind: "name",
            cell: ({ algorithm }) => titleOf(algorithm),
          },
          { id: "mean", head: words.mean, kind: "number", cell: ({ mean }) => metric.format(mean) },
          {
            id: "interval",
            head: words.interval,
            kind: "number",
            cell: ({ interval: { low, high } }) =>
              n < 2 ? "–" : `${metric.format(low)} to ${metric.format(high)}`,
          },
          { id: "best", head: words.best, kind: "number", cell: ({ best }) => words.runs(best) },
        ]}
      />
      <DataTable
        testId="class-votes"
        rows={options}
        keyOf={(_, i) => i}
        columns={[
          { id: "option", head: words.option, kind: "name", cell: (option) => option },
          { id: "votes", head: words.votes, kind: "number", cell: (_, i) => predictions[i] },
        ]}
      />
    </>
  );
}

interface HandedProps {
  setup: ClassSetup;
  room: StoreApi<Classroom>;
  handed: readonly Handed[];
}

/** Which code is checked is left to chance: nobody can know it beforehand. */
function Checks({ setup, room, handed }: HandedProps) {
  const { sweep, check } = checksOf(setup, room);
  const left = useStore(sweep.store, ({ pending }) => pending.length);
  const pick = () => {
    const one = nextToCheck(handed, Math.random);
    if (one) check([one]);
  };
  const isDone = nextToCheck(handed, () => 0) === null;
  return (
    <div className="buttons">
      {left > 0 ? (
        <Button data-testid="class-stop" onClick={() => sweep.stop()}>
          {words.stopChecks}
        </Button>
      ) : (
        <Button data-testid="class-check" disabled={isDone} onClick={pick}>
          {words.checkOne}
        </Button>
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
    case "copied":
      return words.why.copied(doubt.seats);
    default:
      return words.why[doubt.kind];
  }
}
