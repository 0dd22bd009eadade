/** Words of the panel of turns by iteration. */
import type { TurnQuantity } from "../../reading/byTurn.ts";
import { counted } from "../../numeric/counted.ts";

export const words = {
  empty: "No data yet. Press Run; the first iteration fills the first column.",
  show: "Colour",
  quantities: {
    value: "Value",
    advantage: "Advantage",
    clip: "Clipped",
    success: "Success",
    explained: "Explained",
  } satisfies Record<TurnQuantity, string>,
  about: {
    value: "Mean V(s) before the h-th turns, in reward units.",
    advantage: "Mean advantage of the h-th turns, after normalisation.",
    clip: "Share of the h-th turns with a clipped token.",
    success: "Share of the episodes with an h-th turn that were solved.",
    explained:
      "Explained variance of V: 100 % is perfect, below 0 worse than the mean. Later turns vary less, so they are often harder.",
  } satisfies Record<TurnQuantity, string>,
  map: (title: string, quantity: string) => `${title}: ${quantity} by turn and iteration`,
  keys: "Arrow keys move the cursor.",
  turn: "turn",
  iteration: "iteration",
  at: (iteration: number, turn: number) => `Iteration ${iteration}, turn ${turn + 1}:`,
  none: "–",
  notRecorded: "not recorded",
  missing: {
    none: (title: string) => `${title}: no turn is recorded.`,
    noCritic: (title: string) => `No values: ${title} has no critic.`,
    notInLog: (title: string) => `No values: the log has none for ${title}.`,
    waiting: (title: string) => `${title} has not finished an iteration.`,
  },
  gaps: (recorded: number, iterations: number) =>
    `Hatched: not recorded. Episodes are kept of ${recorded} of ${counted(iterations, "iteration")}.`,
  packed: (recorded: number, iterations: number) =>
    `Each column is an iteration with episodes: ${recorded} of ${iterations}.`,
  reading: "Reading recorded iterations …",
  binned: (n: number) => `Each column is the mean of ${n} iterations.`,
  capped: (shown: number, all: number) => `The first ${shown} of ${all} turns are shown.`,
  scale: (quantity: string) => `Colours of ${quantity}`,
  same: "One scale for all methods.",
  cutNote:
    "A turn counts as cut if any of its tokens was: with A > 0 its likelihood had risen enough, with A < 0 fallen enough (or risen so far that dual clip acts).",
  here: (iteration: number) => `Iteration ${iteration} in numbers`,
  all: "All iterations in numbers",
  save: "Save all as CSV",
  rowsCapped: (shown: number, all: number) => `The latest ${shown} of ${all} rows.`,
  heads: {
    here: [
      "method",
      "turn",
      "turns",
      "mean value",
      "mean advantage",
      "success",
      "uses in updates",
      "cut, A > 0",
      "cut, A < 0",
      "share cut",
      "explained, whole iteration",
      "explained, recorded turns",
    ],
    all: [
      "method",
      "iteration",
      "turn",
      "turns",
      "mean value",
      "mean advantage",
      "clipped",
      "success",
      "explained variance",
    ],
  },
  below: "below −100 %",
} as const;
