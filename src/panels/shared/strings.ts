/** Words of the panels. Names of numbers are the field's; the sentence says what one needs to know to read it. */
import { PROMISES } from "../../spec/reproducible.ts";

export const strings = {
  curves: {
    /** n: recorded seeds. */
    seeds: (n: number, live: boolean, crashed: number) =>
      `Bands: mean and 95 % interval of ${n} recorded seeds, Student's t. Thick lines: ${live ? "your live run" : "one recorded run"}, one seed.` +
      (crashed > 0 ? ` ${crashed} of the recorded runs crashed.` : "") +
      " The bands were made with",
    another: "One more number",
    none: "none",
    xName: "iteration",
    empty: "No numbers yet. Press Run, and a curve for each method grows here.",
    another_hint: "verl's name for a number that the run reports",
  },
  turns: {
    noIteration: "This log has no finished iteration of this method.",
    waiting: (method: string) =>
      method === ""
        ? "Waiting for the first iteration …"
        : `Waiting for the first iteration of ${method} …`,
    method: "Method",
    iteration: "Iteration",
    follow: "Follow the newest",
    episode: "Episode",
    previous: "Previous episode",
    next: "Next episode",
    solved: "solved",
    failed: "not solved",
    unknownEnd: "whether it was solved is not in the file",
    notInFile: "not in the file",
    notInFork: "–",
    fork: "No training saw this fork: it has no advantage, target or ratio of its own.",
    truncated: "cut off by the turn or move limit",
    noText: "(nothing)",
    noCritic: "no critic",
    noTarget: "no target",
    stretch: (from: number, to: number, count: number) => `Turns ${from} to ${to} of ${count}.`,
    reading: "Reading the episodes of this iteration …",
    moreText: (letters: number) => `… (${letters} more characters: see the panel Tokens)`,
    earlier: "Earlier turns",
    later: "Later turns",
    final: "After the last turn",
    observation: "What the model was shown",
    watchInShop: "Watch this episode in the shop",
    shopOpening: "Opening the shop …",
    clipped: "clipped",
    clipNotInFile: "clip not in the file",
    keys: "In this panel: j and k go from turn to turn, ← and → from episode to episode.",
  },
  credits: {
    computing: "Computing …",
    trained: (title: string) => `${title}, as trained`,
    trainedHint: "from the log: what this run’s training used",
  },
  numbers: {
    value: { name: "V(s)", hint: "what the critic expected before the turn" },
    reward: { name: "Reward", hint: "what the turn earned" },
    advantage: { name: "Advantage", hint: "the credit: plus means more of this, minus less" },
    return: { name: "Return", hint: "what the critic is trained towards" },
    ratio: {
      name: "Ratio",
      hint: "how many times more likely the response has become since it was written",
    },
  },
  status: {
    title: "Status",
    engine: "Engine",
    noEngine: "not started; it is chosen when you press Run",
    chosen: "will start when you press Run",
    reproducible: {
      ...PROMISES,
      no: `${PROMISES.no} Choose WebAssembly for runs that others can check.`,
    },
    moved: "The engine changed during this run, so its numbers cannot be reproduced from the link.",
    movedFingerprint:
      "The engine changed during this run, so the link does not carry the fingerprint.",
    recordedOn: "recorded on",
    fingerprint: "Fingerprint",
    notCompared: "Copy link puts it into the link, so that others can check their run against it.",
    unrepeatable:
      "This engine gives slightly other numbers each time, so the link does not carry the fingerprint.",
    incomparable:
      "not compared with the link's: this engine gives slightly other numbers each time. Choose the backend that the link's run used.",
    waiting: "same as the link's so far; the run is not finished",
    waitingAtStart: "will be compared with the link's while the run goes on",
    reproduced: "reproduced: the run is the same as the link's, to the last bit",
    diverged: "diverged from the link's run",
    divergedHint:
      "Another engine, another graphics card or another version of Turnbook can be the reason; the engine line says which one ran here.",
  },
} as const;
