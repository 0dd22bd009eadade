/**
 * The value landscape of the turn at the cursor: computed by the live critic, since no log holds
 * it.
 */
import { useState } from "react";
import { NumbersView } from "../../draw/NumbersView.tsx";
import { columnsFrom } from "../../figures/figure.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { ModelCheckpoint, useAnswerer } from "../shared/ask/LiveModel.tsx";
import { titleOf } from "../../reading/titles.ts";
import { isEditableBoard } from "../../env/descriptors.ts";
import { criticFor, type Critic } from "../../reading/critics.ts";
import { useCursor } from "../shared/useCursor.ts";
import { describeLandscape, describeThen, landscapeOf, place, valuedSquares } from "./landscape.ts";
import { LandscapePicture } from "./LandscapePicture.tsx";
import { useValues, type ValuesState } from "./useValues.ts";
import { words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox } from "../../ui/Field.tsx";

export function LandscapeSection() {
  const { view, at } = useCursor();
  const critic = criticFor(view.log.start?.spec, at.algorithm, at.episodes);
  const observation = at.episodes[at.episode]?.turns[at.turn]?.observation;
  const answerer = useAnswerer();
  const isBoard = observation !== undefined && isEditableBoard(observation);
  return (
    <section
      className="landscape-section"
      aria-label={words.landscape}
      data-testid="critic-landscape-section"
    >
      <h4>{words.landscape}</h4>
      <p className="chart-hint">{words.landscapeHint}</p>
      {!isBoard ? (
        <p className="note">{words.landscapeNoBoard}</p>
      ) : answerer === null || (answerer === "live" && view.origin !== "live") ? (
        <p className="note">{words.landscapeNeedsLive}</p>
      ) : (
        <>
          {answerer === "recorded" && <ModelCheckpoint />}
          {critic && <Asked at={at} observation={observation} critic={critic} />}
        </>
      )}
    </section>
  );
}

interface AskedProps {
  at: ResolvedChoice;
  observation: string;
  critic: Critic;
}

function Asked({ at, observation, critic }: AskedProps) {
  const [follow, setFollow] = useState(false);
  const { algorithm, iteration, episodes, episode, turn } = at;
  const { values, ask } = useValues(
    { algorithm, iteration, episode: episodes[episode]!, turn },
    follow,
  );
  return (
    <>
      <div className="figure-choices">
        <Button onClick={ask} data-testid="critic-ask">
          {words.ask(turn + 1)}
        </Button>
        <CheckBox checked={follow} onChange={({ target }) => setFollow(target.checked)}>
          {words.askAlways}
        </CheckBox>
      </div>
      <Answered values={values} observation={observation} critic={critic} at={at} />
    </>
  );
}

interface AnsweredProps {
  values: ValuesState;
  observation: string;
  critic: Critic;
  at: ResolvedChoice;
}

function Answered({ values, observation, critic, at }: AnsweredProps) {
  if (values.state === "none") return null;
  if (values.state === "asking") return <p className="note">{words.asking}</p>;
  if (values.state === "refused")
    return <p className="notice notice-warning">{words.refused(values.message)}</p>;
  const landscape = landscapeOf(values.answer, observation, critic.name);
  if (!landscape) return <p className="note">{words.landscapeNoNumbers}</p>;
  return (
    <>
      <LandscapePicture landscape={landscape} />
      <p className="note" data-testid="critic-landscape-summary">
        {words.landscapeWhose(titleOf(landscape.critic), values.answer.trained)}{" "}
        {describeLandscape(landscape)} {describeThen(landscape, at, critic)}{" "}
        {words.landscapeColours}
      </p>
      <NumbersView
        block={{
          kind: "numbers",
          id: "critic-landscape-table",
          title: words.table,
          columns: columnsFrom(words.heads, ["text", "signed", "signed"]),
          rows: () =>
            valuedSquares(landscape).map((square) => [
              place(square),
              square.value,
              square.difference,
            ]),
        }}
      />
    </>
  );
}
