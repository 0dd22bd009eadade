/** One episode as a strip of boards, three methods' credit under it, the true one after a guess; it does not depend on a run. */
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from "react";
import type { Picture } from "../../env/picture.ts";
import { bestTurn, spreadInWords } from "../../figures/spread.ts";
import { whyTurn } from "../../figures/truthWords.ts";
import { LineSwatch } from "../../charts/LineSwatch.tsx";
import { MarkerShape } from "../../charts/MarkerShape.tsx";
import { signClass } from "../../charts/signedScale.ts";
import { largestSize } from "../../numeric/lists.ts";
import { lineStyles } from "../../charts/palette.ts";
import type { Opening } from "../../reading/opening.ts";
import { OPENING_METHODS } from "../../reading/openingMethods.ts";
import { useGuessKeys } from "../../store/guessKeys.ts";
import { Icon } from "../../ui/Icon.tsx";
import { BoardDrawing } from "../shared/BoardDrawing.tsx";
import { cropOf } from "../shared/crop.ts";
import { MoveArrows } from "../shared/MoveArrows.tsx";
import { SignedBars } from "../shared/SignedBars.tsx";
import { boardsOf, evenMethods, happened, signedCredit } from "./strip.ts";
import { openingWords as words } from "./words.ts";
import { Button } from "../../ui/Button.tsx";

/** Titles of methods, by name. */
type Titles = Readonly<Record<string, string>>;

interface OpeningStripProps {
  opening: Opening;
  /**
   * Pictures of the boards, one before each turn and one after the last; null if there is no
   * picture.
   */
  pictures: readonly (Picture | null)[];
  titles: Titles;
  /** The turn guessed initially; null for none. */
  guessed: number | null;
  onGuess?: ((turn: number) => void) | undefined;
  /** Whether the true credit is visible without a guess. */
  revealed?: boolean;
  /** Whether it is a placeholder for the page's own strip, whose parts have the same `data-as`. */
  isStandIn?: boolean;
  /** A link to the episode in the lens. */
  lens: ReactNode;
  /** The menu of its numbers. */
  data: ReactNode;
}

/** Identifies a part for the page when it replaces the frame, and for tests in the page. */
const partOf = (name: string, isStandIn: boolean) => ({
  "data-as": name,
  ...(!isStandIn && { "data-testid": name }),
});

/** Milliseconds per turn while the strip plays. */
const PACE = 900;

export function OpeningStrip({
  opening,
  pictures,
  titles,
  guessed,
  onGuess,
  revealed = false,
  isStandIn = false,
  lens,
  data,
}: OpeningStripProps) {
  const [guess, guessAt] = useState(guessed);
  const count = opening.turns.length;
  const { played, plays, toggle, end: endPlay } = usePlay(count);
  const setGuess = useCallback(
    (turn: number) => {
      guessAt(turn);
      endPlay();
      onGuess?.(turn);
    },
    [onGuess, endPlay],
  );
  useGuessKeys(count, setGuess);
  const end = useRef<HTMLDivElement>(null);
  // The answer to a guess, and the buttons under it, are scrolled above the run bar.
  useEffect(() => {
    if (guess !== null && guess !== guessed) end.current?.scrollIntoView({ block: "nearest" });
  }, [guess, guessed]);
  return (
    <>
      <div
        className="opening-grid"
        data-plays={played !== null ? "" : undefined}
        style={{ "--turns": count } as CSSProperties}
      >
        <Boards {...{ opening, pictures, guess, played, isStandIn }} onGuess={setGuess} />
        {OPENING_METHODS.map((name) => (
          <MethodRow
            key={name}
            name={name}
            title={titles[name] ?? name}
            credits={opening.credits[name] ?? []}
          />
        ))}
        <TruthRow opening={opening} isSeen={revealed || guess !== null} onGuess={setGuess} />
      </div>
      <Verdict {...{ opening, titles, guess, revealed, isStandIn }} />
      <Ways opening={opening} lens={lens} data={data} plays={plays} onPlay={toggle} place={end} />
    </>
  );
}

/** The turn being played, from 0, and `count` for the end; null while none is: turn by turn, with a pause. */
function usePlay(count: number) {
  const [played, setPlayed] = useState<number | null>(null);
  const [plays, setPlays] = useState(false);
  useEffect(() => {
    if (!plays) return undefined;
    const timer = setTimeout(() => {
      setPlayed((now) => (now === null || now >= count ? null : now + 1));
      setPlays((played ?? count) < count);
    }, PACE);
    return () => clearTimeout(timer);
  }, [plays, played, count]);
  const toggle = () => {
    if (!plays) setPlayed((now) => now ?? 0);
    setPlays(!plays);
  };
  const end = useCallback(() => {
    setPlayed(null);
    setPlays(false);
  }, []);
  return { played, plays, toggle, end };
}

interface GuessProps {
  opening: Opening;
  guess: number | null;
  onGuess: (turn: number) => void;
}

interface BoardsProps extends GuessProps, Pick<OpeningStripProps, "pictures"> {
  played: number | null;
  isStandIn: boolean;
}

