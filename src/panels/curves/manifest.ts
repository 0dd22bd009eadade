import { curveTable } from "../../store/curveSettings.ts";
import { definePanel } from "../../figures/manifest.ts";
import "./curves.css";

/** Each with its action, what that does, and its keys. */
const KEYS = [
  ["readEarlier", "Read one iteration earlier", "ArrowLeft"],
  ["readLater", "Read one iteration later", "ArrowRight"],
  ["cursorHere", "Move the cursor to this point", "Enter"],
  ["selectHere", "Begin or end a selection of iterations", "b"],
  ["zoomIn", "Zoom in", "+", "="],
  ["zoomOut", "Zoom out", "-"],
  ["panEarlier", "Show earlier iterations", "<", ","],
  ["panLater", "Show later iterations", ">"],
  ["zoomReset", "Clear the selection, then show all iterations", "0", "Escape"],
] as const;

export const curves = definePanel({
  id: "curves",
  title: "Curves",
  about: "Learning curves: how well each method does, by iteration.",
  hasNumbers: false,
  terms: ["iteration", "reward", "held-out", "interval", "iqm", "seed"],
  settings: curveTable,
  keys: KEYS.map(([id, name, ...keys]) => ({ id, name, keys, scope: "curves" })),
  scopes: { curves: "In a chart of the credit lens" },
});
