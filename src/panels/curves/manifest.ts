import { curveTable } from "../../store/curveSettings.ts";
import { definePanel } from "../../figures/manifest.ts";
import "./curves.css";

export const curves = definePanel({
  id: "curves",
  title: "Curves",
  about: "Learning curves: how well each method does, by iteration.",
  hasNumbers: false,
  terms: ["iteration", "reward", "held-out", "interval", "iqm", "seed"],
  settings: curveTable,
  keys: [
    {
      id: "readEarlier",
      name: "Read one iteration earlier",
      keys: ["ArrowLeft"],
      scope: "curves",
      does: "send",
    },
    {
      id: "readLater",
      name: "Read one iteration later",
      keys: ["ArrowRight"],
      scope: "curves",
      does: "send",
    },
    {
      id: "cursorHere",
      name: "Move the cursor to this point",
      keys: ["Enter"],
      scope: "curves",
      does: "send",
    },
    {
      id: "selectHere",
      name: "Begin or end a selection of iterations",
      keys: ["b"],
      scope: "curves",
      does: "send",
    },
    { id: "zoomIn", name: "Zoom in", keys: ["+", "="], scope: "curves", does: "send" },
    { id: "zoomOut", name: "Zoom out", keys: ["-"], scope: "curves", does: "send" },
    {
      id: "panEarlier",
      name: "Show earlier iterations",
      keys: ["<", ","],
      scope: "curves",
      does: "send",
    },
    { id: "panLater", name: "Show later iterations", keys: [">"], scope: "curves", does: "send" },
    {
      id: "zoomReset",
      name: "Clear the selection, then show all iterations",
      keys: ["0", "Escape"],
      scope: "curves",
      does: "send",
    },
  ],
  scopes: { curves: "In a chart of the credit lens" },
});
