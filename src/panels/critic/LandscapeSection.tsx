/**
 * The value landscape of the turn at the cursor: computed by the live critic, since no log holds
 * it.
 */
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { NumbersView } from "../../draw/NumbersView.tsx";
import { columnsFrom } from "../../figures/figure.ts";
import type { ResolvedChoice } from "../../store/turnChoice.ts";
import { ModelCheckpoint, useAnswerer } from "../shared/ask/LiveModel.tsx";
import { titleOf } from "../../reading/titles.ts";
import { isEditableBoard } from "../../env/descriptors.ts";
import { type Critic, criticFor } from "../../reading/critics.ts";
import { useCursor } from "../shared/useCursor.ts";
import {
  describeLandscape,
  describeThen,
  type Landscape,
  landscapeOf,
  place,
  type Square,
  valuedSquares,
} from "./landscape.ts";
import { toneBackground } from "../../charts/signedScale.ts";
import "./landscape.css";
import { words } from "./words.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { ValuesAnswer } from "../../runtime/questions.ts";
import type { Asking } from "../../store/asking.ts";
import { forkKey } from "../../store/forks.ts";
import { useExperiment } from "../../store/hooks.ts";
import { Button } from "../../ui/Button.tsx";
import { CheckBox } from "../../ui/Field.tsx";

// Asks the live critic about the board at the cursor; an answer about another place is not shown.

interface ValuedEpisode {
  algorithm: string;
  iteration: number;
  episode: EpisodeRecord;
  turn: number;
}

type ValuesState =
  | { state: "none" }
  | { state: "asking" }
  | { state: "known"; answer: ValuesAnswer }
  | { state: "refused"; message: string };

interface Values {
  values: ValuesState;
  ask: () => void;
}

/** Milliseconds that the cursor must rest before a question is sent. */
const TIME_LIMIT = 120;

const NOTHING: ValuesState = { state: "none" };

/** `follow`: asks again whenever the cursor moves. */
function useValues(
  { algorithm, iteration, episode, turn }: ValuedEpisode,
  follow: boolean,
): Values {
  const { session } = useExperiment();
  const place = [algorithm, iteration, episode.trajectory, turn, forkKey(episode)].join("|");
  const [known, setKnown] = useState<{ place: string; values: ValuesState }>({
    place,
    values: NOTHING,
  });
  const asking = useRef<Asking<ValuesAnswer> | null>(null);
  const show = (state: ValuesState) => setKnown({ place, values: state });
  const ask = () => {
    asking.current?.withdraw();
    const mine = session.ask({ kind: "values", algorithm, episode, turn });
    asking.current = mine;
    show({ state: "asking" });
    const ifMine = (state: ValuesState) => {
      if (asking.current === mine) show(state);
    };
    mine.answer.then(
      (answer) => ifMine({ state: "known", answer }),
      (error: unknown) => ifMine({ state: "refused", message: (error as Error).message }),
    );
  };
  const askNow = useEffectEvent(ask);
  useEffect(() => {
    if (!follow) return;
    const timer = setTimeout(() => askNow(), TIME_LIMIT);
    return () => clearTimeout(timer);
  }, [place, follow]);
  useEffect(() => () => asking.current?.withdraw(), []);
  return { values: known.place === place ? known.values : NOTHING, ask };
}

// The board with V written on each free square, coloured by how much better or worse it is than the player's square.

const UNIT = 54;

function LandscapePicture({ landscape }: { landscape: Landscape }) {
  const { rows, columns, squares } = landscape;
  const label = `${words.landscape}. ${describeLandscape(landscape)}`;
  return (
    <svg
      viewBox={`0 0 ${columns * UNIT} ${rows * UNIT}`}
      className="critic-landscape"
      role="img"
      aria-label={label}
      data-testid="critic-landscape"
    >
      {squares.map((square) => (
        <g
          key={`${square.row} ${square.column}`}
          transform={`translate(${square.column * UNIT} ${square.row * UNIT})`}
        >
          <SquareShape square={square} />
        </g>
      ))}
    </svg>
  );
}

function SquareShape({ square: { cell, value, tone, here } }: { square: Square }) {
  if (cell === "wall") return <rect width={UNIT} height={UNIT} className="cell-wall" />;
  const ground = value === null ? "var(--floor)" : toneBackground(tone);
  const isBox = cell === "box" || cell === "box-on-target";
  return (
    <>
      <rect width={UNIT} height={UNIT} className="critic-floor" style={{ fill: ground }} />
      {(cell === "target" || cell === "box-on-target") && (
        <circle cx={UNIT / 2} cy={UNIT / 2} r={21} className="critic-target" />
      )}
      {isBox && <rect x={10} y={10} width={34} height={34} rx={3} className="cell-box" />}
      {here && <rect x={2.5} y={2.5} width={49} height={49} className="critic-here" />}
      {value !== null && (
        <text x={UNIT / 2} y={UNIT / 2 + 5} textAnchor="middle" style={{ stroke: ground }}>
          {short(value)}
        </text>
      )}
    </>
  );
}

/** Short enough for a square. */
function short(value: number): string {
  const size = Math.abs(value);
  const text =
    size < 9.995 ? value.toFixed(2) : size < 999.5 ? value.toFixed(1) : value.toExponential(0);
  return text.replace("-", "\u2212").replace(/^\u2212(?=0\.00$)/, "");
}

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
