/** What a turn saw: a board with its moves, a page of the shop, or the beginning of a text. */
import { memo, type CSSProperties } from "react";
import { isEditableBoard, pictureOf } from "../../env/descriptors.ts";
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { BoardDrawing } from "../shared/BoardDrawing.tsx";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import { cropOf, type Crop } from "../shared/crop.ts";
import { MoveArrows } from "../shared/MoveArrows.tsx";
import { beginning, newLines, pageLines } from "./page.ts";

interface SeenProps {
  observation: string;
  /** The observation of the previous turn. */
  before: string | undefined;
  /** The turn's actions; null if unknown. */
  actions: readonly string[] | null;
  /** The part of a Sokoban board that is drawn. */
  crop: Crop | null;
}

/** For a text that is neither board nor page, the beginning of its new part. */
export const Seen = memo(function Seen({ observation, before, actions, crop }: SeenProps) {
  const picture = pictureOf(observation);
  if (picture && crop && isEditableBoard(observation))
    return (
      <div className="ribbon-board" style={boardStyle(crop)}>
        <BoardDrawing {...{ picture, crop }} />
        <MoveArrows {...{ observation, crop }} actions={actions ?? []} />
      </div>
    );
  if (picture) return <BoardPicture observation={observation} />;
  const lines = pageLines(observation);
  if (lines)
    return (
      <div className="page-picture" data-testid="page-picture">
        {lines.map(({ look, text, price }, i) => (
          <p key={i} className={`page-${look}`}>
            {text} {price !== undefined && <b>{price}</b>}
          </p>
        ))}
      </div>
    );
  return <pre className="ribbon-page">{beginning(newLines(observation, before), 400)}</pre>;
});

/** The longer side of any board has the same length. */
function boardStyle({ width, height }: Crop): CSSProperties {
  return { "--board-width": Math.min(1, width / height).toFixed(3) } as CSSProperties;
}

/** The same part of every board of the episode; null if it has no Sokoban boards. */
export function episodeCrop({ turns, finalObservation }: EpisodeRecord): Crop | null {
  const first = turns[0]?.observation;
  if (first === undefined || !isEditableBoard(first)) return null;
  return cropOf([...turns.map(({ observation }) => observation), finalObservation]);
}
