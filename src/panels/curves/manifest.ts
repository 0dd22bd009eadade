import { curveTable } from "../../store/curveSettings.ts";
import { definePanel } from "../shared/manifest.ts";
import "./curves.css";

export const curves = definePanel({
  id: "curves",
  title: "Curves",
  about: "How well each method does, iteration by iteration.",
  openAtFirst: true,
  settings: curveTable,
  keys: [
    { id: "readEarlier", name: "Read one iteration earlier", keys: ["ArrowLeft"], scope: "curves", does: "change" },
    { id: "readLater", name: "Read one iteration later", keys: ["ArrowRight"], scope: "curves", does: "change" },
    { id: "cursorHere", name: "Move the cursor to what is read", keys: ["Enter"], scope: "curves", does: "change" },
    { id: "zoomIn", name: "Zoom in", keys: ["+", "="], scope: "curves", does: "change" },
    { id: "zoomOut", name: "Zoom out", keys: ["-"], scope: "curves", does: "change" },
    { id: "panEarlier", name: "Show earlier iterations", keys: ["<", ","], scope: "curves", does: "change" },
    { id: "panLater", name: "Show later iterations", keys: [">"], scope: "curves", does: "change" },
    { id: "zoomReset", name: "Show all iterations", keys: ["0", "Escape"], scope: "curves", does: "change" },
  ],
  scopes: { curves: "In a chart of the lens's curves" },
});
