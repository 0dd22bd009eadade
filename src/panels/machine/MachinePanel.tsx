/** The "This machine" page: in short, engines, speed, what to expect, the computer. */
import { engineTitle, type MachineReport } from "../../runtime/machineReport.ts";
import { ComputerSection } from "./ComputerSection.tsx";
import { EngineSection } from "./EngineSection.tsx";
import { ExpectSection, SpeedSection } from "./SpeedSection.tsx";
import { secondsWords, words } from "./words.ts";

export interface MachinePanelProps {
  report: MachineReport;
  /** Whether the worker is at something. */
  working: boolean;
  /** Whether a run is going on, beside which nothing is measured. */
  busy: boolean;
  /** That the measurement takes, about. */
  seconds: number;
  onAgain: () => void;
  onMeasure: () => void;
}

export function MachinePanel(props: MachinePanelProps) {
  const { report, working, onAgain } = props;
  return (
    <>
      <section className="panel" aria-labelledby="machine-summary" data-testid="machine-summary">
        <h2 id="machine-summary">{words.summary}</h2>
        <Choice report={report} />
        <p>{outlook(report)}</p>
        <div className="buttons">
          <button type="button" data-testid="check-again" disabled={working} onClick={onAgain}>
            {report.state === "examining" && working ? words.checking : words.again}
          </button>
        </div>
      </section>
      <EngineSection report={report} />
      <SpeedSection {...props} />
      <ExpectSection report={report} />
      <ComputerSection report={report} />
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

function outlook({ expectations, choice }: MachineReport): string {
  if (!choice) return "";
  if (expectations.length === 0) return words.measureFirst;
  const each = expectations.map(({ preset, seconds, methods }) => {
    return `${secondsWords(seconds * methods)} in preset ${preset}`;
  });
  return `An iteration of all methods takes at most ${each.join(", ")}.`;
}
