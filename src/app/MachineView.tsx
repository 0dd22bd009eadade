/** The "This machine" page, around its panel: worker, live region, copying. */
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { machineText } from "../panels/machine/machineText.ts";
import { MachinePanel } from "../panels/machine/MachinePanel.tsx";
import { words } from "../panels/machine/words.ts";
import { engineTitle, type MachineReport } from "../runtime/machineReport.ts";
import { savePower } from "../runtime/client.ts";
import { preferences, setPreferences } from "../store/preferences.ts";
import { runQueue } from "../store/runQueue.ts";
import { listPresets } from "../spec/presets.ts";
import { presetTime, roughly } from "./presetTime.ts";
import { createMachineSession } from "./machineState.ts";
import { MODEL_HASH } from "./route.ts";
import { appWords } from "./strings.ts";
import { ViewHead } from "./ViewHead.tsx";
import { copyText } from "../ui/clipboard.ts";
import { Trouble } from "../ui/Trouble.tsx";
import { Button } from "../ui/Button.tsx";

/** One for the lifetime of the page: leaving the view and coming back shows the same report. */
const machine = createMachineSession();

/** Whole runs of the presets, until something has been measured here. */
const ESTIMATES = listPresets().flatMap(({ name, title, about }) => {
  const time = presetTime(name, null);
  return time ? [{ preset: name, title, about, time: roughly(time.seconds) }] : [];
});

interface MachineViewProps {
  /** Address of the notebook. */
  back: string;
}

export function MachineView({ back }: MachineViewProps) {
  const { report, working, problem } = useStore(machine.store);
  const lowPower = useStore(preferences, (chosen) => chosen.lowPower);
  // Whether anything is training, e.g. a sweep or a run of another notebook: a paused one does not
  // count.
  const busy = useStore(runQueue, ({ current }) => current !== null);
  const seconds = benchmarkSeconds();
  useEffect(() => {
    savePower(preferences.getState().lowPower);
    machine.open();
    return machine.close;
  }, []);
  return (
    <article className="machine" data-testid="machine" data-state={report?.state ?? "opening"}>
      <ViewHead words={words} back={back}>
        {report && <CopyButton report={report} />}
        <a href={MODEL_HASH}>{appWords.model}</a>
      </ViewHead>
      <p role="status" className="machine-doing" data-testid="machine-doing">
        {doingWords(report, working)}
      </p>
      {problem && (
        <Trouble
          title={words.problem}
          message={problem.message}
          action={`${appWords.whatToDo} ${problem.action}`}
          again={words.retry}
          onAgain={machine.again}
          testId="machine-problem"
        />
      )}
      {report && (
        <MachinePanel
          report={report}
          working={working}
          busy={busy}
          seconds={seconds}
          estimates={ESTIMATES}
          lowPower={lowPower}
          onAgain={machine.again}
          onLowPower={takeLowPower}
          onMeasure={() => machine.measure(seconds)}
        />
      )}
    </article>
  );
}

function takeLowPower(lowPower: boolean): void {
  setPreferences({ lowPower });
  savePower(lowPower);
  machine.anew();
}

/** Announced by screen readers when it changes. */
function doingWords(report: MachineReport | null, working: boolean): string {
  if (!report) return working ? words.unknown : "";
  if (working) return report.doing === null ? words.unknown : `${report.doing} …`;
  const right = report.engines.filter(({ state }) => state === "ready").map(engineTitle);
  const wrong = report.engines.filter(({ state }) => state === "refused").map(engineTitle);
  const checked =
    right.length > 0 ? `Checked and correct: ${right.join(", ")}.` : "No engine is correct.";
  const refused = wrong.length > 0 ? ` Incorrect, not used: ${wrong.join(", ")}.` : "";
  return `${checked}${refused}${report.state === "measured" ? " Measured." : ""}`;
}

const DEFAULT_SECONDS = 5;

/** `?benchmark=1` makes it shorter or longer: for tests, and for more precise figures. */
function benchmarkSeconds(): number {
  const asked = Number(new URLSearchParams(location.search).get("benchmark"));
  return asked >= 0.1 && asked <= 120 ? asked : DEFAULT_SECONDS;
}

type CopyState = "no" | "yes" | "refused";

function CopyButton({ report }: { report: MachineReport }) {
  const [copied, setCopied] = useState<CopyState>("no");
  const text = machineText(report);
  const copy = async () => setCopied((await copyText(text)) ? "yes" : "refused");
  return (
    <>
      <Button data-testid="copy-machine" onClick={() => void copy()}>
        {words.copy}
      </Button>
      <span role="status" data-testid="machine-copied">
        {copied === "yes" && words.copied}
        {copied === "refused" && (
          <label>
            {words.notCopied}
            <textarea readOnly rows={8} value={text} onFocus={({ target }) => target.select()} />
          </label>
        )}
      </span>
    </>
  );
}
