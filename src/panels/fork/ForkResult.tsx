/** The result of a fork: the picture, its numbers, and each algorithm's advantage beside the true one. */
import { useMemo } from "react";
import type { BranchEstimate } from "../../runtime/questions.ts";
import type { ExperimentState } from "../../store/experimentState.ts";
import { truthOfEpisode } from "../../store/forks.ts";
import type { Fork } from "../../store/forkTypes.ts";
import { useExperimentState } from "../../store/hooks.ts";
import type { RunView } from "../../reading/log/runLog.ts";
import { policyName, sayDiscount } from "../../figures/truthWords.ts";
import { words as credits } from "../../figures/credits/words.ts";
import { titleOf } from "../../reading/titles.ts";
import { DataTable, type TableColumn } from "../../ui/DataTable.tsx";
import { Meanings } from "../../ui/Meanings.tsx";
import { advantageMarks, type AdvantageMark } from "./advantageMarks.ts";
import { creditsAt, creditsWanted, samplesOf, trainedAt, type Sample } from "./forkView.ts";
import { sameDraws } from "./sameDraws.ts";
import { SpreadPicture } from "./SpreadPicture.tsx";
import { computed, type CreditRequest } from "../../reading/credit/computed.ts";
import { useSliced } from "../../ui/useSliced.ts";
import { formatSigned } from "../../numeric/format.ts";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { lineStyles } from "../../charts/palette.ts";
import { AXIS, axisFor, LEFT, PictureAxis, WIDTH } from "./PictureAxis.tsx";
import { words } from "./words.ts";

const interval = ({ low, high }: BranchEstimate) =>
  words.interval(formatSigned(low), formatSigned(high));

export function ForkResult({ fork, view }: { fork: Fork; view: RunView }) {
  const { answer } = fork;
  const samples = useMemo(() => samplesOf(answer), [answer]);
  const flat = samples.some(({ returns }) => new Set(returns).size === 1);
  return (
    <div data-testid="fork-result">
      <h4>
        {words.fork(fork.number)}: {words.outcome.toLowerCase()}
      </h4>
      <p>
        {answer.played && `${playedLine(answer.played)} `}
        <span className="note">{words.by(policyName(answer.trained), sayDiscount(answer))}</span>
      </p>
      <div className="table-scroll" tabIndex={0} role="group" aria-label={words.outcome}>
        <SpreadPicture samples={samples} />
      </div>
      {flat && <p className="note">{words.equal}</p>}
      <SampleTable samples={samples} />
      <Meanings
        title={words.meanings}
        meanings={samples.map(({ kind }) => ({ name: words.names[kind], hint: words.hints[kind] }))}
      />
      <p className="note prose-note">
        {words.intervals} <Draws fork={fork} />
      </p>
      <Credits fork={fork} view={view} samples={samples} />
    </div>
  );
}

const selectTruths = (state: ExperimentState) => state.truths;

/** Whether the truth in other panels comes from the same continuations. */
function Draws({ fork: { question, answer } }: { fork: Fork }) {
  const truths = useExperimentState(selectTruths);
  return sameDraws(answer, truthOfEpisode(truths, question, question.episode));
}

function playedLine({ text, actions, reward, over }: NonNullable<Fork["answer"]["played"]>) {
  const did = actions.length === 0 ? words.noActions : actions.join(", ");
  return `${words.played(text, did, formatSigned(reward))}${over ? words.over : ""}.`;
}

function SampleTable({ samples }: { samples: readonly Sample[] }) {
  return (
    <DataTable
      label={words.table}
      className="fork-table"
      testId="fork-table"
      columns={SAMPLE_COLUMNS}
      rows={samples}
      keyOf={({ kind }) => kind}
      rowProps={({ kind }) => ({ "data-kind": kind })}
    />
  );
}

const SAMPLE_CELLS: readonly Pick<TableColumn<Sample>, "cell" | "kind" | "cellProps">[] = [
  {
    kind: "name",
    cell: ({ kind }) => (
      <>
        {words.names[kind]} <span className="note">({words.short[kind]})</span>
      </>
    ),
    cellProps: ({ kind }) => ({ title: words.hints[kind] }),
  },
  { kind: "number", cell: ({ mean }) => formatSigned(mean.mean) },
  { kind: "number", cell: ({ mean }) => interval(mean) },
  { kind: "number", cell: ({ advantage }) => (advantage ? formatSigned(advantage.mean) : "–") },
  { kind: "number", cell: ({ advantage }) => (advantage ? interval(advantage) : "–") },
  { kind: "number", cell: ({ returns }) => returns.length },
];

const SAMPLE_COLUMNS: readonly TableColumn<Sample>[] = SAMPLE_CELLS.map((column, i) => ({
  ...column,
  id: String(i),
  head: words.columns[i] || <span className="visually-hidden">{words.table}</span>,
}));

interface CreditsProps {
  fork: Fork;
  view: RunView;
  samples: readonly Sample[];
}

