/** The episode at the cursor as a row of turns: observation, response, reward, value and credit. */
import { memo, useCallback, useMemo, useState, type ReactNode } from "react";
import { useRedraw } from "../../charts/redrawQueue.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState, useExperiment } from "../../store/hooks.ts";
import { Meanings } from "../../ui/Meanings.tsx";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor } from "../shared/useCursor.ts";
import { ribbon } from "./manifest.ts";
import {
  describeClips,
  describeCritic,
  describeNoClip,
  describeSurprise,
  describeNoError,
  lineNames,
} from "./describe.ts";
import { meaningsOf } from "./numberRows.ts";
import { RibbonTable } from "./RibbonTable.tsx";
import { ribbonView, type RibbonView } from "./ribbonView.ts";
import { formatSigned } from "../../numeric/format.ts";
import { Folded } from "../../ui/Folded.tsx";
import { Empty } from "../../ui/Empty.tsx";
import type { ChoiceMove } from "../../store/turnChoice.ts";
import { useKeyOf } from "../../ui/actionKeys.ts";
import {
  toFirstTurn,
  toLargestError,
  toLargestErrorOfAll,
  toLastTurn,
  toMostClipped,
  toNextClipped,
} from "./jumps.ts";
import { Button } from "../../ui/Button.tsx";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { criticStyle } from "./RibbonChart.tsx";
import { words } from "./words.ts";

/** Named as in the action table. */
type JumpName = keyof typeof words.jumps;

const JUMPS: Record<JumpName, ChoiceMove> = {
  largestError: toLargestError,
  largestErrorOfAll: toLargestErrorOfAll,
  nextClipped: toNextClipped,
  mostClipped: toMostClipped,
  firstTurn: toFirstTurn,
  lastTurn: toLastTurn,
};

function JumpButtons({ view }: { view: RibbonView }) {
  const { hasErrors, untrained, clippedAll } = view;
  const { store } = useExperiment();
  const keyOf = useKeyOf();
  const go = (jump: ChoiceMove) =>
    store.setState(({ view: { log }, choice }) => ({ choice: jump(log, choice) }));
  /** Why there is no target. */
  const none: Partial<Record<JumpName, string | false>> = {
    largestError: describeNoError(view),
    largestErrorOfAll: hasErrors ? untrained && words.untrained : words.noErrors,
    nextClipped: clippedAll.cut === 0 && describeNoClip(clippedAll),
    mostClipped: clippedAll.known === 0 && describeNoClip(clippedAll),
  };
  return (
    <div className="jumps" role="group" aria-label={words.jump}>
      <span className="note">{words.jump}</span>
      {(Object.keys(JUMPS) as JumpName[]).map((name) => (
        <Button
          key={name}
          aria-disabled={Boolean(none[name])}
          title={none[name] || undefined}
          data-jump={name}
          onClick={() => go(JUMPS[name])}
        >
          {words.jumps[name]} <kbd aria-hidden="true">{keyOf(name)}</kbd>
        </Button>
      ))}
    </div>
  );
}

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

/** The marks of the ribbon's chart with their words. */
function RibbonLegend({ view }: { view: RibbonView }) {
  const { critic, truth, hasTargets, foreign } = view;
  const { marks } = words;
  const names = lineNames(view);
  const style = criticStyle(critic?.name);
  return (
    <ul className="ribbon-legend" aria-label={words.legend} data-testid="ribbon-legend">
      {critic && (
        <Mark name={names.value}>
          <path d="M0,8H28" stroke={style.colour} className="ribbon-value" />
          <MarkerShape {...style} cx={14} cy={8} />
        </Mark>
      )}
      {truth ? (
        <Mark name={names.truth}>
          <path d="M0,8H28" className="ribbon-truth-line" />
          <g className="ribbon-truth" transform="translate(14 0)">
            <path d="M0,1V15M-4,1H4M-4,15H4" />
            <MarkerShape marker="diamond" cx={0} cy={8} colour="var(--ink)" />
          </g>
        </Mark>
      ) : (
        <>
          <Mark name={foreign && !hasTargets ? marks.returnComputed : marks.return}>
            <path d="M0,8H28" className="ribbon-return" />
            <path d="M14,3l5,5l-5,5l-5,-5z" className="ribbon-came" />
          </Mark>
          <Mark name={marks.reward}>
            <rect x={8} width={11} height={16} className="ribbon-reward" />
          </Mark>
        </>
      )}
      {critic && (
        <Mark name={marks.delta}>
          <rect x={2} width={11} height={10} className="ribbon-delta-plus" />
          <rect x={16} y={6} width={11} height={10} className="ribbon-delta-minus" />
        </Mark>
      )}
    </ul>
  );
}

function Mark({ name, children }: { name: string; children: ReactNode }) {
  return (
    <li>
      <svg width="28" height="16" aria-hidden="true">
        {children}
      </svg>
      {name}
    </li>
  );
}
