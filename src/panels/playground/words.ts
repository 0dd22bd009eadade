/** UI texts of the playground. */
import { capital, counted } from "../../numeric/counted.ts";
export const words = {
  about:
    "Play yourself, with the live policy's predictions shown: its probability of each move and its critics' values. The policy can take over; you can undo.",
  begin: "Start from",
  ofCursor: (task: string) => `the ${task} at the cursor`,
  ofCursorNone: "no episode at the cursor",
  fromTurn: (turn: number) => `the cursor's turn ${turn}`,
  another: (task: string) => `another ${task}`,
  task: (task: string, seed: number) => `${capital(task)} ${seed}`,
  notBegun: (task: string) => `Choose a ${task} to start.`,
  strip: "Turns of the episode at the cursor",
  moves: "Your move",
  movesOf: (method: string) => `${method}’s probability`,
  movesNote:
    "The probability that the policy's response begins with each move; “anything else” is the rest. Click a move to play it as your whole turn.",
  shopNote:
    "The probability that each click is the policy's whole response. “Anything else” is the rest: searches, which every WebShop page accepts, and clicks on items that are not on this page.",
  noMoves: "Nothing to click here: search for something.",
  other: "anything else",
  otherShop: "anything else: a search, or a click on a missing item",
  chain: "Several moves in one turn: clicks only fill the box",
  write: "Or type the whole response",
  writeHint: (form: string, example: string) => `${capital(form)}, for example ${example}.`,
  writeThought: "A thought may come first: <think>go up.</think>",
  writeHintShop: "click[...] with text from the page, or search[red shoes].",
  play: "Play",
  policyTurn: "Let the policy take this turn",
  policyEnd: "Let it play to the end",
  handBack: "Hand back",
  swapped: (from: string, to: string) =>
    `The method was changed from ${from} to ${to}, so it is your turn again. “Let it play to the end” continues with ${to}.`,
  takeBack: "Undo the last turn",
  values: "V(s) of the current critics",
  valuesThen: "For a recorded turn, the ribbon shows V from the time of play, which may differ.",
  untrained: "Before training, critics predict 0 everywhere.",
  noCritic: "No method of this run has a critic.",
  turnsLeft: (n: number) => `${counted(n, "turn")} left.`,
  over: (how: string, earned: string) => `Game over: ${how}, reward ${earned}.`,
  solved: (solved: boolean) => (solved ? "solved" : "not solved"),
  bought: (right: boolean) =>
    right ? "exactly the requested product" : "not exactly the requested product",
  pageNote:
    "Click something or search: that is your whole turn. Each percentage is the policy's probability of the same action.",
  earned: (earned: string) => `Reward so far: ${earned}.`,
  by: (method: string, policy: string) => `${method}: ${policy}.`,
  log: "Turns so far",
  logNone: "None yet.",
  who: { you: "you", policy: "policy", recorded: "recorded" },
  nothing: "no valid action",
  keys: "Keys, with the focus here: arrows move, y lets the policy take a turn, Y lets it play to the end, u undoes.",
  shopKeys:
    "Keys, with the focus here: y lets the policy take a turn, Y lets it play to the end, u undoes.",
} as const;
