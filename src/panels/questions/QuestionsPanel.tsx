/** Open questions and the paper's ablations: each question, its conditions, and the measurements so far. */
import { Fragment, useState, type ReactNode } from "react";
import { ablations } from "../../spec/studies/ablations.ts";
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import { encodeLink } from "../../spec/link.ts";
import { openQuestions, questionsElsewhere } from "../../spec/studies/openQuestions.ts";
import {
  experimentOf,
  methodsOf,
  RESULTS_FILE,
  seedsPerCell,
  sweepCommandOf,
  type Study,
} from "../../spec/studies/study.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { missingRuns, readResults, studyCells, type StudyCell } from "./results.ts";
import { words } from "./words.ts";
import { lineStyles } from "../../charts/palette.ts";
import { greatest } from "../../numeric/lists.ts";

type Lines = ReturnType<typeof readResults>;

export function QuestionsPanel() {
  return (
    <>
      <Studies
        id="open-questions"
        title={words.title}
        intro={words.intro}
        studies={openQuestions}
        more={<Elsewhere />}
      />
      <Studies
        id="ablations"
        title={words.ablations}
        intro={words.ablationsIntro}
        studies={ablations}
      />
    </>
  );
}

interface StudiesProps {
  id: string;
  title: string;
  intro: string;
  studies: readonly Study[];
  /** After the studies. */
  more?: ReactNode;
}

/** Collapsed; results are loaded when it is first opened. */
function Studies({ id, title, intro, studies, more }: StudiesProps) {
  const [lines, setLines] = useState<Lines | null>(null);
  const [problem, setProblem] = useState(false);
  const load = () => {
    if (lines) return;
    loadResults().then(setLines, () => setProblem(true));
  };
  return (
    <details
      className="open-questions"
      data-testid={id}
      onToggle={({ currentTarget }) => currentTarget.open && load()}
    >
      <summary>{title}</summary>
      <p>{intro}</p>
      {problem && <p role="alert">{words.unread}</p>}
      {lines &&
        studies.map((study) => (
          <StudyView key={study.name} study={study} cells={studyCells(study, lines)} />
        ))}
      {lines && more}
    </details>
  );
}

/** What the paper asks and these models and machines cannot test, each with what it needs. */
function Elsewhere() {
  return (
    <section data-testid="questions-elsewhere">
      <h3>{words.elsewhere}</h3>
      <dl>
        {questionsElsewhere.map(({ title, needs }) => (
          <Fragment key={title}>
            <dt>{title}</dt>
            <dd>{needs}</dd>
          </Fragment>
        ))}
      </dl>
    </section>
  );
}

/** A page without the file has no results. */
async function loadResults(): Promise<Lines> {
  const answer = await fetch(new URL(RESULTS_FILE, document.baseURI));
  if (answer.status === 404) return [];
  if (!answer.ok) throw new Error(`${RESULTS_FILE}: the server answered ${answer.status}`);
  return readResults(await answer.text());
}

function StudyView({ study, cells }: { study: Study; cells: StudyCell[] }) {
  const about = new Map(study.conditions.map((one) => [one.name, one.about]));
  const methods = methodsOf(study);
  const top = topOf(cells);
  const missing = missingRuns(study, cells);
  const picture = {
    id: "picture",
    head: words.scale(`${Math.round(100 * (top ?? 1))} %`),
    cell: (cell: StudyCell) => <StartToEnd {...{ cell, methods }} top={top ?? 1} />,
  };
  return (
    <section data-testid={`study-${study.name}`}>
      <h3>{study.title}</h3>
      <p>
        {study.asks} {study.note}
      </p>
      <DataTable
        label={study.title}
        className="study-table"
        columns={[
          {
            id: "condition",
            head: words.condition,
            kind: "name",
            cell: ({ condition }) => about.get(condition),
          },
          {
            id: "method",
            head: words.method,
            cell: ({ method }) => resolveAlgorithm(method).title,
          },
          ...(top === null ? [] : [picture]),
          ...(study.costs ? COSTS : []),
          { id: "result", head: words.result, cell: resultText },
        ]}
        rows={cells}
        keyOf={({ condition, method }) => `${condition} ${method}`}
      />
      {missing.runs > 0 && <p>{words.missing(missing.runs, missing.of, missing.iterations)}</p>}
      {study.costs && <p className="note">{words.shared}</p>}
      <OpenConditions study={study} />
      <p className="note">
        {words.command}: <code>{sweepCommandOf(study)}</code>
      </p>
    </section>
  );
}

/** Opening a condition runs all its methods. */
function OpenConditions({ study }: { study: Study }) {
  return (
    <p className="study-open">
      {words.open}:
      {study.conditions.map((condition) => (
        <a
          key={condition.name}
          href={encodeLink(experimentOf(study, condition))}
          // The notebook shows at its top what has been opened.
          onClick={() => window.scrollTo(0, 0)}
        >
          {condition.about}
        </a>
      ))}
    </p>
  );
}

const COSTS = (["tokens", "seconds"] as const).map((id) => ({
  id,
  head: words[id],
  kind: "number" as const,
  cell: ({ [id]: mean }: StudyCell) => mean !== null && Math.round(mean).toLocaleString("en"),
  value: (cell: StudyCell) => cell[id],
}));

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function resultText({ first, last, gain, n, collapsed }: StudyCell): string {
  if (first === null || last === null) return words.notRun;
  const range = gain && words.range(signed(gain.low), signed(gain.high));
  return words.gain(percent(first), percent(last), range, { n, of: seedsPerCell, collapsed });
}

const signed = (share: number) => `${share < 0 ? "−" : "+"}${(100 * Math.abs(share)).toFixed(1)}`;

// A cell of a study as a picture: a ring at its start, a dot at its end, and the gain's interval from its start. The text is beside it.

const WIDTH = 220;
const HEIGHT = 20;
const MARGIN = 8;
const MIDDLE = HEIGHT / 2;

interface StartToEndProps {
  cell: StudyCell;
  /** Share at the right end, the same for all cells of a study. */
  top: number;
  methods: readonly string[];
}

/** Nothing for a cell that has not been run. */
function StartToEnd({ cell: { method, first, last, gain }, top, methods }: StartToEndProps) {
  if (first === null || last === null) return null;
  const { colour } = lineStyles(methods).get(method)!;
  const at = (share: number) =>
    MARGIN + (WIDTH - 2 * MARGIN) * Math.min(1, Math.max(0, share / top));
  return (
    <svg className="study-strip" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <line className="study-ground" x1={at(0)} x2={at(top)} y1={MIDDLE} y2={MIDDLE} />
      {gain && (
        <line
          x1={at(first + gain.low)}
          x2={at(first + gain.high)}
          y1={MIDDLE}
          y2={MIDDLE}
          stroke={colour}
          strokeWidth={6}
          strokeOpacity={0.25}
        />
      )}
      <line x1={at(first)} x2={at(last)} y1={MIDDLE} y2={MIDDLE} stroke={colour} strokeWidth={2} />
      <circle className="study-start" cx={at(first)} cy={MIDDLE} r={4} stroke={colour} />
      <circle cx={at(last)} cy={MIDDLE} r={5} fill={colour} />
    </svg>
  );
}

/** The right end of a study's pictures: the next tenth above all values; null if nothing has been run. */
export function topOf(cells: readonly StudyCell[]): number | null {
  const ends = cells.flatMap(({ first, last, gain }) =>
    first === null || last === null ? [] : [first, last, first + (gain?.high ?? 0)],
  );
  return ends.length === 0 ? null : Math.min(1, Math.max(0.1, Math.ceil(10 * greatest(ends)) / 10));
}
