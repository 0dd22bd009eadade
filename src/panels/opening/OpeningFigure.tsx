/** The opening page's figure: an episode as a strip of boards, three methods' credit under it, the true one after a guess. */
import { useEffect, useState, type CSSProperties, type ReactNode } from "react";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { lineStyles } from "../../charts/palette.ts";
import { greatest } from "../../numeric/lists.ts";
import { OPENING_METHODS, readOpening, type Opening } from "../../reading/opening.ts";
import { titleOf } from "../../reading/titles.ts";
import { useExperiment } from "../../store/hooks.ts";
import { openLinkOf } from "../../store/links.ts";
import { preferences } from "../../store/preferences.ts";
import { Icon } from "../../ui/Icon.tsx";
import { useServed } from "../../ui/parts/served.ts";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { MoveArrows } from "./MoveArrows.tsx";
import { OpeningRun } from "./OpeningRun.tsx";
import { bestTurn, boardsOf, cropOf, happened, signedCredit, spreadInWords } from "./strip.ts";
import { openingWords as words } from "./words.ts";
import "./opening.css";

interface OpeningFigureProps {
  /** Beside the page. */
  file: string;
  /** Charts of what was learned. */
  curves: ReactNode;
  /** What may be concluded from them; "" for nothing. */
  note: string;
  /** How long the run takes here, in words; null where nobody knows. */
  takes: string | null;
}

export function OpeningFigure({ file, curves, note, takes }: OpeningFigureProps) {
  const opening = useServed(file, readOpening);
  const [guess, setGuess] = useState<number | null>(null);
  const loaded = typeof opening === "object" ? opening : null;
  return (
    <>
      <section
        className="opening-strip"
        aria-label={words.title}
        data-testid="opening"
        data-figure="opening"
        data-figure-title={guess === null || !loaded ? words.figure : statementOf(loaded)}
      >
        {opening === "missing" && <p className="empty">{words.missing}</p>}
        {loaded && <Strip opening={loaded} guess={guess} onGuess={setGuess} />}
      </section>
      <OpeningRun curves={curves} note={note} takes={takes} />
    </>
  );
}

/** Milliseconds that each turn is looked at while the strip plays. */
const PACE = 900;

function Strip({ opening, guess, onGuess }: GuessProps) {
  const [played, setPlayed] = useState<number | null>(null);
  const count = opening.turns.length;
  useGuessKeys(count, onGuess);
  useEffect(() => {
    if (played === null) return undefined;
    const next = played < count ? played + 1 : null;
    const timer = setTimeout(() => setPlayed(next), PACE);
    return () => clearTimeout(timer);
  }, [played, count]);
  return (
    <>
      <div className="opening-grid" style={{ "--turns": count } as CSSProperties}>
        <Boards opening={opening} guess={guess} played={played} onGuess={onGuess} />
        {OPENING_METHODS.map((name) => (
          <MethodRow key={name} name={name} credits={opening.credits[name] ?? []} />
        ))}
        <TruthRow opening={opening} guess={guess} onGuess={onGuess} />
      </div>
      <p className="note opening-scale">{words.scale}</p>
      <Verdict opening={opening} guess={guess} />
      <Ways opening={opening} onPlay={() => setPlayed(0)} />
    </>
  );
}

/** Keys 1 to the number of turns, where single keys are wanted and nobody types. */
function useGuessKeys(count: number, onGuess: (turn: number) => void): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      const typing =
        target instanceof HTMLElement && target.closest("input, select, textarea, [role=dialog]");
      if (typing || ctrlKey || metaKey || altKey || !preferences.getState().shortcuts) return;
      const turn = Number(key) - 1;
      if (/^[1-9]$/.test(key) && turn < count) onGuess(turn);
    };
    document.addEventListener("keydown", hear);
    return () => document.removeEventListener("keydown", hear);
  }, [count, onGuess]);
}

interface GuessProps {
  opening: Opening;
  guess: number | null;
  onGuess: (turn: number) => void;
}

function Boards({ opening, guess, played, onGuess }: GuessProps & { played: number | null }) {
  const boards = boardsOf(opening);
  const crop = cropOf(boards) ?? undefined;
  return (
    <>
      <div className="opening-side">
        <strong>{words.happened}</strong>
        <small>{words.happenedHint}</small>
      </div>
      {opening.turns.map(({ text, observation, actions }, h) => {
        const what = happened(observation, boards[h + 1]!);
        return (
          <button
            key={h}
            type="button"
            className="opening-board"
            aria-pressed={guess === h}
            aria-label={`${words.turn(h + 1)}: ${text}, ${what}`}
            data-testid="opening-turn"
            data-played={played === h ? "" : undefined}
            onClick={() => onGuess(h)}
          >
            <span className="opening-name">{words.turn(h + 1)}</span>
            <span className="opening-picture">
              <BoardPicture observation={observation} crop={crop} name={words.turn(h + 1)} />
              {crop && <MoveArrows observation={observation} actions={actions} crop={crop} />}
            </span>
            <code>{text}</code>
            <span className="opening-what">{what}</span>
          </button>
        );
      })}
      <div
        className="opening-board opening-end"
        data-played={played === opening.turns.length ? "" : undefined}
      >
        <span className="opening-name">{words.end}</span>
        <BoardPicture observation={opening.finalObservation} crop={crop} name={words.end} />
        <strong className="good">{words.solved}</strong>
        <span className="opening-what">{words.reward(signedCredit(opening.reward))}</span>
      </div>
    </>
  );
}

