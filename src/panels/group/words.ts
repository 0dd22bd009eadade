/** Words of the group panel. */
const count = (n: number, one: string, many = `${one}s`) => `${n} ${n === 1 ? one : many}`;

export const words = {
  once: (title: string) =>
    `${title} plays each task once, so there is no group to compare with: its advantages rest on something else than other rollouts.`,
  onlyOne: (planned: number) =>
    `Of each task's ${planned} rollouts one was recorded. Set “episodes recorded” to ${planned} or more to see them side by side.`,
  alone: "Each task that was recorded has one rollout, so there is nothing to compare.",
  others: "Methods of this run that compare the rollouts of a task:",
  overview: "Recorded tasks",
  overviewHint:
    "Each box is a task, each dot a rollout (full: solved; ring: not solved; broken ring: unknown), higher means more reward; = marks a task whose rollouts all earned the same.",
  summary: (groups: number, flat: number) =>
    `${count(groups, "task")} recorded; ${flat === 0 ? "in none" : `in ${flat} of them`} all rollouts earned the same.`,
  partial: (recorded: number, planned: number) =>
    `Recorded are ${recorded} of this task's ${planned} rollouts: mean and std here are of those, advantages were trained with all ${planned}.`,
  groupLine: (task: string, n: number, outcomes: string) =>
    `Task ${task}: ${count(n, "rollout")}, ${outcomes}.`,
  outcomes: (n: number, solved: number, unknown: number) => {
    if (unknown === n) return "how many were solved is not known";
    return `${solved} solved${unknown > 0 ? `, ${unknown} unknown` : ""}`;
  },
  /** The same in a few signs, under a task's box; a range where some are not known. */
  share: (n: number, solved: number, unknown: number) => {
    if (unknown === n) return `?/${n}`;
    return unknown === 0 ? `${solved}/${n}` : `${solved}–${solved + unknown}/${n}`;
  },
  moments: (mean: string, std: string, n: number) => `Group mean ${mean}, std ${std} (n = ${n}).`,
  noMean: "The reward of some rollout is not known, so there is no group mean and no std.",
  population: "The std is that of a population (divided by n), as this method takes it.",
  noDivisor: "This method does not divide by the std.",
  part: (turn: number) =>
    turn === 0
      ? "They part in the first turn."
      : `They write the same in the first ${count(turn, "turn")} and part at turn ${turn + 1}.`,
  allSame: "All wrote the same in every turn.",
  flat: (n: number) =>
    `No spread: all ${n} rollouts earned the same, so reward − mean is 0 for each. Every advantage is 0, and the update takes nothing from this task.`,
  flatRecorded:
    "No spread among the recorded rollouts, and their advantages are 0: the whole group earned the same, reward − mean is 0, and the update takes nothing from this task.",
  flatOthersDiffer:
    "No spread among the recorded rollouts; others of the group, which are not recorded, earned something else, so the advantages are not 0.",
  flatElse:
    "No spread: all rollouts earned the same. Their advantages are not all 0 all the same, because this method does not take them from the group's rewards alone.",
  flatUnknown:
    "No spread: all rollouts earned the same, so reward − mean is 0 for each. Their advantages are not in the record; a method that compares the rollouts of a task gives each of them 0, and takes nothing from this task.",
  flatTag: "no spread",
  table: "Rollouts of the task",
  columns: {
    rollout: { name: "Rollout", hint: "a click brings the cursor there" },
    reward: { name: "Reward", hint: "total reward of the episode" },
    gap: { name: "Reward − mean", hint: "what the group method starts from" },
    picture: { name: "Against the mean", hint: "line: mean; band: one std to either side" },
    success: { name: "Solved", hint: "whether the episode reached its goal" },
    turns: { name: "Turns", hint: "how many turns it took" },
    differs: { name: "Parts at", hint: "first turn that differs from the rollout at the cursor" },
    advantage: { name: "Advantage", hint: "as trained; the mean over turns where they differ" },
    did: {
      name: "What it did",
      hint: "turn by turn (its text where a file has no actions); ≠ marks the turn where it parts",
    },
  },
  outcome: { solved: "yes", failed: "no", unknown: "unknown" },
  here: "at the cursor",
  same: "never",
  turn: (h: number) => `turn ${h + 1}`,
  rollout: (n: number) => `Rollout ${n + 1}`,
  forked: (n: number, fork: number | undefined) => `Rollout ${n + 1}, fork ${fork ?? ""}`.trim(),
  dotsCut: (most: number) => `A box shows the first ${most} rollouts of its task as dots.`,
  cut: (shown: number, all: number) => `${shown} of ${all} are drawn, those around the cursor.`,
  absent: "–",
  nothing: "(no action)",
  noText: "(no text)",
  keys: "Keys in here: ← and → on a task or a rollout go along, h and l from episode to episode, j and k from turn to turn.",
  box: (task: string, n: number, outcomes: string, mean: string, std: string) =>
    `Task ${task}: ${count(n, "rollout")}, ${outcomes}, mean ${mean}, std ${std}`,
} as const;
