/** Code on the screen. */
import { lazyPart } from "../../../../ui/parts/lazyPart.tsx";
import { appWords } from "../../../strings.ts";
import type { CellScreen } from "../screen.ts";

export const codeScreen: CellScreen = {
  Content: lazyPart("CodeContent", () => import("./CodeContent.tsx"), appWords.loading),
  Tools: lazyPart("Defines", () => import("./Defines.tsx"), appWords.loading),
};
