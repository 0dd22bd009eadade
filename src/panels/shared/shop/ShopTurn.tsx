/** The clickable page of a turn; the shop is generated only then. */
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";
import { panelWords } from "../strings.ts";

export const ShopTurn = lazyPart(
  "ClickablePage",
  () => import("./ClickablePage.tsx"),
  panelWords.turns.shopOpening,
);
