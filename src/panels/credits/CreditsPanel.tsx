/** Credits of one episode: each algorithm's credit for the same turns, with adjustable settings. */
import { useMemo, useSyncExternalStore } from "react";
import { estimatesAnswered, onEstimate } from "../../reading/credit/estimates.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { useExperimentState } from "../../store/hooks.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import { titleOf } from "../../reading/titles.ts";
import { PanelFrame } from "../shared/PanelFrame.tsx";
import { useCursor, type Cursor } from "../shared/useCursor.ts";
import { NoEpisodes } from "../shared/NoEpisodes.tsx";
import { runConfig } from "../../reading/runConfig.ts";
import { stretchAt } from "../../numeric/stretch.ts";
import { TurnStretch } from "../shared/TurnStretch.tsx";
import { useSlicedRedraw } from "../shared/useSlicedRedraw.ts";
import { groupingOf } from "../../reading/credit/alone.ts";
import { credits } from "../../figures/credits/manifest.ts";
import {
  columnsOf,
  MAX_TOKENS,
  MAX_TURNS,
  openTurns,
  partAt,
} from "../../figures/credits/columns.ts";
import { CreditTable } from "./CreditTable.tsx";
import { ExactNumbers } from "./ExactNumbers.tsx";
import { ExportBatch } from "./ExportBatch.tsx";
import type { RowRequest } from "../../reading/credit/rowCredit.ts";
import { rowRequest, rowNames, rowOf } from "../../reading/credit/rows.ts";
import { RowPicker } from "./RowPicker.tsx";
import { Sliders } from "./Sliders.tsx";
import { creditRows, type TableInput, type TableRow } from "../../figures/credits/tableModel.ts";
import { otherPolicy } from "../../reading/truths.ts";
import { TruthPolicy } from "../shared/ask/TruthPolicy.tsx";
import { truthsOf } from "../../figures/credits/truth.ts";
import { computed } from "../../reading/credit/computed.ts";
import { useChoices, type CreditChoices } from "./viewChoices.ts";
import { ViewControls } from "./ViewControls.tsx";
import "./credits.css";
import "./lowCredits.css";
import { words } from "../../figures/credits/words.ts";
import { Empty } from "../../ui/Empty.tsx";

const selectTruths = (state: ExperimentState) => state.truths;

export function CreditsPanel() {
  const cursor = useCursor();
  return (
    <PanelFrame panel={credits} about={words.about} className="credits">
      <Content cursor={cursor} />
    </PanelFrame>
  );
}

function Content({ cursor }: { cursor: Cursor }) {
  const { episode } = cursor;
  if (!episode) return <NoEpisodes panel={credits} />;
  if (episode.turns.length === 0) return <Empty>{words.noTurns}</Empty>;
  return <Credits cursor={cursor} episode={episode} />;
}

function Credits({ cursor, episode }: { cursor: Cursor; episode: EpisodeRecord }) {
  const [choices, change] = useChoices();
  const { view, at, move } = cursor;
  const { log } = view;
  const wanted = useWanted(cursor, episode, choices);
  const { ref, shown } = useSlicedRedraw(wanted, log, computed<typeof wanted>);
  const table = useMemo(() => (shown ? creditRows(shown) : null), [shown]);
  return (
    <div ref={ref}>
      <ViewControls choices={choices} change={change} />
      <p className="note prose-note" data-testid="credits-over">
        {overWords(log, cursor)}
      </p>
      {table && shown ? (
        <>
          {choices.grain !== "episode" && (
            <TurnStretch
              stretch={stretchAt(at.turn, episode.turns.length, MAX_TURNS)}
              count={episode.turns.length}
              onChoose={(turn) => move({ episode: at.episode, turn, token: null })}
              id="credits"
            />
          )}
          <CreditTable
            input={shown}
            rows={table}
            turn={at.turn}
            token={at.token}
            onMethod={(name) => move({ algorithm: name })}
            onMove={(turn, token) => move({ episode: at.episode, turn, token })}
            onToggle={(turn) => change({ open: toggled(choices.open, turn) })}
          />
          <TruthPolicy trained={othersOf(shown)} />
          <Reasons rows={table} />
          <Notes input={shown} tokens={tokensOf(episode)} />
          <RowPicker
            rows={wanted.rows}
            added={choices.added}
            onAdd={(added) => change({ added })}
          />
          <Sliders
            log={log}
            rows={wanted.rows}
            changes={choices.changes}
            target={choices.target}
            onChange={(changes) => change({ changes })}
            onTarget={(target) => change({ target })}
          />
          <ExactNumbers input={shown} rows={table} />
          <ExportBatch input={shown} iteration={at.iteration} />
        </>
      ) : (
        <Empty>{words.computing}</Empty>
      )}
    </div>
  );
}

