import { turnQuantities } from "../../reading/byTurn.ts";
import { oneOf } from "../../store/lensCodecs.ts";
import { definePanel } from "../manifest.ts";

const key = (id: string, name: string, arrow: string) => ({
  id,
  name: `Move the cursor ${name}`,
  keys: [`Arrow${arrow}`],
  scope: "byTurn",
});

export const byTurn = definePanel({
  id: "byTurn",
  title: "Turn by iteration",
  about: "Values, advantages, clipping and success of the first, second, … turn over training.",
  terms: ["turn", "iteration", "value", "advantage", "clip-fraction", "explained-variance"],
  settings: {
    /** The quantity that the colours show. */
    show: oneOf(turnQuantities, "advantage"),
  },
  keys: [
    key("mapEarlier", "one iteration earlier", "Left"),
    key("mapLater", "one iteration later", "Right"),
    key("mapTurnUp", "to the turn above", "Up"),
    key("mapTurnDown", "to the turn below", "Down"),
  ],
  scopes: { byTurn: "In a map of turns by iteration" },
});
