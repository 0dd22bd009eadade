/** An observation as a picture if it is a grid, or as its text. */
import { memo } from "react";
import { pictureOf } from "../../env/descriptors.ts";
import { stretchesOf } from "../../numeric/longText.ts";
import { BoardDrawing } from "./BoardDrawing.tsx";
import { words } from "../../figures/turns/words.ts";

interface BoardPictureProps {
  observation: string;
  /** Spoken before its content. */
  name?: string;
}

export const BoardPicture = memo(function BoardPicture({ observation, name }: BoardPictureProps) {
  const picture = pictureOf(observation);
  if (picture) return <BoardDrawing picture={picture} name={name} />;
  // Long pages scroll in their own box, which the keyboard can reach.
  return (
    <pre className="observation" role="group" aria-label={words.observation} tabIndex={0}>
      {shortened(observation)}
    </pre>
  );
});

/** Pages of a shop are a few thousand characters; a file may contain a megabyte. */
function shortened(text: string): string {
  const { parts, left } = stretchesOf(text, 2);
  return left === 0 ? text : `${parts.join("")} ${words.moreText(left)}`;
}
