/** The "This machine" page: summary, engines, speed, expected times, the computer. */
import { engineTitle, type MachineReport } from "../../runtime/machineReport.ts";
import { ComputerSection } from "./ComputerSection.tsx";
import { EngineSection } from "./EngineSection.tsx";
import { ExpectSection, SpeedSection, type PresetEstimate } from "./SpeedSection.tsx";
import { timesOf, verdictOf } from "./verdict.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

interface MachinePanelProps {
  report: MachineReport;
  /** Whether the worker is busy. */
  working: boolean;
  /** Whether a run is in progress, during which nothing is measured. */
  busy: boolean;
  /** Approximate duration of the measurement. */
  seconds: number;
  /** Shown before anything is measured. */
  estimates: readonly PresetEstimate[];
  /** Whether to prefer the graphics card that saves power. */
  lowPower: boolean;
  onAgain: () => void;
  onLowPower: (on: boolean) => void;
  onMeasure: () => void;
}

export function MachinePanel(props: MachinePanelProps) {
  const { report, working, onAgain } = props;
  return (
    <>
      <div className="machine-top">
        <section className="panel" aria-labelledby="machine-summary" data-testid="machine-summary">
          <h2 id="machine-summary" className="machine-verdict" data-testid="machine-verdict">
            {verdictOf(report) ?? words.unknown}
          </h2>
          {report.choice && (
            <p data-testid="machine-times">{timesOf(report) ?? words.measureFirst}</p>
          )}
          {report.choice?.name === "wasm" && <p className="note">{words.verdict.sameNumbers}</p>}
          <div className="buttons">
            <Button data-testid="check-again" disabled={working} onClick={onAgain}>
              {report.state === "examining" && working ? words.checking : words.again}
            </Button>
          </div>
        </section>
        <SpeedSection {...props} />
      </div>
      <ExpectSection report={report} estimates={props.estimates} />
      <details className="machine-details" data-testid="machine-details">
        <summary>{words.details}</summary>
        <Choice report={report} />
        <EngineSection report={report} />
        <ComputerSection {...props} />
      </details>
    </>
  );
}

function Choice({ report: { choice, state, engines } }: { report: MachineReport }) {
  if (!choice) return <p>{state === "examining" ? words.unknown : words.nothing}</p>;
  const { adapter } = engines.find(
    ({ name, backend }) => name === choice.name && backend === choice.backend,
  )!;
  return (
    <>
      <p data-testid="machine-choice">
        {words.takes} <strong>{engineTitle(choice)}</strong>
        {adapter === null ? "." : ` (${adapter}).`}
      </p>
      {choice.fallback !== null && <p className="fallback">{choice.fallback}</p>}
    </>
  );
}
