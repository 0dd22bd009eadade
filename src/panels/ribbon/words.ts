/** Words of the turn ribbon. Each row's hint says what one needs to know to read it. */
export const words = {
  noTurns: "This episode has no turns.",
  table: "The episode turn by turn",
  turn: (h: number) => `Turn ${h + 1}`,
  end: "End",
  page: {
    kinds: {
      search: "Search page",
      item: "Product",
      section: "About a product",
      done: "Bought",
    },
    title: (kind: string, text: string) => (kind === "done" ? `score ${text}` : text),
    option: (name: string, count: number, chosen: string | null) =>
      chosen === null ? `${name}: one of ${count}` : `✓ ${name}: ${chosen}`,
    opened: "✓",
    more: (n: number) => `and ${n} more`,
    noProducts: "no products",
  },
  picture: "Picture",
  noText: "(nothing)",
  /** Null where a file does not tell. */
  actions: (names: readonly string[] | null) => {
    if (names === null) return "which actions it took is not in the file";
    return names.length === 0 ? "no action" : `does: ${names.join(", ")}`;
  },
  solved: "solved",
  failed: "not solved",
  unknownEnd: "whether it was solved is not in the file",
  truncated: "cut off by the turn or move limit",
  total: (reward: string) => `total ${reward}`,
  absent: "–",
  noCritic: "no critic",
  rows: {
    seen: {
      name: "Seen",
      hint: "the board, or a page of the shop drawn small (✓: chosen); of other texts the lines that are new. “Turn in full”, below, has all of it",
    },
    written: {
      name: "Written",
      hint: "the beginning of what the model wrote, and the actions that it did",
    },
    reward: { name: "Reward r", hint: "what the turn earned" },
    value: { name: "V(s)", hint: "what the critic expected before the turn" },
    delta: {
      name: "TD error δ",
      hint: "r + γ V(next turn) − V(this turn): by how much the critic was surprised",
    },
    advantage: {
      name: "Advantage A",
      hint: "the credit as it was trained with: plus means more of this, minus less",
    },
    return: { name: "Return R", hint: "what the critic is trained towards" },
    returnToGo: {
      name: "Return R",
      hint: "the discounted rewards from this turn on; this method has no critic to train towards it",
    },
    returnComputed: {
      name: "Return R, computed here",
      hint: "the discounted rewards from this turn on; the file has no returns",
    },
    returnOfFork: { name: "Return R", hint: "the discounted rewards from this turn on" },
    ratio: {
      name: "Ratio",
      hint: "how many times more likely the response has become since it was written",
    },
    truth: {
      name: "True V",
      hint: "what the policy really earns from here, by playing on many times; with its 95 % interval",
    },
  },
  meanings: "What the rows say",
  tags: {
    clipped: {
      name: "clipped",
      hint: "a clip cut the turn’s gradient, or that of some of its tokens: with A > 0 they had become likely enough, with A < 0 unlikely enough",
    },
    dual: {
      name: "dual clip",
      hint: "with A < 0 the turn, or some of its tokens, had become so much more likely that the loss is held and the gradient cut",
    },
  },
  noValues:
    "No critic of this run has valued this episode, so there are no values and no TD errors.",
  valuesNotInFile: "The values are not in the file, so there are no TD errors.",
  whose: (critic: string, gamma: string) => `V is what the critic of ${critic} says; γ = ${gamma}.`,
  own: (title: string) => `${title} itself`,
  withoutCritic: (title: string, critic: string) =>
    `${title} has no critic; V is what the critic of ${critic} says of the same turns.`,
  gamma: (gamma: string) => `γ = ${gamma}.`,
  tokenSteps: "Its steps are tokens: a turn's TD error is the discounted sum over its tokens.",
  readAt: {
    "turn-end": "V is read before the last token of the response.",
    "turn-mean": "V is the mean over the response's tokens.",
  },
  bootstrapped: (value: string) =>
    `The episode was cut off: after its last turn training put what the critic expected from there on (bootstrapped), V = ${value}, and the last TD error counts it.`,
  cutOff:
    "The episode was cut off, and training put a value after its last turn that is not recorded: the last TD error here takes it as 0.",
  process: "Rewards in the TD error include what process rewards added for training.",
  otherTruth: (truth: string, critic: string) =>
    `The true values that are known are not drawn: they were found with ${truth}, this critic works with ${critic}, and so its V is another thing.`,
  unknownGamma: "The run does not say its settings: γ = 1 is assumed.",
  surprise: (turn: number, delta: string, story: string) =>
    `The critic changed its mind most at turn ${turn + 1}: δ = ${delta} (${story}).`,
  untrained: "The critic says 0 everywhere: it has not learned yet.",
  noSurprise: "Nothing surprised the critic in this episode: every TD error is 0.",
  story: (value: string, reward: string, next: string) =>
    `it expected ${value}, the turn earned ${reward}, and then it expected ${next}`,
  over: "nothing more, the episode being over",
  clippedTurns: (here: number, all: number) =>
    `Clipped turns: ${here} in this episode, ${all} in the recorded episodes of the iteration.`,
  clipsUntold: "The file does not tell what a clip cut.",
  clipsPartly: (told: number, turns: number) =>
    `Only of ${told} of the iteration's ${turns} turns the file tells whether a clip cut them.`,
  clipUntold: "clip not told",
  noErrors: "No TD error is known here.",
  noneClipped: "No turn of the iteration was clipped.",
  noneTold: (told: number, turns: number) =>
    told === 1
      ? `The one turn of which the file tells it was not clipped; of the other ${turns - told} it does not tell.`
      : `None of the ${told} turns was clipped of which the file tells it; of the other ${turns - told} it does not tell.`,
  fork: "No training saw this fork: it has no advantage, ratio or clip of its own. What algorithms would make of it is in “One episode, many credits”.",
  jump: "Jump to",
  jumps: {
    largestError: "largest TD error",
    largestErrorOfAll: "largest of the iteration",
    nextClipped: "next clipped turn",
    firstTurn: "first turn",
    lastTurn: "last turn",
  },
  chart: "Values and rewards over the turns",
  legend: "What is drawn",
  marks: {
    value: "V(s)",
    return: "return",
    returnComputed: "return, computed here",
    reward: "reward",
    delta: "TD error: up is better than expected",
    truth: "true V with 95 % interval",
  },
  full: (h: number) => `Turn ${h + 1} in full`,
  shown: "What the model was shown",
  wrote: "What it wrote",
  penalty: (text: string) => `format penalty ${text}`,
  window: (from: number, to: number, all: number) =>
    `Turns ${from} to ${to} of ${all} are drawn; moving on brings the others.`,
  keys: "Keys in here: j and k (or → and ← on a turn) from turn to turn, h and l from episode to episode, e and E to the largest TD error, x to the next clipped turn, Home and End.",
  noTruth: "The true values of these turns are not known yet.",
} as const;
