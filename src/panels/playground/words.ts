/** Words of the playground. */
import { counted } from "../../numeric/counted.ts";
export const words = {
  about:
    "Play yourself, with the live policy looking on: how likely it would be to make each move, and what its critics expect to earn from here. Let it take over, and take back.",
  begin: "Begin with",
  ofCursor: "the level at the cursor",
  ofCursorShop: "the goal at the cursor",
  ofCursorNone: "no episode at the cursor",
  fromTurn: (turn: number) => `the cursor's turn ${turn}`,
  another: "another level",
  anotherGoal: "another goal",
  level: (seed: number) => `Level ${seed}`,
  goal: (seed: number) => `Goal ${seed}`,
  notBegun: "Choose a level to begin with.",
  moves: "Your move",
  movesOf: (method: string) => `How likely ${method} would do it`,
  movesNote:
    "Each number is the probability that the policy's response begins with that move; anything else is all other beginnings together. Click a move to make it your whole turn.",
  shopNote:
    "Each number is the probability that this click is the policy's whole response. Anything else is all other responses together: searches, which WebShop takes on every page and which have too many wordings to be listed, and clicks on what this page does not have.",
  noMoves: "Nothing can be clicked here: search for something.",
  other: "anything else",
  otherShop: "anything else: a search, or what this page does not have",
  chain: "Several moves in one turn: clicks only write",
  write: "Or write the whole response",
  writeHint: (form: string, example: string) =>
    `${form[0]!.toUpperCase()}${form.slice(1)}, for example ${example}.`,
  writeHintShop: "click[...] with what stands on the page, or search[red shoes].",
  play: "Play",
  policyTurn: "Let the policy take this turn",
  policyEnd: "Let it play to the end",
  handBack: "Hand back",
  swapped: (from: string, to: string) =>
    `The method was changed from ${from} to ${to}: the turn is yours again. Let it play to the end, and ${to} goes on.`,
  takeBack: "Take back the last turn",
  values: "What the critics, as they are now, expect from here, V(s)",
  valuesThen:
    "Of a recorded turn the ribbon shows what they said when it was played, which may be another number.",
  untrained: "Before any training critics say 0 everywhere: they have not seen a reward yet.",
  noCritic: "No method of this run has a critic.",
  turnsLeft: (n: number) => `${counted(n, "turn")} left.`,
  over: (how: string, earned: string) => `The game is over: ${how}, ${earned} earned.`,
  solved: (solved: boolean) => (solved ? "solved" : "not solved"),
  bought: (right: boolean) => (right ? "just what was asked for" : "not just what was asked for"),
  pageNote:
    "Click something, or search: that is your whole turn. The percentage beside it is how likely the policy would do the same.",
  earned: (earned: string) => `Earned so far: ${earned}.`,
  by: (method: string, policy: string) => `${method}: ${policy}.`,
  log: "Turns so far",
  logNone: "None yet.",
  who: { you: "you", policy: "policy", recorded: "recorded" },
  said: "said",
  did: "did",
  nothing: "nothing that could be done",
  reward: "reward",
  keys: "With the focus here: arrow keys move, y lets the policy take a turn, Y to the end, u takes back.",
  shopKeys: "With the focus here: y lets the policy take a turn, Y to the end, u takes back.",
} as const;
