/** What the reader has chosen in the panel. */
import type { Quantity } from "./cells.ts";
import type { Grain } from "./columns.ts";
import { ALL, type Changes } from "./rows.ts";

export interface Choices {
  quantity: Quantity;
  grain: Grain;
  /** Turns that are opened into their tokens, from 0. */
  open: ReadonlySet<number>;
  /** Rows beside those that are always there. */
  added: readonly string[];
  changes: Changes;
  /** Row that the sliders change, or ALL. */
  target: string;
}

export const NOTHING_CHOSEN: Choices = {
  quantity: "advantage",
  grain: "turn",
  open: new Set(),
  added: [],
  changes: {},
  target: ALL,
};
