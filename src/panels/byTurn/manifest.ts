import { turnQuantities } from "../../reading/byTurn.ts";
import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../shared/manifest.ts";
import "./byTurn.css";

export const byTurn = definePanel({
  id: "byTurn",
  title: "Turn by iteration",
  about: "Values, advantages, clipping and success of the first, second, … turn over training.",
  terms: ["turn", "iteration", "value", "advantage", "clip-fraction", "explained-variance"],
  settings: {
    /** What the colours show. */
    show: oneOf(turnQuantities, "advantage"),
  },
  keys: [
    {
      id: "mapEarlier",
      name: "Move the cursor one iteration earlier",
      keys: ["ArrowLeft"],
      scope: "byTurn",
      does: "send",
    },
    {
      id: "mapLater",
      name: "Move the cursor one iteration later",
      keys: ["ArrowRight"],
      scope: "byTurn",
      does: "send",
    },
    {
      id: "mapTurnUp",
      name: "Move the cursor to the turn above",
      keys: ["ArrowUp"],
      scope: "byTurn",
      does: "send",
    },
    {
      id: "mapTurnDown",
      name: "Move the cursor to the turn below",
      keys: ["ArrowDown"],
      scope: "byTurn",
      does: "send",
    },
  ],
  scopes: { byTurn: "In a map of turns by iteration" },
});
