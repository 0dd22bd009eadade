/** Words of the fork panel. */
import type { Tool } from "./boardEdit.ts";
import { counted } from "../../numeric/counted.ts";

export const words = {
  about:
    "What if, at the cursor's turn, something else had been said, or the board had been another? The live policy plays on K times from there. Beside it: K times from the turn as it was, which tells what the state was worth, and K times after what was really said.",
  noTurns: "This episode has no turns.",
  from: (turn: number, turns: number) => `From turn ${turn} of ${turns}`,
  wasSaid: "What was said",
  thatIs: (action: string) => `, that is ${action}`,
  say: "Said instead",
  sayHint: (form: string, example: string) =>
    `The turn's whole response: ${form}, for example ${example}.`,
  let: "Let the policy choose what is said",
  letHint: "Nothing is said for it: the policy speaks in this turn too.",
  restore: "As it was",
  pageHint:
    "Click another product, option or button, or search for something else: that becomes the response.",
  noPage:
    "Neither a board nor a page that can be made again here: what is said can be changed, in writing.",
  board: "Change the board",
  boardHint:
    "Choose what to draw, then click a cell. Keys: arrows move, and p, b, t, f, w draw player, box, target, floor, wall. The border stays wall.",
  tool: { player: "Player", box: "Box", target: "Target", floor: "Floor", wall: "Wall" } as Record<
    Tool,
    string
  >,
  tools: "What to draw",
  cell: (r: number, c: number, name: string) => `Row ${r + 1}, column ${c + 1}: ${name}`,
  boardName: "The board, to be changed",
  boardChanged: "The board is changed.",
  branches: "K, continuations of each",
  branchesHint: "More takes longer and makes the intervals narrower.",
  run: "Play it",
  names: {
    policy: "From the turn as it was",
    recorded: "After what was really said",
    forked: "With your change",
  },
  short: { policy: "V(s)", recorded: "Q(s, recorded)", forked: "your change" },
  meanings: "What the rows say",
  hints: {
    policy:
      "The policy speaks in this turn too: the mean is the value V(s) of the state under this policy.",
    recorded:
      "The recorded response, then the policy: the mean is Q(s, a). Less V(s), it is the true advantage of what was said.",
    forked: "Your response or board, then the policy.",
  },
  outcome: "Returns from this turn on",
  axis: "return from this turn on",
  picture: (parts: string) =>
    `Returns of the continuations: bars for how many earned how much. ${parts}`,
  row: (name: string, mean: string, low: string, high: string, n: number) =>
    `${name}: mean ${mean}, 95 % interval ${low} to ${high}, n = ${n}.`,
  table: "The numbers",
  columns: ["", "mean return", "95 % interval", "less V(s)", "95 % interval", "n"],
  interval: (low: string, high: string) => `${low} to ${high}`,
  equal: "All continuations earned the same: what happens less than once in K is not seen.",
  intervals:
    "The intervals are made as those of the truth in the ribbon and the credits: they leave room for outcomes too rare to be among K continuations, so that the mean need not be in their middle.",
  sameDraws: (K: number) =>
    `“Find the truth” plays these same ${K} continuations: V(s) and the true advantage of this turn are the same numbers there.`,
  fewerDraws: (here: number, there: number) =>
    `“Find the truth” plays ${there} continuations, these ${here} among them: its V(s) and true advantage of this turn differ from these by chance, and are the more exact ones.`,
  moreDraws: (here: number, there: number) =>
    `“Find the truth” plays the first ${there} of these ${here} continuations: its V(s) and true advantage of this turn differ from these by chance; these are the more exact ones.`,
  otherPolicy: (policy: string) =>
    `The truth that the ribbon and the credits show of this turn is that of another policy (${policy}): its numbers need not be these.`,
  ifSamePolicy: (policy: string, then: string) =>
    `As long as the live policy is still the fork’s (${policy}): ${then}`,
  forgotten: "The iteration is too long ago: its episodes are no longer held.",
  credits: "What the algorithms say of the recorded turn",
  creditsHint:
    "Their advantages are after each one's own normalisation, so compare signs and order with the true advantage, not sizes.",
  truth: "true advantage, Q − V",
  noCredit: "cannot be computed",
  marks: (told: string) => `Advantages of the recorded turn, on an axis with 0: ${told}.`,
  marksAxis: "advantage of the recorded turn: below 0 worse than V(s), above 0 better",
  played: (text: string, actions: string, reward: string) =>
    `You had it say “${text}” (${actions}), which paid ${reward}`,
  noActions: "no action",
  over: " and ended the episode",
  by: (policy: string, discount: string) => `Played by ${policy}; ${discount}.`,
  kept: "Forks kept",
  keptNone: (most: number) =>
    `None yet. Each fork keeps its continuations as episodes, here, beside the run's own, until the page is closed; it can be saved as a file. Where there are more than ${most} of them, older forks keep the first alone.`,
  firstLeft: "Its first continuation is left.",
  firstLeftOf: (kept: number, branches: number) =>
    `Of its ${kept} kept continuations the first is left: the others made room for those of newer forks. Its returns are still those of all ${branches}.`,
  fork: (number: number) => `Fork ${number}`,
  keptLine: (method: string, iteration: number, episode: number, turn: number) =>
    `${method}, iteration ${iteration}, episode ${episode}, turn ${turn}`,
  change: {
    response: "another response",
    board: "another board",
    both: "another board and response",
    none: "the policy's own choice",
  },
  panels: "Show in all panels",
  panelsName: (number: number) => `Show in all panels: fork ${number}`,
  panelsHint:
    "In the place of the recorded episode, among the iteration’s others: what each algorithm would have credited, had it gone so. The key w switches between the two.",
  save: "Save as JSONL",
  saveName: (number: number) => `Save fork ${number} as JSONL`,
  saveHint:
    "A recording that “Open a file of a run” opens again: the run’s settings and this iteration, with the fork’s episode in the recorded one’s place. Forks that are not saved are gone with the page.",
  drop: "Remove",
  dropName: (number: number) => `Remove fork ${number}`,
  episode: (number: number) => `Fork ${number}: the episode it led to`,
  episodeHint: (branch: number, kept: number) =>
    `${kept === 1 ? "The one continuation there is" : `Continuation ${branch + 1} of ${kept}`}. ` +
    "No training saw it, so it has no ratio, clip or advantage of its own.",
  noProcess:
    "The run's process rewards are not known of it: it is credited with the environment's rewards alone.",
  continuations: (kept: number, branches: number) =>
    kept === 1
      ? ""
      : `${kept === branches ? `All ${kept}` : `The first ${kept} of the ${branches}`} continuations are kept: while the fork is shown in all panels, the Episodes panel has them as rows to sort, filter and search, and N and P go through them.`,
  valuedBy: (trained: number, iteration: number) =>
    trained === iteration - 1
      ? "V(s) is what the critics said at the time of the recorded episode."
      : `V(s) is what the critics say as they are after ${counted(trained, "iteration")}: those of the episode’s time are not kept.`,
  before: "as recorded",
  here: "forked here",
  after: "played on",
  reward: "reward",
  value: "V(s)",
  end: (solved: boolean | null, earned: string) =>
    `${solved ? "Solved" : "Not solved"}; the whole episode earned ${earned}.`,
} as const;
