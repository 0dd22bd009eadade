/** Words of the panel in which episodes are found. */
const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

/** Within a sentence; TD stays as it is. */
const lowered = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

export const words = {
  search: "Search in texts",
  find: "Find",
  searchHint: "of what was seen, written and done; Enter once more goes on to the next",
  scope: "Episodes of",
  scopes: { this: "this iteration", all: "all iterations kept" },
  scopeOfFork: (number: number) => `fork ${number}`,
  outcomeFilter: "Outcome",
  outcomes: { any: "any", solved: "solved", failed: "not solved", unknown: "unknown" },
  clippedOnly: "only with clipped turns",
  previous: "Previous",
  next: "Next",
  stop: "Stop",
  goOn: "Go on",
  progress: "Iterations looked through",
  looking: (iterations: number) => `Looking through ${count(iterations, "iteration")} …`,
  stopped: (done: number, of: number) => `Stopped after ${done} of ${count(of, "iteration")}.`,
  done: (done: number, of: number) => `${done} of ${of}`,
  /** How many of the episodes that were looked at are shown, and why. */
  found: (shown: number, all: number, query: string, filtered: boolean) => {
    if (query === "" && !filtered) return `${count(all, "episode")}.`;
    const have = query === "" ? "" : ` with “${query}” in ${shown === 1 ? "its" : "their"} texts`;
    const part = shown === 0 ? `None of ${count(all, "episode")}` : `${shown} of ${all} episodes`;
    return `${part}${have}${filtered ? ", as filtered" : ""}.`;
  },
  nothing: "No episode is like that.",
  reset: "Show all",
  table: "Episodes",
  columns: {
    episode: { name: "Episode", hint: "as it was recorded; its button moves all panels to it" },
    outcome: { name: "Outcome", hint: "whether it was solved" },
    reward: { name: "Reward", hint: "of the whole episode" },
    turns: { name: "Turns", hint: "how many there were" },
    error: {
      name: "Largest TD\u00a0error",
      hint: "δ of the turn where the critic changed its mind most; sorted by its size",
    },
    clipped: { name: "Clipped turns", hint: "turns in which the clip cut something" },
    surprise: {
      name: "Least\u00a0likely response",
      hint: "−log p per token, the mean over a response, of the response where it is largest",
    },
    advantage: {
      name: "Largest advantage",
      hint: "A of the turn whose credit is furthest from 0; sorted by its size",
    },
    task: { name: "Task", hint: "what was to be solved, and the seed of its level" },
  },
  foundColumn: "Found",
  columnsTitle: "What the columns say",
  outcome: { solved: "solved", failed: "not solved", unknown: "unknown" },
  absent: "–",
  inTurn: (turn: number) => `turn ${turn + 1}`,
  where: { observation: "seen", response: "written", action: "done" },
  seed: (seed: number) => `seed ${seed}`,
  noName: "no name",
  place: (iteration: number | null, episode: number) =>
    iteration === null
      ? `Episode ${episode + 1}`
      : `Iteration ${iteration}, episode ${episode + 1}`,
  continuation: (branch: number) => `Continuation ${branch + 1}`,
  /** What the rows are, while the cursor is at a fork. */
  ofFork: (number: number, kept: number, branches: number, released = 0) =>
    released > 0
      ? `Fork ${number}: the first of its ${kept + released} kept continuations; the others made room for those of newer forks.`
      : kept === 1
        ? `Fork ${number}: the one episode that it led to.`
        : `Fork ${number}: ${kept === branches ? `all ${kept}` : `the first ${kept} of its ${branches}`} continuations.`,
  sameUntil: (turn: number) =>
    turn === 0 ? "" : `Up to turn ${turn} they are as it was recorded.`,
  unknownColumns: (names: readonly string[]) =>
    `Of none of these episodes it is known: ${names.map(lowered).join(", ")}.`,
  part: (from: number, to: number, all: number) => `Rows ${from + 1} to ${to} of ${all}.`,
  earlier: "Earlier rows",
  later: "Later rows",
  unknownLast: "– is what is not known; it stands last either way.",
  keys: "Keys: ↑ and ↓ from row to row, Enter moves all panels to it, to the turn that the search or the sorted column is about; N and P to the next and the previous row from anywhere in the lens.",
} as const;
