/** The turns of an episode, for a long one the window around the cursor. */
import { signedScale } from "../../charts/signedScale.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import { stretchAt } from "../../numeric/stretch.ts";
import { panelWords } from "../shared/strings.ts";
import { TurnStretch } from "../shared/TurnStretch.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { TurnRow } from "./TurnRow.tsx";

const words = panelWords.turns;

/** Maximum turns drawn at once: fifty with their boards are many screens tall. */
export const TURNS_DRAWN = 12;

interface TurnListProps {
  /** All of the iteration, which share one colour scale. */
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
  const stretch = stretchAt(turn, count, TURNS_DRAWN);
  const { from, to } = stretch;
  return (
    <>
      <TurnStretch stretch={stretch} count={count} onChoose={onChoose} id="turns" />
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
        <TurnStretch stretch={stretch} count={count} onChoose={onChoose} id="turns" />
      )}
    </>
  );
}
