/** Words of the critic's value landscape. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  landscape: "The value landscape",
  landscapeHint:
    "V if the player stood on each free square instead, with everything else as at the current turn.",
  landscapeNoBoard: "The current turn has no Sokoban board, so there are no squares to compare.",
  landscapeNeedsLive:
    "This needs the critic's weights, which a log does not hold. Press Run, wait for an iteration, then ask here.",
  landscapeNoNumbers: "No critic of the run gave a number.",
  landscapeWhose: (critic: string, trained: number) =>
    `V of ${critic}’s current critic, after ${counted(trained, "iteration")}.`,
  landscapeThen: (value: string, iteration: number) =>
    `When the turn was played, in iteration ${iteration}, V was ${value} at the player's square: the critic has changed since.`,
  landscapeColours: "Blue: higher than at the player's square (framed); red: lower.",
  table: "Landscape in numbers",
  heads: ["square", "V", "relative to the player's square"],
  ask: (turn: number) => `Ask the critic about turn ${turn}`,
  askAlways: "Ask again when the cursor moves",
  asking: "Waiting for the run to finish a step …",
  refused: (message: string) => `No answer: ${message}`,
  standing: (value: string, where: string) => `At the player's square, ${where}, V is ${value}.`,
  best: (value: string, where: string) => `Highest: ${value} at ${where}.`,
  worst: (value: string, where: string) => `Lowest: ${value} at ${where}.`,
  place: (row: number, column: number) => `row ${row}, column ${column}`,
} as const;