function Boards({ opening, pictures, guess, played, isStandIn, onGuess }: BoardsProps) {
  const boards = boardsOf(opening);
  const crop = cropOf(boards) ?? undefined;
  const draw = (at: number, name: string) => {
    const picture = pictures[at];
    return picture && <BoardDrawing {...{ picture, crop, name }} />;
  };
  return (
    <>
      <div className="opening-side">
        <strong>{words.happened}</strong>
        <small>{words.happenedHint}</small>
      </div>
      {opening.turns.map(({ text, observation, actions }, h) => {
        const what = happened(observation, boards[h + 1]!);
        return (
          <Button
            key={h}
            className="opening-board"
            aria-pressed={guess === h}
            aria-label={`${words.turn(h + 1)}: ${text}, ${what}`}
            {...partOf("opening-turn", isStandIn)}
            data-played={played === h ? "" : undefined}
            onClick={() => onGuess(h)}
          >
            <span className="opening-name">{words.turn(h + 1)}</span>
            <span className="opening-picture">
              {draw(h, words.turn(h + 1))}
              {crop && <MoveArrows {...{ observation, actions, crop }} />}
            </span>
            <code>{text}</code>
            <span className="opening-what">{what}</span>
          </Button>
        );
      })}
      <div
        className="opening-board opening-end"
        data-played={played === opening.turns.length ? "" : undefined}
      >
        <span className="opening-name">{words.end}</span>
        {draw(opening.turns.length, words.end)}
        <strong className="good">{words.solved}</strong>
        <span className="opening-what">{words.reward(signedCredit(opening.reward))}</span>
      </div>
    </>
  );
}

interface MethodRowProps {
  name: string;
  title: string;
  credits: readonly number[];
}

function MethodRow({ name, title, credits }: MethodRowProps) {
  const style = lineStyles([...OPENING_METHODS]).get(name)!;
  return (
    <>
      <div className="opening-side opening-line">
        <span className="opening-method">
          <LineSwatch {...style} />
          {title}
        </span>
        <small>{words.methods[name]}</small>
      </div>
      <Cells credits={credits} />
      <div className="opening-tail opening-line">{spreadInWords(credits)}</div>
    </>
  );
}

interface CellsProps {
  credits: readonly number[];
  /** Half of each one's interval. */
  halves?: readonly number[];
  /** The highlighted turn. */
  best?: number;
}

function Cells({ credits, halves, best }: CellsProps) {
  const size = largestSize(credits);
  return credits.map((value, h) => (
    <div key={h} className="opening-cell opening-line" data-best={h === best ? "" : undefined}>
      <SignedBars values={[value]} among={credits} />
      <span className={`opening-number ${signClass(value, size) ?? ""}`}>
        {signedCredit(value)}
        {halves && <small> ±{halves[h]!.toFixed(1)}</small>}
      </span>
    </div>
  ));
}

interface TruthRowProps extends Omit<GuessProps, "guess"> {
  isSeen: boolean;
}

function TruthRow({ opening: { truth, turns }, isSeen, onGuess }: TruthRowProps) {
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
        <small>{isSeen ? words.replays(truth.branches) : words.guessFirst}</small>
      </div>
      {isSeen ? (
        <Cells credits={truth.advantage} halves={halves} best={bestTurn(truth.advantage)} />
      ) : (
        turns.map((_, h) => (
          <div key={h} className="opening-cell opening-line">
            <Button
              className="guess-cover"
              aria-label={words.guess(h + 1)}
              onClick={() => onGuess(h)}
            >
              ?
            </Button>
          </div>
        ))
      )}
      <div className="opening-tail opening-line">
        {isSeen ? spreadInWords(truth.advantage) : words.hidden}
      </div>
    </>
  );
}

interface VerdictProps extends Pick<GuessProps, "opening" | "guess"> {
  titles: Titles;
  revealed: boolean;
  isStandIn: boolean;
}

function Verdict({ opening, titles, guess, revealed, isStandIn }: VerdictProps) {
  const { advantage } = opening.truth;
  const best = bestTurn(advantage);
  return (
    <p className="opening-say" role="status" {...partOf("opening-verdict", isStandIn)}>
      {guess === null && !revealed ? (
        <span>
          <strong>{words.ask}</strong> {words.askHow}
          <span className="opening-keys">, {words.askKeys(advantage.length)}</span>. {words.askThen}
        </span>
      ) : (
        <span>
          {guess !== null && (
            <strong>
              {guess === best ? words.right(guess + 1) : words.wrong(guess + 1, best + 1)}{" "}
            </strong>
          )}
          {whyTurn(
            advantage.map((one) => ({ advantage: one })),
            best,
            { guess: guess ?? best },
          )}
          {sameForAll(opening, titles)}
        </span>
      )}
    </p>
  );
}

/** Only if it applies. */
function sameForAll(opening: Opening, titles: Titles): string {
  return evenMethods(opening)
    .map((name) => ` ${words.sameForAll(titles[name] ?? name)}`)
    .join("");
}

interface WaysProps {
  opening: Opening;
  lens: ReactNode;
  data: ReactNode;
  plays: boolean;
  place: RefObject<HTMLDivElement | null>;
  onPlay: () => void;
}

function Ways({ opening, lens, data, plays, place, onPlay }: WaysProps) {
  const { command, rule, candidates, fingerprint } = opening;
  return (
    <div ref={place} className="opening-ways">
      <Button onClick={onPlay}>
        <Icon name={plays ? "pause" : "play"} />
        {plays ? words.pause : words.play}
      </Button>
      {lens}
      <a href={words.thinks.href}>{words.thinks.text}</a>
      <details>
        <summary>{words.made}</summary>
        <p className="note">
          {rule} {words.chosenFrom(candidates)} {words.fingerprint(fingerprint)}{" "}
          <code>{command}</code>
        </p>
      </details>
      <span className="note opening-scale">{words.scale}</span>
      <span className="opening-data">{data}</span>
    </div>
  );
}