function MethodRow({ name, credits }: { name: string; credits: readonly number[] }) {
  const style = lineStyles([...OPENING_METHODS]).get(name)!;
  return (
    <>
      <div className="opening-side opening-line">
        <span className="opening-method">
          <LineSwatch {...style} />
          {titleOf(name)}
        </span>
        <small>{words.methods[name]}</small>
      </div>
      <Cells credits={credits} />
      <div className="opening-tail opening-line">{spreadInWords(credits)}</div>
    </>
  );
}

function Cells({ credits, halves }: { credits: readonly number[]; halves?: readonly number[] }) {
  const most = greatest(credits.map(Math.abs));
  return credits.map((value, h) => (
    <div key={h} className="opening-cell opening-line">
      <SignedBar value={value} most={most} hasMinus={credits.some((one) => one < 0)} />
      <span className={value < 0 ? "opening-number minus" : "opening-number plus"}>
        {signedCredit(value)}
        {halves && <small> ±{halves[h]!.toFixed(1)}</small>}
      </span>
    </div>
  ));
}

const BAR = { width: 60, height: 36 };

/** From the zero line up for plus, down and striped for minus. */
function SignedBar({ value, most, hasMinus }: { value: number; most: number; hasMinus: boolean }) {
  const up = hasMinus ? BAR.height * 0.7 : BAR.height;
  const room = value < 0 ? BAR.height - up : up;
  const height = most === 0 ? 0 : Math.min(room, (Math.abs(value) / most) * up);
  return (
    <svg viewBox={`0 0 ${BAR.width} ${BAR.height}`} aria-hidden="true" preserveAspectRatio="none">
      <rect
        className={value < 0 ? "bar-minus" : "bar-plus"}
        width={BAR.width}
        height={height}
        y={value < 0 ? up : up - height}
        rx="1.5"
      />
      <line
        x1="0"
        x2={BAR.width}
        y1={up}
        y2={up}
        stroke="var(--line-2)"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

function TruthRow({ opening: { truth, turns }, guess, onGuess }: GuessProps) {
  const halves = truth.high.map((high, h) => (high - truth.low[h]!) / 2);
  return (
    <>
      <div className="opening-side opening-line">
        <span className="opening-method">
          <svg width="28" height="12" aria-hidden="true">
            <MarkerShape marker="diamond" cx={14} cy={6} colour="var(--ink)" />
          </svg>
          {words.truth}
        </span>
        <small>{guess === null ? words.guessFirst : words.replays(truth.branches)}</small>
      </div>
      {guess === null ? (
        turns.map((_, h) => (
          <div key={h} className="opening-cell opening-line">
            <button
              type="button"
              className="opening-cover"
              aria-label={words.guess(h + 1)}
              onClick={() => onGuess(h)}
            >
              ?
            </button>
          </div>
        ))
      ) : (
        <Cells credits={truth.advantage} halves={halves} />
      )}
      <div className="opening-tail opening-line">
        {guess === null ? words.hidden : spreadInWords(truth.advantage)}
      </div>
    </>
  );
}

function Verdict({ opening, guess }: Pick<GuessProps, "opening" | "guess">) {
  const { advantage } = opening.truth;
  const best = bestTurn(advantage);
  return (
    <p className="opening-say" role="status" data-testid="opening-verdict">
      {guess === null ? (
        <>
          <strong>{words.ask}</strong> {words.askHow}
          <span className="opening-keys">, {words.askKeys(advantage.length)}</span>. {words.askThen}
        </>
      ) : (
        <>
          <strong>
            {guess === best ? words.right(guess + 1) : words.wrong(guess + 1, best + 1)}
          </strong>{" "}
          {words.worth(
            best + 1,
            signedCredit(advantage[best]!),
            guess + 1,
            signedCredit(advantage[guess]!),
          )}
          {sameForAll(opening)}
        </>
      )}
    </p>
  );
}

/** Only where it is so. */
function sameForAll(opening: Opening): string {
  return evenMethods(opening)
    .map((title) => ` ${words.sameForAll(title)}`)
    .join("");
}

/** What the figure shows once the true credit is seen. */
function statementOf(opening: Opening): string {
  const count = opening.turns.length;
  const paid = evenMethods(opening).map((title) => words.paid(title, count));
  return words.statement(bestTurn(opening.truth.advantage) + 1, paid.join(""));
}

/** Titles of the methods that give every turn the same. */
function evenMethods({ credits }: Opening): string[] {
  const isEven = (name: string) => spreadInWords(credits[name] ?? []) === words.same;
  return OPENING_METHODS.filter(isEven).map(titleOf);
}

function Ways({ opening, onPlay }: { opening: Opening; onPlay: () => void }) {
  const { store } = useExperiment();
  const { at, command, rule, candidates, fingerprint } = opening;
  const href = () => {
    const state = store.getState();
    return openLinkOf(
      { ...state, choice: { ...state.choice, ...at, turn: 0, token: null } },
      "lens",
    );
  };
  return (
    <div className="opening-ways">
      <button type="button" onClick={onPlay}>
        <Icon name="play" />
        {words.play}
      </button>
      <a
        href={href()}
        // The experiment may have changed since this was drawn.
        onPointerDown={({ currentTarget }) => (currentTarget.href = href())}
        onFocus={({ currentTarget }) => (currentTarget.href = href())}
        data-testid="opening-lens"
      >
        {words.lens}
      </a>
      <details>
        <summary>{words.made}</summary>
        <p className="note">
          {rule} {words.chosenFrom(candidates)} {words.fingerprint(fingerprint)}{" "}
          <code>{command}</code>
        </p>
      </details>
    </div>
  );
}
