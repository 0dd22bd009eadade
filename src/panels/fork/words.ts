/** UI texts of what starts a fork. */
import type { Tool } from "./boardEdit.ts";

export const words = {
  about:
    "What if the response or the board at the current turn had been different? The live policy plays K continuations from there. For comparison: K continuations from the original state, which estimate its value, and K after the actual response.",
  noTurns: "This episode has no turns.",
  from: (turn: number, turns: number) => `From turn ${turn} of ${turns}`,
  strip: "Turns of the episode; the fork starts at the yellow one",
  wasSaid: "Actual response",
  thatIs: (action: string) => `, that is ${action}`,
  say: "Alternative response",
  sayHint: (form: string, example: string) =>
    `The turn's whole response: ${form}, for example ${example}.`,
  let: "Let the policy choose the response",
  letHint: "The policy also chooses the response of this turn.",
  restore: "Original",
  pageHint:
    "Click another product, option or button, or search for something else, to set the response.",
  noPage: "This turn has no board or page to change. Type another response instead.",
  board: "Change the board",
  boardHint:
    "Choose what to draw, then click a cell. Keys: arrows move, and p, b, t, f, w draw player, box, target, floor, wall. The border stays wall.",
  tool: { player: "Player", box: "Box", target: "Target", floor: "Floor", wall: "Wall" } as Record<
    Tool,
    string
  >,
  tools: "What to draw",
  cell: (r: number, c: number, name: string) => `Row ${r + 1}, column ${c + 1}: ${name}`,
  boardName: "Board to edit",
  boardChanged: "The board is changed.",
  branches: "Continuations per branch (K)",
  branchesHint: "More continuations take longer and give narrower intervals.",
  run: "Run",
} as const;
