/** The page of the reader's own model: a folder is chosen or dropped, looked at, loaded, and writes. */
import { useEffect, useEffectEvent, useState } from "react";
import { useStore } from "zustand";
import type { ModelReport } from "../../runtime/modelReport.ts";
import { ExperimentContext, type ExperimentHandle } from "../../store/hooks.ts";
import { Button } from "../../ui/Button.tsx";
import { InlineField } from "../../ui/Field.tsx";
import { Trouble } from "../../ui/Trouble.tsx";
import { ViewHead } from "../ViewHead.tsx";
import { AddressForm } from "./AddressForm.tsx";
import { ChooseButton } from "../../panels/shared/ask/ChooseButton.tsx";
import { EpisodePanel } from "./EpisodePanel.tsx";
import { KeptList } from "./KeptList.tsx";
import type { NamedFiles } from "../../store/keptModels.ts";
import { FolderFactsPanel, PlanPanel } from "./FolderPanels.tsx";
import type { ChosenFolder } from "../../store/folderFiles.ts";
import { droppedFolder } from "./droppedFolder.ts";
import { createModelSession } from "./modelState.ts";
import { TalkPanel } from "./TalkPanel.tsx";
import { words } from "./words.ts";
import "./model.css";

/** One for the lifetime of the page: a loaded model is there again when the reader comes back. */
const session = createModelSession();

/** How a folder is read. */
type ReadingChoice = Parameters<typeof session.reopen>[0];

interface ModelViewProps {
  /** Address of the notebook. */
  back: string;
  /** Whose episode can be scored. */
  experiment: ExperimentHandle | undefined;
}

export function ModelView({ back, experiment }: ModelViewProps) {
  const { report, saying, failure } = useStore(session.store);
  const [how, setHow] = useState<ReadingChoice>({ backend: "auto", weights: "stored" });
  const open = (folder: NamedFiles | null) => folder && session.open({ ...folder, ...how });
  const change = (news: Partial<ReadingChoice>) => {
    setHow({ ...how, ...news });
    session.reopen({ ...how, ...news });
  };
  const over = useFolderDrop(open);
  const state = report?.state ?? "empty";
  return (
    <article className="machine model-page" data-testid="model" data-state={state}>
      <ViewHead words={words} back={back} />
      <section className="panel" aria-label={words.folder} data-over={over || undefined}>
        <ChooseFolder isAnother={report !== null} how={how} onChange={change} onOpen={open} />
        <AddressForm session={session} onOpen={open} />
        <p role="status" className="machine-doing" data-testid="model-doing">
          {words.doing[state]}
        </p>
        <KeptList onOpen={open} />
      </section>
      <Problems report={report} failure={failure} />
      {report?.folder && <FolderFactsPanel folder={report.folder} hashed={report.hashed} />}
      {report?.plan && (
        <PlanPanel
          report={report}
          plan={report.plan}
          onLoad={session.load}
          onMeasure={session.measure}
        />
      )}
      {report?.folder && (state === "ready" || state === "busy") && (
        <TalkPanel
          folder={report.folder}
          session={session}
          saying={saying}
          isBusy={state === "busy"}
          form={how.weights}
        />
      )}
      {experiment && (state === "ready" || state === "busy") && (
        <ExperimentContext value={experiment}>
          <EpisodePanel session={session} saying={saying} isBusy={state === "busy"} />
        </ExperimentContext>
      )}
    </article>
  );
}

interface ProblemsProps {
  report: ModelReport | null;
  failure: { message: string; action: string } | null;
}

function Problems({ report, failure }: ProblemsProps) {
  const problem = failure ?? report?.problem;
  if (!problem) return null;
  return (
    <Trouble
      title={failure ? words.failed : words.refused}
      message={problem.message}
      action={`${words.whatToDo} ${problem.action}`}
      testId="model-problem"
    />
  );
}

interface ChooseFolderProps {
  isAnother: boolean;
  how: ReadingChoice;
  onChange: (news: Partial<ReadingChoice>) => void;
  onOpen: (folder: ChosenFolder | null) => void;
}

function ChooseFolder({ isAnother, how, onChange, onOpen }: ChooseFolderProps) {
  return (
    <div className="model-choose">
      <ChooseButton
        label={isAnother ? words.another : words.choose}
        {...(!isAnother && { look: "primary" as const })}
        onOpen={onOpen}
      />
      <Choice
        label={words.backend}
        testId="model-backend"
        titles={words.backends}
        value={how.backend}
        onPick={(backend) => onChange({ backend: backend as ReadingChoice["backend"] })}
      />
      <Choice
        label={words.weights}
        testId="model-weights"
        titles={words.forms}
        value={how.weights}
        onPick={(weights) => onChange({ weights: weights as ReadingChoice["weights"] })}
      />
      <span className="note">{words.orDrop}</span>
      {isAnother && (
        <Button look="quiet" data-testid="model-close" onClick={session.close}>
          {words.close}
        </Button>
      )}
    </div>
  );
}

interface ChoiceProps {
  label: string;
  testId: string;
  titles: Readonly<Record<string, string>>;
  value: string;
  onPick: (value: string) => void;
}

function Choice({ label, testId, titles, value, onPick }: ChoiceProps) {
  return (
    <InlineField label={label}>
      <select value={value} data-testid={testId} onChange={({ target }) => onPick(target.value)}>
        {Object.entries(titles).map(([name, title]) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
    </InlineField>
  );
}

const DRAGS = ["dragover", "dragleave", "drop"] as const;

/** Takes what is dropped on this page before the import of runs does. Returns whether files are above it. */
function useFolderDrop(take: (folder: ChosenFolder | null) => void): boolean {
  const [over, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    const data = event.dataTransfer;
    if (!data?.types.includes("Files")) return;
    // Without the first the browser would navigate to the file.
    event.preventDefault();
    event.stopPropagation();
    const left = event.type === "dragleave" && event.relatedTarget === null;
    setOver(event.type !== "drop" && !left);
    if (event.type === "drop") void droppedFolder(data).then(take);
  });
  useEffect(() => {
    const listener = (event: DragEvent) => onDrag(event);
    for (const type of DRAGS) window.addEventListener(type, listener, true);
    return () => {
      for (const type of DRAGS) window.removeEventListener(type, listener, true);
    };
  }, []);
  return over;
}
