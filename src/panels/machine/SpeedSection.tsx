/** The benchmark's button and table, and what follows for the presets. */
import {
  engineTitle,
  trainRate,
  type ExpectedTime,
  type MachineReport,
  type Timing,
} from "../../runtime/machineReport.ts";
import { capacityWords } from "./capacity.ts";
import { FORMULA, formulaOf } from "./formula.ts";
import { bytesWords, msWords, rateWords, secondsWords, words } from "./words.ts";

interface SpeedProps {
  report: MachineReport;
  /** Whether the worker is at something. */
  working: boolean;
  /** Whether a run is going on. */
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
      <button
        type="button"
        className="primary"
        data-testid="measure"
        disabled={working || busy}
        aria-describedby={busy ? "machine-busy" : undefined}
        onClick={onMeasure}
      >
        {state === "measuring" && working ? words.measuring : words.measure}
      </button>
      {busy && (
        <p id="machine-busy" className="notice notice-stale" data-testid="machine-busy">
          {words.busy}
        </p>
      )}
      {timings.length > 0 ? (
        <TimingTable timings={timings} />
      ) : (
        <p className="empty">{words.notMeasured}</p>
      )}
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
    <div className="table-scroll" tabIndex={0} role="group" aria-label={words.speed}>
      <table className="figures" data-testid="timings">
        <thead>
          <tr>
            <th scope="col">{words.engine}</th>
            <th scope="col">{words.model}</th>
            <th scope="col">{`${words.training}, tokens`}</th>
            <th scope="col">{`${words.decoding}, tokens`}</th>
            <th scope="col">{words.memory}</th>
          </tr>
        </thead>
        <tbody>
          {timings.map((timing) => (
            <tr key={`${engineTitle(timing)} ${timing.model}`}>
              <th scope="row">{engineTitle(timing)}</th>
              <td>{timing.model}</td>
              <td>
                {rateWords(trainRate(timing))}
                <span className="note">{stepWords(timing)}</span>
              </td>
              <td>
                {rateWords(timing.decodeRate)}
                <span className="note">{`${timing.rows} episodes side by side`}</span>
              </td>
              <td>{bytesWords(timing.bytes)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function stepWords({ tokens, stepMs, steps }: Timing): string {
  const times = steps === 0 ? "the first step" : `median of ${steps}`;
  return `${tokens} in ${msWords(stepMs)}, ${times}`;
}

export function ExpectSection({ report }: { report: MachineReport }) {
  const { expectations } = report;
  const capacity = capacityWords(report);
  return (
    <section className="panel" aria-labelledby="machine-expect" data-testid="machine-expect">
      <h2 id="machine-expect">{words.expect}</h2>
      {expectations.length > 0 ? (
        <>
          <ExpectTable expectations={expectations} />
          <p className="note">{words.formulaNote}</p>
          <details>
            <summary>How this is computed</summary>
            <p>{`Seconds = ${FORMULA}`}</p>
            {expectations.map((one) => (
              <p key={one.preset} className="formula">
                {`${one.preset}: ${formulaOf(one, report)}`}
              </p>
            ))}
          </details>
        </>
      ) : (
        <p className="empty">{words.expectNone}</p>
      )}
      {capacity !== null && <p className="note">{capacity}</p>}
    </section>
  );
}

function ExpectTable({ expectations }: { expectations: ExpectedTime[] }) {
  return (
    <div className="table-scroll" tabIndex={0} role="group" aria-label={words.expect}>
      <table className="figures" data-testid="expectations">
        <thead>
          <tr>
            <th scope="col">{words.preset}</th>
            <th scope="col">{words.oneMethod}</th>
            <th scope="col">{words.allMethods}</th>
            <th scope="col">{words.memory}</th>
          </tr>
        </thead>
        <tbody>
          {expectations.map(({ preset, model, seconds, methods, bytes }) => (
            <tr key={preset} data-preset={preset}>
              <th scope="row">
                {preset}
                <span className="note">{`model ${model}`}</span>
              </th>
              <td>{`at most ${secondsWords(seconds)}`}</td>
              <td>
                {`at most ${secondsWords(seconds * methods)}`}
                <span className="note">{`${methods} methods`}</span>
              </td>
              <td>{`about ${bytesWords(bytes)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
