/** UI texts of a fork's results. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  names: {
    policy: "From the original state",
    recorded: "After the actual response",
    forked: "With your change",
  },
  short: { policy: "V(s)", recorded: "Q(s, recorded)", forked: "your change" },
  meanings: "Row legend",
  hints: {
    policy:
      "The policy also chooses this turn's response: the mean is the value V(s) of the state.",
    recorded:
      "The recorded response, then the policy: the mean is Q(s, a). Q minus V(s) is the true advantage of the response.",
    forked: "Your response or board, then the policy.",
  },
  outcome: "Returns from this turn on",
  axis: "return from this turn on",
  mean: "mean",
  picture: (row: string) => `Histogram of the continuations' returns. ${row}`,
  row: (name: string, mean: string, low: string, high: string, n: number) =>
    `${name}: mean ${mean}, 95 % interval ${low} to ${high}, n = ${n}.`,
  table: "Table",
  columns: ["Branch", "mean return", "95 % interval", "minus V(s)", "95 % interval", "n"],
  interval: (low: string, high: string) => `${low} to ${high}`,
  equal: "All continuations have equal return; events rarer than one in K may be missing.",
  intervals:
    "Intervals are computed as for true values elsewhere: they allow for outcomes too rare to appear among K continuations, so they need not be centred on the mean.",
  sameDraws: (K: number) =>
    `“Estimate true values” plays these same ${K} continuations, so V(s) and the true advantage of this turn agree.`,
  fewerDraws: (here: number, there: number) =>
    `“Estimate true values” plays ${there} continuations, including these ${here}: its V(s) and true advantage differ by chance and are more precise.`,
  moreDraws: (here: number, there: number) =>
    `“Estimate true values” plays the first ${there} of these ${here} continuations: its V(s) and true advantage differ by chance; these are more precise.`,
  otherPolicy: (policy: string) =>
    `The true values shown in Ribbon and Credits are of another policy (${policy}), so they may differ.`,
  ifSamePolicy: (policy: string, then: string) =>
    `While the live policy is still the fork’s (${policy}): ${then}`,
  forgotten: "The episodes of this iteration are no longer in memory.",
  credits: "Advantages of the recorded turn",
  creditsHint:
    "Each algorithm normalises differently, so compare signs and order with the true advantage, not sizes.",
  truth: "true advantage, Q − V",
  noCredit: "cannot be computed",
  marksAxis: "advantage of the recorded turn",
  played: (text: string, actions: string, reward: string) =>
    `Your response “${text}” (${actions}) earned ${reward}`,
  noActions: "no action",
  over: " and ended the episode",
  by: (policy: string, discount: string) => `Played by ${policy}; ${discount}.`,
  kept: "Kept forks",
  keptNone: "None yet.",
  keptHint: (most: number) =>
    `Forks are kept as episodes until the page is closed, and can be saved as files. Above ${most} episodes, older forks keep only the first continuation.`,
  firstLeft: "Only its first continuation is kept.",
  firstLeftOf: (kept: number, branches: number) =>
    `Only the first of its ${kept} continuations is still kept; newer forks replaced the others. Its returns are of all ${branches}.`,
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
    "Replaces the recorded episode, to show the credit that each algorithm would have assigned. The key w switches between both.",
  save: "Save as JSONL",
  saveName: (number: number) => `Save fork ${number} as JSONL`,
  saveHint:
    "A recording for “Open a run file”: the run’s settings and this iteration, with the fork’s episode in place of the recorded one. Unsaved forks are lost when the page closes.",
  drop: "Remove",
  dropName: (number: number) => `Remove fork ${number}`,
  episode: (number: number) => `Fork ${number}: its episode`,
  episodeHint: (branch: number, kept: number) =>
    `${kept === 1 ? "The only continuation" : `Continuation ${branch + 1} of ${kept}`}. ` +
    "It was not trained on, so it has no ratio, clip or trained advantage.",
  noProcess: "Its process rewards are unknown; its credit uses only the environment's rewards.",
  continuations: (kept: number, branches: number) =>
    kept === 1
      ? ""
      : `${kept === branches ? `All ${kept}` : `The first ${kept} of the ${branches}`} continuations are kept. While all panels show the fork, the Episodes panel lists them, and N and P move between them.`,
  valuedBy: (trained: number, iteration: number) =>
    trained === iteration - 1
      ? "V(s) is from the critics at the time of the recorded episode."
      : `V(s) is from the critics after ${counted(trained, "iteration")}; those of the episode’s time are not kept.`,
  turn: "Turn",
  board: "Board",
  response: "Response",
  before: "as recorded",
  here: "forked here",
  after: "continued",
  reward: "reward",
  value: "V(s)",
  end: (solved: boolean | null, earned: string) =>
    `${solved ? "Solved" : "Not solved"}; total reward ${earned}.`,
} as const;
