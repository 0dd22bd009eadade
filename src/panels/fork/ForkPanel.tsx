/** Counterfactual fork: what would have happened if the turn at the cursor had been different. */
import { useMemo, useRef, useState } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { FigureView, type GivenPart } from "../../draw/FigureView.tsx";
import type { Act } from "../../figures/choices.ts";
import { keptFigure, resultFigure } from "../../figures/fork/fork.ts";
import { creditsWanted, type CreditsWanted } from "../../figures/fork/numbers.ts";
import { computed } from "../../reading/credit/computed.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { forkRecording } from "../../store/forkRecording.ts";
import { addFork, dropFork, showFork, switchFork } from "../../store/forks.ts";
import { type Fork } from "../../store/forkTypes.ts";
import { useExperiment, useExperimentState } from "../../store/hooks.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { AskStatus } from "../shared/ask/AskStatus.tsx";
import { LiveModel } from "../shared/ask/LiveModel.tsx";
import { TruthButton } from "../shared/ask/TruthButton.tsx";
import { useAsking } from "../shared/ask/useAsking.ts";
import { download } from "../../ui/download.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor, type Cursor } from "../shared/useCursor.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { fork } from "./manifest.ts";
import { ForkForm } from "./ForkForm.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { draftOf, questionOf, type Draft } from "./draft.ts";
import { words } from "./words.ts";
import { useIntoView } from "../../ui/useIntoView.ts";
import { useSliced } from "../../ui/useSliced.ts";
import { Empty } from "../../ui/Empty.tsx";

export function ForkPanel() {
  const cursor = useCursor();
  return (
    <PanelFrame panel={fork} about={words.about} className="fork">
      <Content cursor={cursor} />
    </PanelFrame>
  );
}

function Content({ cursor }: { cursor: Cursor }) {
  const { episode, turn } = cursor;
  if (!episode) return <NoEpisodes panel={fork} />;
  if (!turn) return <Empty>{words.noTurns}</Empty>;
  // Texts, choices and questions belong to one run.
  return <Forks key={cursor.view.log.id} cursor={cursor} episode={episode} />;
}

const FIRST_BRANCHES = 64;

function Forks({ cursor, episode }: { cursor: Cursor; episode: EpisodeRecord }) {
  const { store, session } = useExperiment();
  const { at, view } = cursor;
  const forks = useExperimentState("forks");
  const place = [at.algorithm, at.iteration, at.episode, at.turn, at.fork?.number].join("|");
  const asking = useAsking(place);
  const [draft, change] = useDraft(place, at.turn, episode);
  const [chosen, setChosen] = useState<number | null>(null);
  const shown = forks.find(({ number }) => number === chosen) ?? forks.at(-1) ?? null;
  const { ref, shown: drawn } = useRedraw(shown, view.log);
  const result = useRef<HTMLDivElement>(null);
  useIntoView(drawn?.number, () => drawn?.number === chosen && result.current);
  const run = () => {
    const question = questionOf(draft, at, episode);
    asking.ask(
      (onProgress) => session.ask(question, onProgress),
      (answer) => {
        // Another run may be shown by now.
        if (store.getState().view.log !== view.log) return;
        setChosen(addFork(store, { question, answer }).number);
      },
    );
  };
  const kept = { forks, shown: drawn, inPanels: at.fork, branch: at.branch, log: view.log };
  const does = (act: Act) => {
    if (!("choose" in act)) return;
    const [what, number] = Object.entries(act.choose)[0]!;
    const one = forks.find((fork) => String(fork.number) === number)!;
    if (what === "show") setChosen(one.number);
    else if (what === "drop") dropFork(store, one.number);
    else if (what === "save") saveFork(view.log, one, one === at.fork ? at.branch : 0);
    else if (one === at.fork) store.setState(switchFork);
    else showFork(store, one);
  };
  return (
    <div ref={ref}>
      <LiveModel>
        <ForkForm
          episode={episode}
          turn={at.turn}
          draft={draft}
          busy={asking.progress !== null}
          onTurn={(turn) => cursor.move({ turn, token: null })}
          onRun={run}
          environment={view.log.start?.spec.environment}
          onChange={change}
        />
        <AskStatus {...asking} />
        <TruthButton />
      </LiveModel>
      <div ref={result}>{drawn && <Result fork={drawn} log={view.log} />}</div>
      <FigureView panel={fork.id} figure={keptFigure(kept)} parts={PARTS} does={does} />
    </div>
  );
}

const PARTS = {
  board: ({ given }: GivenPart<{ observation: string }>) => <BoardPicture {...given} />,
};

/** Its credits are computed row after row, so that the page stays responsive. */
function Result({ fork: one, log }: { fork: Fork; log: RunLog }) {
  const truths = useExperimentState("truths");
  const wanted = useMemo(() => creditsWanted(log, one), [log, one]);
  const isComputed = useSliced(wanted, computed<CreditsWanted>) === wanted;
  const figure = useMemo(
    () => resultFigure(wanted, isComputed, truths),
    [wanted, isComputed, truths],
  );
  return <FigureView panel={fork.id} figure={figure} parts={PARTS} does={() => {}} />;
}

function saveFork(log: RunLog, fork: Fork, branch: number): void {
  const { algorithm, iteration } = fork.question;
  const name = `fork-${fork.number}-${algorithm}-${iteration}.jsonl`;
  download(forkRecording(log, fork, branch), name, "application/x-ndjson");
}

/** Edits last as long as the cursor is on the turn. */
function useDraft(place: string, turn: number, episode: EpisodeRecord) {
  const [kept, setKept] = useState<Draft | null>(null);
  const branches = kept?.branches ?? FIRST_BRANCHES;
  const draft = kept?.place === place ? kept : draftOf(place, episode, turn, branches);
  const change = (changes: Partial<Draft>) => setKept({ ...draft, ...changes });
  return [draft, change] as const;
}
