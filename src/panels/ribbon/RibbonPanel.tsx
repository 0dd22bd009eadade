/** The episode at the cursor as a row of turns: observation, response, reward, value and credit. */
import { memo, useCallback, useMemo, useState } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import { Meanings } from "../../ui/Meanings.tsx";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { ribbon } from "./manifest.ts";
import { describeClips, describeCritic, describeNoClip, describeSurprise } from "./describe.ts";
import { JumpButtons } from "./JumpButtons.tsx";
import { meaningsOf } from "./numberRows.ts";
import { RibbonLegend } from "./RibbonLegend.tsx";
import { RibbonTable } from "./RibbonTable.tsx";
import { ribbonView, type RibbonView } from "./ribbonView.ts";
import { words } from "./words.ts";
import { formatSigned } from "../../numeric/format.ts";
import { Folded } from "../../ui/Folded.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Button } from "../../ui/Button.tsx";

const selectTruths = (state: ExperimentState) => state.truths;

export function RibbonPanel() {
  const { view, at, move } = useCursor();
  const truths = useExperimentState(selectTruths);
  const newest = useMemo(() => ({ view, at, truths }), [view, at, truths]);
  const { ref, shown } = useRedraw(newest, view.log);
  // Not before it is to be drawn, and not again with commits that do not affect it.
  const drawn = useMemo(() => ribbonView(shown.view, shown.at, shown.truths), [shown]);
  const { episode } = shown.at;
  const choose = useCallback(
    (turn: number) => move({ episode, turn, token: null }),
    [move, episode],
  );
  return (
    <PanelFrame panel={ribbon} className="ribbon-panel">
      <div ref={ref}>
        {drawn ? <Episode view={drawn} onChoose={choose} /> : <NoEpisodes panel={ribbon} />}
      </div>
    </PanelFrame>
  );
}

interface EpisodeProps {
  view: RibbonView;
  onChoose: (turn: number) => void;
}

const Episode = memo(function Episode({ view, onChoose }: EpisodeProps) {
  const { turns, episode } = view;
  const [allRows, setAllRows] = useState(false);
  if (turns.length === 0) return <Empty>{words.noTurns}</Empty>;
  return (
    <>
      <p className="ribbon-line prose-note" data-testid="ribbon-surprise">
        {describeSurprise(view)} {isFork(episode) ? words.fork : describeClips(view)}
      </p>
      <p className="note prose-note" data-testid="ribbon-critic">
        {describeCritic(view)}
      </p>
      <RibbonLegend view={view} />
      <RibbonTable view={view} allRows={allRows} onChoose={onChoose} />
      <JumpButtons view={view} />
      <Button
        look="quiet"
        className="ribbon-rest"
        aria-expanded={allRows}
        data-testid="ribbon-rest"
        onClick={() => setAllRows(!allRows)}
      >
        {allRows ? words.fewerRows : words.allRows}
      </Button>
      {view.clippedAll.known === 0 && <p className="note">{describeNoClip(view.clippedAll)}</p>}
      <Meanings title={words.meanings} meanings={meaningsOf(view)} />
      <p className="note prose-note ribbon-keys">{words.keys}</p>
      <TurnInFull view={view} />
    </>
  );
});

// The full text of the turn at the cursor: the ribbon has space for its beginning only.

function TurnInFull({ view: { episode, turn } }: { view: RibbonView }) {
  const record = episode.turns[turn];
  if (!record) return null;
  const { observation, text, actions, formatPenalty } = record;
  return (
    <Folded title={words.full(turn)} testId="ribbon-full">
      <h4>{words.shown}</h4>
      <pre className="ribbon-full" role="group" aria-label={words.shown} tabIndex={0}>
        {observation}
      </pre>
      <h4>{words.wrote}</h4>
      <pre className="ribbon-full" role="group" aria-label={words.wrote} tabIndex={0}>
        {text.trim() === "" ? words.noText : text}
      </pre>
      <p className="note">
        {words.actions(actions)}
        {formatPenalty < 0 && `; ${words.penalty(formatSigned(formatPenalty))}`}
      </p>
    </Folded>
  );
}
