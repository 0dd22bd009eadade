/** The open questions: what is asked, the two conditions, and what has been measured so far. */
import { useState } from "react";
import {
  questionCommand,
  openQuestions,
  RESULTS_FILE,
  seedsPerCell,
  type OpenQuestion,
} from "../../spec/openQuestions.ts";
import { resolveAlgorithm } from "../../spec/algorithms.ts";
import { DataTable } from "../../ui/DataTable.tsx";
import { questionCells, readResults, type QuestionCell } from "./results.ts";
import { words } from "./words.ts";

type Lines = ReturnType<typeof readResults>;

/** Folded; results are loaded when it is opened first. */
export function QuestionsPanel() {
  const [lines, setLines] = useState<Lines | null>(null);
  const [problem, setProblem] = useState(false);
  const load = () => {
    if (lines) return;
    loadResults().then(setLines, () => setProblem(true));
  };
  return (
    <details
      className="open-questions"
      data-testid="open-questions"
      onToggle={({ currentTarget }) => currentTarget.open && load()}
    >
      <summary>{words.title}</summary>
      <p>{words.intro}</p>
      {problem && <p role="alert">{words.unread}</p>}
      {lines &&
        openQuestions.map((question) => (
          <QuestionView
            key={question.name}
            question={question}
            cells={questionCells(question, lines)}
          />
        ))}
    </details>
  );
}

/** A page without the file has run none. */
async function loadResults(): Promise<Lines> {
  const answer = await fetch(new URL(RESULTS_FILE, document.baseURI));
  if (answer.status === 404) return [];
  if (!answer.ok) throw new Error(`${RESULTS_FILE}: the server answered ${answer.status}`);
  return readResults(await answer.text());
}

function QuestionView({ question, cells }: { question: OpenQuestion; cells: QuestionCell[] }) {
  const about = new Map(question.conditions.map((one) => [one.name, one.about]));
  return (
    <section data-testid={`question-${question.name}`}>
      <h3>{question.title}</h3>
      <p>
        {question.asks} {question.note}
      </p>
      <DataTable
        label={question.title}
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
          { id: "result", head: words.result, cell: resultText },
        ]}
        rows={cells}
        keyOf={({ condition, method }) => `${condition} ${method}`}
      />
      <p className="note">
        {words.command}: <code>{questionCommand(question)}</code>
      </p>
    </section>
  );
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

function resultText({ first, last, n }: QuestionCell): string {
  if (first === null || last === null) return words.notRun;
  return words.gain(percent(first), percent(last), n, seedsPerCell);
}
