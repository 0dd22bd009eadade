/** The turns of an episode, of a long one the stretch around the cursor. */
import { signedScale } from "../../charts/signedScale.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../runtime/questions.ts";
import { strings } from "../strings.ts";
import { BoardPicture } from "./BoardPicture.tsx";
import { TurnRow } from "./TurnRow.tsx";
import { stretchAt, type Stretch } from "./turnWindow.ts";

const words = strings.turns;

interface TurnListProps {
  /** All of the iteration, which share one scale of colours. */
  episodes: readonly EpisodeRecord[];
  record: EpisodeRecord;
  turn: number;
  /** Whether the method that played has a critic. */
  hasCritic: boolean;
  onChoose: (turn: number) => void;
}

export function TurnList({ episodes, record, turn, hasCritic, onChoose }: TurnListProps) {
  const scale = signedScale(
    episodes.flatMap(({ turns }) => turns.map(({ advantage }) => advantage)),
  );
  const count = record.turns.length;
  const stretch = stretchAt(turn, count);
  const { from, to } = stretch;
  return (
    <>
      <Stretches {...{ stretch, count, onChoose }} />
      <ol className="turn-list" start={from + 1}>
        {record.turns.slice(from, to).map((one, i) => (
          <TurnRow
            key={from + i}
            turn={one}
            number={from + i + 1}
            tone={scale(one.advantage)}
            current={from + i === turn}
            forked={isFork(record)}
            hasCritic={hasCritic}
            onChoose={() => onChoose(from + i)}
          />
        ))}
      </ol>
      {to === count ? (
        <div className="final-board">
          <h4>{words.final}</h4>
          <BoardPicture observation={record.finalObservation} />
        </div>
      ) : (
        <Stretches {...{ stretch, count, onChoose }} />
      )}
    </>
  );
}

interface StretchesProps {
  stretch: Stretch;
  count: number;
  onChoose: (turn: number) => void;
}

/** Earlier and later turns: the cursor goes with them, so that its turn is always shown. */
function Stretches({ stretch: { from, to }, count, onChoose }: StretchesProps) {
  if (to - from === count) return null;
  // aria-disabled instead of disabled: the button keeps the focus at either end.
  const step = (name: string, turn: number, isEnd: boolean) => (
    <button type="button" aria-disabled={isEnd} onClick={() => !isEnd && onChoose(turn)}>
      {name}
    </button>
  );
  return (
    <p className="turn-stretch" data-testid="turns-stretch">
      {words.stretch(from + 1, to, count)} {step(words.earlier, from - 1, from === 0)}{" "}
      {step(words.later, to, to === count)}
    </p>
  );
}
