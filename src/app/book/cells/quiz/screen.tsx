/** A question on the screen. */
import { lazyPart } from "../../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../../strings.ts";
import type { CellScreen, ContentProps } from "../screen.ts";

const QuizCell = lazyPart("QuizCell", () => import("./QuizCell.tsx"), appWords.loading);

export const quizScreen: CellScreen = { Content };

function Content({ cell }: ContentProps) {
  return <QuizCell body={cell.body} />;
}
