/** What a turn saw: a board with its moves, a page of the shop, or the beginning of a text. */
import { memo } from "react";
import { isEditableBoard, pictureOf } from "../../env/descriptors.ts";
import { BoardPicture } from "../shared/BoardPicture.tsx";
import type { Crop } from "../shared/crop.ts";
import { MovedBoard } from "../shared/MovedBoard.tsx";
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
    return <MovedBoard {...{ observation, picture, actions, crop }} />;
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