interface Wanted extends TableInput {
  asked: RowRequest[];
  /** Number of answers from user-defined estimators: when it changes, waiting rows are computed again. */
  answers: number;
}

/** The range of the shown turns and tokens, as one value that changes only when they do. */
function usePart(episode: EpisodeRecord, at: Cursor["at"]) {
  const { turns, token } = partAt(episode, at.turn, at.token);
  return useMemo(
    () => ({
      turns: { from: turns.from, to: turns.to },
      token: { turn: token.turn, from: token.from },
    }),
    [turns.from, turns.to, token.turn, token.from],
  );
}

/** Everything the table depends on, as one value that changes only when some of it does. */
function useWanted({ view, at }: Cursor, episode: EpisodeRecord, choices: CreditChoices) {
  const truths = useExperimentState(selectTruths);
  const { changes, added, grain, quantity, open } = choices;
  const { log } = view;
  const imported = view.origin === "imported";
  const names = rowNames(log, added).join();
  const answers = useSyncExternalStore(onEstimate, estimatesAnswered);
  const rows = useMemo(
    () => names.split(",").map((name) => rowOf(log, name, changes, at.iteration)),
    [log, names, changes, at.iteration],
  );
  const { algorithm, iteration, episodes } = at;
  const known = useMemo(
    () => truthsOf(truths, algorithm, iteration, episodes),
    [truths, algorithm, iteration, episodes],
  );
  const part = usePart(episode, at);
  // The turn at the cursor matters only if not all tokens fit.
  const turn = grain === "token" && tokensOf(episode) > MAX_TOKENS ? at.turn : 0;
  const played = at.fork === null ? algorithm : null;
  return useMemo((): Wanted => {
    const columns = columnsOf(episode, grain, openTurns(episode, grain, open, turn), part);
    const asked = rowRequest(rows, played);
    const count = log.episodesPerIteration;
    const settings = runConfig(log.start?.spec, algorithm);
    const by = { algorithm, method: titleOf(algorithm), settings, played };
    const place = { episodes, episode: at.episode, iteration, ...by, count };
    const grouping = groupingOf(log, algorithm);
    return {
      rows,
      asked,
      answers,
      ...place,
      grouping,
      columns,
      quantity,
      grain,
      truths: known,
      imported,
    };
  }, [
    log,
    rows,
    answers,
    played,
    episodes,
    at.episode,
    iteration,
    algorithm,
    episode,
    grain,
    quantity,
    open,
    turn,
    part,
    known,
    imported,
  ]);
}

/** Other policies that the iteration's truths belong to: its rows are judged by them. */
function othersOf({ truths, iteration }: TableInput): number[] {
  return truths.flatMap((truth) => otherPolicy(truth, iteration) ?? []);
}

/** Visible, not behind "?": it is the reason to read the table. */
function Reasons({ rows }: { rows: readonly TableRow[] }) {
  const reasons = rows.flatMap(({ id, why }) => (why ? [{ id, why }] : []));
  if (reasons.length < 2) return null;
  return (
    <section className="credit-why" data-testid="credits-why" aria-label={words.why}>
      <ul>
        {reasons.map(({ id, why }) => (
          <li key={id} data-why={id}>
            {why}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Notes({ input, tokens }: { input: TableInput; tokens: number }) {
  const { quantity, grain, truths, rows } = input;
  const known = truths.some((truth) => truth !== null);
  return (
    <>
      <p className="note prose-note" data-testid="credits-semantics">
        {words.quantities[quantity].about} {words.semantics[quantity][grain]} {words.levels}{" "}
        {quantity !== "clip" && words.colours}{" "}
        {grain === "token" && tokens > MAX_TOKENS && words.manyTokens}
      </p>
      {!known && rows.length > 0 && (
        <p className="note" data-testid="credits-truth">
          {words.truthNone}
        </p>
      )}
    </>
  );
}

function overWords(log: RunLog, { at }: Cursor): string {
  const all = log.episodesPerIteration;
  const over = words.over(at.episodes.length, all, titleOf(at.algorithm), at.iteration);
  return at.fork ? `${over} ${words.withFork(at.fork.number)}` : over;
}

function tokensOf({ turns }: EpisodeRecord): number {
  return turns.reduce((sum, { tokens }) => sum + tokens.length, 0);
}

function toggled(open: ReadonlySet<number>, turn: number): ReadonlySet<number> {
  const next = new Set(open);
  if (!next.delete(turn)) next.add(turn);
  return next;
}
