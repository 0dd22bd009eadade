import { definePanel } from "../../figures/manifest.ts";
import "./fork.css";

export const fork = definePanel({
  id: "fork",
  pane: "try",
  title: "Counterfactual fork",
  about: "What if: another response or board from one turn on, replayed many times.",
  terms: ["fork", "value", "advantage", "truth", "return"],
  needsEpisodes: {
    empty: "No run yet: press Run, and wait for the first episodes.",
    none: "This iteration has no recorded episodes; choose another.",
  },
  keys: [
    { id: "cellUp", name: "Cell above", keys: ["ArrowUp"], scope: "board", does: "send" },
    { id: "cellDown", name: "Cell below", keys: ["ArrowDown"], scope: "board", does: "send" },
    { id: "cellLeft", name: "Cell to the left", keys: ["ArrowLeft"], scope: "board", does: "send" },
    {
      id: "cellRight",
      name: "Cell to the right",
      keys: ["ArrowRight"],
      scope: "board",
      does: "send",
    },
    { id: "drawPlayer", name: "Draw the player", keys: ["p"], scope: "board", does: "send" },
    { id: "drawBox", name: "Draw a box", keys: ["b"], scope: "board", does: "send" },
    {
      id: "drawTarget",
      name: "Draw a target, or take it away",
      keys: ["t"],
      scope: "board",
      does: "send",
    },
    { id: "drawFloor", name: "Draw floor", keys: ["f"], scope: "board", does: "send" },
    { id: "drawWall", name: "Draw a wall", keys: ["w"], scope: "board", does: "send" },
  ],
  scopes: { board: "On the board of a fork" },
});
