/** "Click the turn": an episode's turns as boards to choose from, or a number if the run is not there. */
import { use, useId, useMemo } from "react";
import { useStore } from "zustand";
import { pictureOf } from "../../../../env/descriptors.ts";
import { cropOf } from "../../../../panels/shared/crop.ts";
import { BoardDrawing } from "../../../../panels/shared/BoardDrawing.tsx";
import { waitingFor } from "../../../../panels/shared/waiting.ts";
import type { TurnRecord } from "../../../../record/runEvent.ts";
import type { ExperimentState } from "../../../../store/experimentState.ts";
import { ExperimentContext, type ExperimentHandle } from "../../../../store/hooks.ts";
import { LATEST, missedOf, readChoice, resolveChoice } from "../../../../store/turnChoice.ts";
import { QuizNumber } from "./QuizNumber.tsx";
import type { AnswerProps } from "./quizAnswerProps.ts";
import { words as all } from "../../words.ts";

const words = all.quiz.turn;

export function QuizTurns(props: AnswerProps) {
  const experiment = use(ExperimentContext);
  if (!experiment) return <TurnNumber {...props} why={words.noRun} />;
  return <OfRun {...props} experiment={experiment} />;
}

const selectView = (state: ExperimentState) => state.view;

function OfRun({ experiment, ...props }: AnswerProps & { experiment: ExperimentHandle }) {
  const view = useStore(experiment.store, selectView);
  const { at } = props.quiz;
  const choice = useMemo(() => readChoice(`${at},1`) ?? LATEST, [at]);
  const waits = useStore(experiment.store, (state) => waitingFor({ ...state, choice }));
  const resolved = resolveChoice(view.log, choice);
  const missed = missedOf(choice, resolved);
  const turns = missed ? [] : (resolved.episodes[resolved.episode]?.turns ?? []);
  if (turns.length > 0) return <Turns {...props} turns={turns} />;
  const why = missed ? words.missing(missed.part, missed.meant) : (waits ?? words.noRun);
  return <TurnNumber {...props} why={why} />;
}

function Turns({
  quiz,
  given,
  isEnded,
  onAnswer,
  turns,
}: AnswerProps & { turns: readonly TurnRecord[] }) {
  const name = useId();
  const crop = useMemo(
    () => cropOf(turns.map(({ observation }) => observation)) ?? undefined,
    [turns],
  );
  return (
    <fieldset className="quiz-turns" data-testid="quiz-turns">
      <legend className="visually-hidden">{all.quiz.yours}</legend>
      {turns.map(({ text, observation }, h) => (
        <label key={h} data-right={(isEnded && h + 1 === quiz.answer) || undefined}>
          <span className="quiz-turn-name">
            <input
              type="radio"
              name={name}
              aria-label={words.label(h + 1, text.trim())}
              checked={given === String(h + 1)}
              onChange={() => onAnswer(String(h + 1))}
            />
            {words.name(h + 1)}
          </span>
          <Board observation={observation} crop={crop} />
          <code>{text.trim().slice(0, MOST)}</code>
        </label>
      ))}
    </fieldset>
  );
}

/** Limit of characters of a turn's text: long pages are in the lens. */
const MOST = 60;

interface BoardProps {
  observation: string;
  crop: ReturnType<typeof cropOf> | undefined;
}

function Board({ observation, crop }: BoardProps) {
  const picture = pictureOf(observation);
  return picture && <BoardDrawing picture={picture} crop={crop ?? undefined} />;
}

function TurnNumber({ why, ...props }: AnswerProps & { why: string }) {
  return (
    <>
      <p className="note" data-testid="quiz-no-turns">
        {why}
      </p>
      <QuizNumber {...props} label={words.number} inputMode="numeric" />
    </>
  );
}
