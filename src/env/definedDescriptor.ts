/** An environment that a spec defines in code, as data: what all of them have in common. Its code defines the training. */
import { describe, commonFields } from "./descriptor.ts";

export const defined = describe({
  kind: "defined",
  title: "Defined in code",
  registered: [],
  fields: [commonFields.formatPenalty, commonFields.maxTurns],
  task: "task",
  shownAs: "picture",
  answers: { form: "the name of an action", example: "Up" },
  // A grid in the symbols of Sokoban or FrozenLake is drawn like theirs.
  picture: () => null,
  ragen: {
    tag: "TurnbookDefined",
    type: "defined",
    instruction: "The environment is defined in code that does not travel with this export.",
    settings: {},
  },
  training: null,
});
