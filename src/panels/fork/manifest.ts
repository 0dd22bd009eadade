import { definePanel } from "../shared/manifest.ts";
import "./fork.css";

export const fork = definePanel({
  id: "fork",
  title: "Counterfactual fork",
  about: "What if: another response or board from one turn on, played many times.",
  keys: [
    { id: "cellUp", name: "Cell above", keys: ["ArrowUp"], scope: "board", does: "tell" },
    { id: "cellDown", name: "Cell below", keys: ["ArrowDown"], scope: "board", does: "tell" },
    { id: "cellLeft", name: "Cell to the left", keys: ["ArrowLeft"], scope: "board", does: "tell" },
    { id: "cellRight", name: "Cell to the right", keys: ["ArrowRight"], scope: "board", does: "tell" },
    { id: "drawPlayer", name: "Draw the player", keys: ["p"], scope: "board", does: "tell" },
    { id: "drawBox", name: "Draw a box", keys: ["b"], scope: "board", does: "tell" },
    { id: "drawTarget", name: "Draw a target, or take it away", keys: ["t"], scope: "board", does: "tell" },
    { id: "drawFloor", name: "Draw floor", keys: ["f"], scope: "board", does: "tell" },
    { id: "drawWall", name: "Draw a wall", keys: ["w"], scope: "board", does: "tell" },
  ],
  scopes: { board: "On the board of a fork that is changed" },
});
