/** Words of the card that says how fair a comparison is. */
import type { Fairness, FairnessWarning } from "../../spec/fairness.ts";
import type { ConditionId, FairnessStatus } from "../../spec/fairnessRows.ts";
import { descriptorOf } from "../../env/descriptors.ts";
import { counted, plural } from "../../numeric/counted.ts";

/** "a, b and c". */
const list = (names: readonly string[]) =>
  [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" and ");

type TitlesOf = (names: readonly string[]) => string[];

function fewerTasks(warning: FairnessWarning & { id: "tasks" }, task: string, titles: TitlesOf) {
  const { fewer, more, few, many, repeats } = warning;
  const repeat = plural(fewer.length, "repeats", "repeat");
  const see = plural(more.length, "sees", "see");
  return `${list(titles(fewer))} ${repeat} ${counted(few, task)} ${counted(repeats, "time")}; ${list(titles(more))} ${see} ${many}. Set Groups to “all methods” for equal ${task}s.`;
}

export const words = {
  title: "Is this comparison fair?",
  summary: (differ: number, equal: number, isSearched: boolean, warnings: number) =>
    [
      `${counted(differ, "condition differs", "conditions differ")}, ${equal} equal`,
      ...(isSearched ? [] : ["no search recorded"]),
      ...(warnings > 0 ? [counted(warnings, "warning")] : []),
    ].join("; "),
  condition: "condition",
  status: {
    equal: "equal",
    differs: "differs",
    method: "part of the method",
    unknown: "unknown",
  } satisfies Record<FairnessStatus, string>,
  none: "–",
  equal: (rows: number) => counted(rows, "equal condition"),
  method: (rows: number) =>
    counted(rows, "choice is part of the method", "choices are part of the methods"),
  search: (config: string | null) => (config ? `search budget (${config})` : "search budget"),
  tasks: (kind: Fairness["kind"]) => `distinct ${descriptorOf(kind).task}s per iteration`,
  rows: {
    weights: "starting weights",
    rollouts: "rollouts of each, per iteration",
    episodes: "episodes per iteration",
    turnTokens: "tokens per turn, at most",
    tokens: "tokens per iteration, at most",
    actorSteps: "policy updates per iteration",
    criticSteps: "critic updates per iteration",
    minibatch: "minibatch, episodes",
    epochs: "epochs, policy",
    criticEpochs: "epochs, critic",
    actorLr: "learning rate, policy",
    criticLr: "learning rate, critic",
    lrWarmup: "learning-rate warm-up, iterations",
    criticWarmup: "critic warm-up (policy frozen), iterations",
    entropyCoef: "entropy weight",
    weightDecay: "weight decay",
    maxGradNorm: "gradient-norm limit",
    criticKind: "critic",
    criticSize: "critic’s size",
    criticCoef: "weight of the value loss",
    temperature: "sampling temperature",
    topK: "sampling, top-k",
    topP: "sampling, top-p",
    segmentation: "turn boundaries",
  } satisfies Record<Exclude<ConditionId, "tasks">, string>,
  /** Of an axis: without the letter of the table of algorithms. */
  axis: (about: string) => about.replace(/ \(axis [A-Z]\)$/, ""),
  written: (iterations: number) => `tokens written in ${counted(iterations, "iteration")}`,
  fromLog: "from the log",
  warning: (warning: FairnessWarning, { kind, search }: Fairness, titles: TitlesOf) => {
    switch (warning.id) {
      case "tasks":
        return fewerTasks(warning, descriptorOf(kind).task, titles);
      case "steps":
        return `At least twice as many policy updates for ${list(titles(warning.more))} as for ${list(titles(warning.fewer))}.${search ? " The search chose these numbers." : ""}`;
      case "pay":
        return `Pay by an exact potential is a baseline for ${list(titles(warning.critics))}. Within a group it cancels, so ${list(titles(warning.groups))} gains nothing.`;
      case "oneRate":
        return "All methods share one learning rate. A rate that suits one method can break another.";
      case "outside":
        return `Not in this table, because their training loops differ: ${list(titles(warning.methods))}.`;
    }
  },
  unknown: "No equal search of exactly these settings is recorded.",
} as const;
