/** Words of the episodes panel. */
import { counted } from "../../numeric/counted.ts";

/** Within a sentence; TD is unchanged. */
const lowered = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

export const words = {
  search: "Search in texts",
  find: "Find",
  searchHint: "searches observations, responses and actions; press Enter again for the next match",
  scope: "Episodes of",
  scopes: { this: "this iteration", all: "all iterations" },
  scopeOfFork: (number: number) => `fork ${number}`,
  outcomeFilter: "Outcome",
  outcomes: { any: "any outcome", solved: "solved", failed: "not solved", unknown: "unknown" },
  clippedOnly: "clipped only",
  previous: "Previous",
  next: "Next",
  stop: "Stop",
  goOn: "Resume",
  progress: "Iterations searched",
  looking: (iterations: number) => `Searching ${counted(iterations, "iteration")} …`,
  stopped: (done: number, of: number) => `Stopped after ${done} of ${counted(of, "iteration")}.`,
  /** How many of the searched episodes are shown, and why. */
  found: (shown: number, all: number, query: string, filtered: boolean) => {
    if (query === "" && !filtered) return `${counted(all, "episode")}.`;
    const have = query === "" ? "" : ` with “${query}” in ${shown === 1 ? "its" : "their"} texts`;
    const part = shown === 0 ? `None of ${counted(all, "episode")}` : `${shown} of ${all} episodes`;
    return `${part}${have}${filtered ? " (filtered)" : ""}.`;
  },
  reset: "Show all",
  table: "Episodes",
  columns: {
    episode: {
      name: "Episode",
      short: "#",
      hint: "recorded order; the button moves all panels there",
    },
    outcome: { name: "Outcome", short: "✓", hint: "whether it was solved" },
    reward: { name: "Reward", hint: "of the whole episode" },
    turns: { name: "Turns", hint: "number of turns" },
    error: {
      name: "Largest TD\u00a0error",
      hint: "δ of the turn with the largest TD error; sorted by size",
    },
    clipped: { name: "Clipped turns", hint: "turns with at least one clipped token" },
    surprise: {
      name: "Least\u00a0likely response",
      hint: "highest mean of −log p per token among the responses",
    },
    advantage: {
      name: "Largest advantage",
      hint: "A of the turn furthest from 0; sorted by size",
    },
    task: { name: "Task", hint: "the task, and the seed of its level" },
  },
  moves: { name: "Moves", hint: "each turn’s actions; · is a turn without a valid one" },
  foundColumn: "Found",
  ofTurn: (column: string) => `${column}: turn`,
  iterationColumn: "Iteration",
  seedColumn: "Seed",
  columnsTitle: "Column legend",
  outcome: { solved: "solved", failed: "not solved", unknown: "unknown" },
  absent: "–",
  inTurn: (turn: number) => `turn ${turn + 1}`,
  where: { observation: "seen", response: "written", action: "done" },
  seed: (seed: number) => `seed ${seed}`,
  noName: "no name",
  episode: "Episode",
  place: (iteration: number, episode: number) => `Iteration ${iteration}, episode ${episode + 1}`,
  continuation: (branch: number) => `Continuation ${branch + 1}`,
  /** What the rows are while the cursor is at a fork. */
  ofFork: (number: number, kept: number, branches: number, released = 0) =>
    released > 0
      ? `Fork ${number}: only the first of its ${kept + released} kept continuations; newer forks replaced the others.`
      : kept === 1
        ? `Fork ${number}: its one continuation.`
        : `Fork ${number}: ${kept === branches ? `all ${kept}` : `the first ${kept} of its ${branches}`} continuations.`,
  sameUntil: (turn: number) => (turn === 0 ? "" : `Up to turn ${turn} they match the recording.`),
  unknownColumns: (names: readonly string[]) =>
    `Not known for any of these episodes: ${names.map(lowered).join(", ")}.`,
  unknownLast: "– = unknown; always sorted last.",
  keys: "Keys: ↑ and ↓ move between rows; Enter moves all panels to the row, at the turn of the match or sorted column; N and P go to the next and previous row from anywhere in the lens.",
} as const;
