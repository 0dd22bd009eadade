/** The strip's menu. In a separate file, loaded once the page is shown: menus are heavy. */
import { FigureFiles } from "../../charts/FigureFiles.tsx";
import type { Opening } from "../../reading/opening.ts";
import { numbersOfStrip } from "./numbers.ts";
import { openingWords } from "./words.ts";

export function StripMenu({ opening, isSeen }: { opening: Opening; isSeen: boolean }) {
  return (
    <FigureFiles
      title={openingWords.title}
      name="opening"
      testId="data-opening"
      table={() => numbersOfStrip(opening)}
      picture={async () => (await import("./picture.tsx")).pictureOfStrip(opening, isSeen)}
    />
  );
}
