/** The turns of the newest episode on the screen. */
import { lazyPart } from "../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../strings.ts";
import type { CellScreen } from "./screen.ts";

export const turnsScreen: CellScreen = {
  Content: lazyPart(
    "TurnsPanel",
    () => import("../../../panels/turns/TurnsPanel.tsx"),
    appWords.loading,
  ),
};
