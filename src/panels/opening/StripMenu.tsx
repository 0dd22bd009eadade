/** The menu of the strip's numbers. In a file of its own, so that it comes once the page stands: menus are heavy. */
import { DataMenu } from "../../charts/DataMenu.tsx";
import type { Opening } from "../../reading/opening.ts";
import { numbersOfStrip } from "./numbers.ts";
import { openingWords } from "./words.ts";

export function StripMenu({ opening }: { opening: Opening }) {
  return (
    <DataMenu title={openingWords.title} name="opening" table={() => numbersOfStrip(opening)} />
  );
}
