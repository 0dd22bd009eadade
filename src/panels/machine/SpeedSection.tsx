/** The benchmark's button and table, and the resulting times of the presets. */
import {
  engineTitle,
  trainRate,
  type ExpectedTime,
  type MachineReport,
  type Timing,
} from "../../runtime/machineReport.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { capacityWords } from "./capacity.ts";
import { FORMULA, timeFormula } from "./formula.ts";
import { bytesWords, msWords, rateWords, secondsWords, words } from "./words.ts";
import { Folded } from "../../ui/Folded.tsx";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";

interface SpeedProps {
  report: MachineReport;
  /** Whether the worker is busy. */
  working: boolean;
  /** Whether a run is in progress. */
  busy: boolean;
  seconds: number;
  onMeasure: () => void;
}

export function SpeedSection({ report, working, busy, seconds, onMeasure }: SpeedProps) {
  const { timings, unmeasured, state } = report;
  return (
    <section className="panel" aria-labelledby="machine-speed" data-testid="machine-speed">
      <h2 id="machine-speed">{words.speed}</h2>
      <p className="note">{`${words.speedNote} ${seconds} s.`}</p>
      <Button
        look="primary"
        data-testid="measure"
        disabled={working || busy}
        aria-describedby={busy ? "machine-busy" : undefined}
        onClick={onMeasure}
      >
        {state === "measuring" && working ? words.measuring : words.measure}
      </Button>
      {busy && (
        <p id="machine-busy" className="notice notice-stale" data-testid="machine-busy">
          {words.busy}
        </p>
      )}
      {timings.length > 0 ? <TimingTable timings={timings} /> : <Empty>{words.notMeasured}</Empty>}
      {unmeasured.length > 0 && (
        <>
          <p className="note">{words.leftOut}</p>
          <ul className="note">
            {unmeasured.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function TimingTable({ timings }: { timings: Timing[] }) {
  return (
    <DataTable
      label={words.speed}
      className="figures"
      testId="timings"
      columns={TIMING_COLUMNS}
      rows={timings}
      keyOf={(timing) => `${engineTitle(timing)} ${timing.model}`}
    />
  );
}

const noted = (text: string, note: string) => (
  <>
    {text}
    <span className="note">{note}</span>
  </>
);

const TIMING_COLUMNS: readonly TableColumn<Timing>[] = [
  { id: "engine", head: words.engine, kind: "name", cell: engineTitle },
  { id: "model", head: words.model, cell: ({ model }) => model },
  {
    id: "training",
    head: `${words.training}, tokens`,
    cell: (timing) => noted(rateWords(trainRate(timing)), stepWords(timing)),
  },
  {
    id: "decoding",
    head: `${words.decoding}, tokens`,
    cell: ({ decodeRate, rows }) => noted(rateWords(decodeRate), `${rows} episodes side by side`),
  },
  { id: "memory", head: words.memory, cell: ({ bytes }) => bytesWords(bytes) },
];

function stepWords({ tokens, stepMs, steps }: Timing): string {
  const times = steps === 0 ? "the first step" : `median of ${steps}`;
  return `${tokens} in ${msWords(stepMs)}, ${times}`;
}

/** A preset's whole run on a slow machine, in words. */
export interface PresetEstimate {
  preset: string;
  title: string;
  about: string;
  time: string;
}

interface ExpectProps {
  report: MachineReport;
  estimates: readonly PresetEstimate[];
}

export function ExpectSection({ report, estimates }: ExpectProps) {
  const { expectations } = report;
  const capacity = capacityWords(report);
  return (
    <section className="panel" aria-labelledby="machine-expect" data-testid="machine-expect">
      <h2 id="machine-expect">{words.expect}</h2>
      {expectations.length > 0 ? (
        <>
          <ExpectTable expectations={expectations} />
          <p className="note">{words.formulaNote}</p>
          <Folded title="How this is computed">
            <p>{`Seconds = ${FORMULA}`}</p>
            {expectations.map((one) => (
              <p key={one.preset} className="formula">
                {`${one.preset}: ${timeFormula(one, report)}`}
              </p>
            ))}
          </Folded>
        </>
      ) : (
        <>
          <p className="note">{words.estimated}</p>
          <EstimateTable estimates={estimates} />
        </>
      )}
      {capacity !== null && <p className="note">{capacity}</p>}
    </section>
  );
}

function EstimateTable({ estimates }: { estimates: readonly PresetEstimate[] }) {
  return (
    <DataTable
      label={words.expect}
      className="figures"
      testId="estimates"
      columns={ESTIMATE_COLUMNS}
      rows={estimates}
      keyOf={({ preset }) => preset}
    />
  );
}

const ESTIMATE_COLUMNS: readonly TableColumn<PresetEstimate>[] = [
  {
    id: "preset",
    head: words.preset,
    kind: "name",
    cell: ({ title, about }) => noted(title, about),
  },
  { id: "run", head: words.wholeRun, cell: ({ time }) => `about ${time}` },
];

function ExpectTable({ expectations }: { expectations: ExpectedTime[] }) {
  return (
    <DataTable
      label={words.expect}
      className="figures"
      testId="expectations"
      columns={EXPECT_COLUMNS}
      rows={expectations}
      keyOf={({ preset }) => preset}
      rowProps={({ preset }) => ({ "data-preset": preset })}
    />
  );
}

const EXPECT_COLUMNS: readonly TableColumn<ExpectedTime>[] = [
  {
    id: "preset",
    head: words.preset,
    kind: "name",
    cell: ({ preset, model }) => noted(preset, `model ${model}`),
  },
  {
    id: "one",
    head: words.oneMethod,
    cell: ({ seconds }) => `at most ${secondsWords(seconds)}`,
  },
  {
    id: "all",
    head: words.allMethods,
    cell: ({ seconds, methods }) =>
      noted(`at most ${secondsWords(seconds * methods)}`, `${methods} methods`),
  },
  { id: "memory", head: words.memory, cell: ({ bytes }) => `about ${bytesWords(bytes)}` },
];
