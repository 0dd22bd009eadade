/** A Sokoban board with the moves of its turn over it. */
import type { CSSProperties } from "react";
import type { Picture } from "../../env/picture.ts";
import { BoardDrawing } from "./BoardDrawing.tsx";
import type { Crop } from "./crop.ts";
import { MoveArrows } from "./MoveArrows.tsx";

interface MovedBoardProps {
  observation: string;
  picture: Picture;
  /** None for the last board. */
  actions: readonly string[] | null;
  /** The part that is drawn. */
  crop: Crop;
}

export function MovedBoard({ observation, picture, actions, crop }: MovedBoardProps) {
  const { width, height } = crop;
  // The longer side of any board has the same length.
  const ratio = width / height;
  const style = { "--board-width": Math.min(1, ratio).toFixed(3), "--board-ratio": ratio };
  return (
    <div className="moved-board" style={style as CSSProperties}>
      <BoardDrawing {...{ picture, crop }} />
      <MoveArrows {...{ observation, crop }} actions={actions ?? []} />
    </div>
  );
}
