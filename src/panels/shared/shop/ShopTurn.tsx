/** The page of a turn to be clicked; only then is the shop made. */
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";
import { panelWords } from "../strings.ts";

export const ShopTurn = lazyPart(
  "ClickablePage",
  () => import("./ClickablePage.tsx"),
  panelWords.turns.shopOpening,
);
