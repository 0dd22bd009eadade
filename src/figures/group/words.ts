/** Words of the group panel. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  once: (title: string) =>
    `${title} plays each task once, so it has no groups: its advantages do not come from comparing rollouts.`,
  onlyOne: (planned: number) =>
    `Only one of each task's ${planned} rollouts was recorded. Set “episodes recorded” to ${planned} or more to compare them.`,
  alone: "Each recorded task has one rollout, so there is nothing to compare.",
  others: "Methods of this run that compare the rollouts of a task:",
  overview: "Recorded tasks",
  overviewHint:
    "Each box is a task, each dot a rollout (full: solved; ring: not solved; broken ring: unknown). Higher dots have more reward; = marks equal rewards.",
  /** `comparable`: tasks with several rollouts whose rewards are known. */
  summary: (groups: number, comparable: number, flat: number) => {
    const recorded = `${counted(groups, "task")} recorded`;
    if (comparable === 0) return `${recorded}.`;
    if (flat > 0) return `${recorded}; ${flat} without spread.`;
    return comparable === groups
      ? `${recorded}; every task has some spread.`
      : `${recorded}; ${comparable} can be compared, each with some spread.`;
  },
  partial: (recorded: number, planned: number) =>
    `${recorded} of this task's ${planned} rollouts are recorded: mean and std here use those, training used all ${planned}.`,
  groupLine: (task: string, n: number, outcomes: string) =>
    `Task ${task}: ${counted(n, "rollout")}, ${outcomes}.`,
  outcomes: (n: number, solved: number, unknown: number) => {
    if (unknown === n) return "solved count unknown";
    return `${solved} solved${unknown > 0 ? `, ${unknown} unknown` : ""}`;
  },
  /** The same in a few characters, under a task's box; a range if some are not known. */
  share: (n: number, solved: number, unknown: number) => {
    if (unknown === n) return `?/${n}`;
    return unknown === 0 ? `${solved}/${n}` : `${solved}–${solved + unknown}/${n}`;
  },
  moments: (mean: string, std: string, n: number) => `Group mean ${mean}, std ${std} (n = ${n}).`,
  noMean: "Some rewards are unknown, so there is no group mean and no std.",
  population: "The std is the population one (divided by n), as in this method.",
  noDivisor: "This method does not divide by the std.",
  part: (turn: number) =>
    turn === 0
      ? "They diverge in turn 1."
      : `They are identical in the first ${counted(turn, "turn")} and diverge at turn ${turn + 1}.`,
  allSame: "All responses are identical in every turn.",
  flat: (n: number) =>
    `No spread: all ${n} rollouts have equal reward, so reward − mean is 0 for each. Every advantage is 0, and this task adds nothing to the update.`,
  flatRecorded:
    "No spread among the recorded rollouts, and their advantages are 0: the whole group has equal reward, so this task adds nothing to the update.",
  flatOthersDiffer:
    "No spread among the recorded rollouts; unrecorded ones of the group had other rewards, so the advantages are not 0.",
  flatElse:
    "No spread: all rollouts have equal reward. Their advantages are still not all 0, because this method uses more than the group's rewards.",
  flatUnknown:
    "No spread: all rollouts have equal reward, so reward − mean is 0 for each. Their advantages are not recorded; a method that compares rollouts gives each of them 0.",
  flatTag: "no spread",
  table: "Rollouts of the task",
  columns: {
    rollout: { name: "Rollout", hint: "click to move the cursor there" },
    reward: { name: "Reward", hint: "total reward of the episode" },
    gap: { name: "Reward − mean", hint: "the starting point of group methods" },
    advantage: { name: "Advantage", hint: "as trained; the mean over turns if they differ" },
    success: { name: "Solved", hint: "whether the episode reached its goal" },
    differs: {
      name: "Diverges at",
      hint: "first turn that differs from the rollout at the cursor, marked ≠",
    },
  },
  outcome: { solved: "yes", failed: "no", unknown: "unknown" },
  here: "at the cursor",
  same: "never",
  turn: (h: number) => `turn ${h + 1}`,
  turnName: (h: number) => `Turn ${h + 1}`,
  rollout: (n: number) => `Rollout ${n + 1}`,
  forked: (n: number, fork: number | undefined) => `Rollout ${n + 1}, fork ${fork ?? ""}`.trim(),
  dotsCut: (most: number) => `A box shows the first ${most} rollouts of its task as dots.`,
  absent: "–",
  nothing: "(no action)",
  noText: "(no text)",
  keys: "Keys: ← and → move between tasks or rollouts, h and l between episodes, j and k between turns.",
  box: (task: string, n: number, outcomes: string, mean: string, std: string) =>
    `Task ${task}: ${counted(n, "rollout")}, ${outcomes}, mean ${mean}, std ${std}`,
} as const;