function Credits({ fork, view, samples }: CreditsProps) {
  const { log } = view;
  const wanted = useMemo(() => creditsWanted(log, fork), [log, fork]);
  const computed = useComputed(wanted);
  // A refusal left from the previous fork does not apply to this one.
  const said = useMemo(
    () => (computed?.fork === fork ? creditsAt(computed) : []),
    [computed, fork],
  );
  const trained = trainedAt(wanted);
  const truth = samples.find(({ kind }) => kind === "recorded")!.advantage!;
  const trainedTitle = credits.trained(titleOf(fork.question.algorithm));
  const { algorithm } = fork.question;
  const titles = { truth: words.truth, trained: trainedTitle, algorithm };
  const marks = advantageMarks({ truth, trained, said }, titles);
  return (
    <>
      <h4>{words.credits}</h4>
      <p className="note prose-note">{words.creditsHint}</p>
      {said.length === 0 && <p className="note">{credits.computing}</p>}
      <div className="table-scroll" tabIndex={0} role="group" aria-label={words.credits}>
        <AdvantagePicture marks={marks} />
      </div>
      <dl className="fork-credits" data-testid="fork-credits">
        <div>
          <dt>{words.truth}</dt>
          <dd className="number">
            {formatSigned(truth.mean)} <span className="note">({interval(truth)})</span>
          </dd>
        </div>
        {trained !== null && (
          <div data-algorithm="trained">
            <dt>{trainedTitle}</dt>
            <dd className="number">
              {formatSigned(trained)}{" "}
              <span className="note fork-reason">{credits.trainedHint}</span>
            </dd>
          </div>
        )}
        {said.map(({ name, title, advantage, reason, over }) => (
          <div key={name} data-algorithm={name}>
            <dt>{title}</dt>
            <dd className="number">
              {advantage === null ? words.noCredit : formatSigned(advantage)}
              {(reason ?? over) !== null && (
                <span className="note fork-reason"> {reason ?? over}</span>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}

// Rows computed one after another, so that the page stays responsive.

/** The request to show, once all of its rows have been computed; until then, the previous one. null at first. */
function useComputed<T extends CreditRequest>(wanted: T): T | null {
  return useSliced(wanted, computed<T>);
}

const LANE = 38;

/** Position of its bar in a lane. */
const BAR = { top: 18, height: 13 };

const MIDDLE = BAR.top + BAR.height / 2;

/** The algorithms' advantages of a turn below the true one: a row and a signed bar for each, on one axis. */
function AdvantagePicture({ marks }: { marks: readonly AdvantageMark[] }) {
  const axis = axisFor(marks.flatMap(({ value, low, high }) => [value, low, high]));
  const y = marks.length * LANE + 4;
  const list = marks.map(({ title, value }) => `${title} ${formatSigned(value)}`).join(", ");
  const styles = lineStyles(marks.flatMap(({ algorithm }) => algorithm ?? []));
  return (
    <svg
      className="fork-picture"
      viewBox={`0 0 ${WIDTH} ${y + AXIS}`}
      role="img"
      aria-label={words.marks(list)}
      data-testid="fork-marks"
    >
      <PictureAxis axis={axis} name={words.marksAxis} y={y} />
      {marks.map((mark, i) => (
        <g key={mark.name} transform={`translate(0 ${i * LANE})`} data-mark={mark.name}>
          <MarkerShape {...(styles.get(mark.algorithm ?? "") ?? TRUTH)} cx={LEFT + 5} cy={9} />
          <text x={LEFT + 16} y={13} className="fork-row-name">
            {mark.title}: {formatSigned(mark.value)}
          </text>
          <line className="fork-lane" x1={LEFT} x2={WIDTH - LEFT} y1={MIDDLE} y2={MIDDLE} />
          <Bar mark={mark} at={axis.at} />
          {mark.low < mark.high && (
            <line
              className="fork-interval"
              x1={axis.at(mark.low)}
              x2={axis.at(mark.high)}
              y1={MIDDLE}
              y2={MIDDLE}
            />
          )}
          {mark.kind === "truth" && <MarkerShape {...TRUTH} cx={axis.at(mark.value)} cy={MIDDLE} />}
        </g>
      ))}
    </svg>
  );
}

const TRUTH = { marker: "diamond", colour: "var(--ink)" } as const;

/** From 0: blue to the right, red to the left; pale if the interval includes both signs, hollow for the one training used. */
function Bar({ mark, at }: { mark: AdvantageMark; at: (value: number) => number }) {
  const { value, low, high, kind } = mark;
  const [from, to] = [Math.min(at(0), at(value)), Math.max(at(0), at(value))];
  return (
    <rect
      className={`fork-credit fork-credit-${value < 0 ? "minus" : "plus"}`}
      data-open={low < 0 && high > 0 ? "" : undefined}
      data-kind={kind}
      x={from}
      width={to - from}
      y={BAR.top}
      height={BAR.height}
    />
  );
}
