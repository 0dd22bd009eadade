import { definePanel } from "../../figures/manifest.ts";
import "./fork.css";

export const fork = definePanel({
  id: "fork",
  pane: "try",
  title: "Fork",
  about: "What if: another response or board from one turn on, replayed many times.",
  terms: ["fork", "value", "advantage", "truth", "return"],
  needsEpisodes: {
    empty: "No run yet: press Run, and wait for the first episodes.",
    none: "This iteration has no recorded episodes; choose another.",
  },
  keys: [
    { id: "cellUp", name: "Cell above", keys: ["ArrowUp"], scope: "board" },
    { id: "cellDown", name: "Cell below", keys: ["ArrowDown"], scope: "board" },
    { id: "cellLeft", name: "Cell to the left", keys: ["ArrowLeft"], scope: "board" },
    { id: "cellRight", name: "Cell to the right", keys: ["ArrowRight"], scope: "board" },
    { id: "drawPlayer", name: "Draw the player", keys: ["p"], scope: "board" },
    { id: "drawBox", name: "Draw a box", keys: ["b"], scope: "board" },
    { id: "drawTarget", name: "Draw a target, or take it away", keys: ["t"], scope: "board" },
    { id: "drawFloor", name: "Draw floor", keys: ["f"], scope: "board" },
    { id: "drawWall", name: "Draw a wall", keys: ["w"], scope: "board" },
  ],
  scopes: { board: "On the board of a fork" },
});
