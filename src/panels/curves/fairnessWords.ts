/** Words of the card that says how fair a comparison is. */
import type { FairnessId, FairnessWarning } from "../../spec/fairness.ts";
import { counted } from "../../numeric/counted.ts";

const list = (names: readonly string[]) => names.join(", ");

export const words = {
  title: "Is this comparison fair?",
  summary: (equal: number, all: number, warnings: number) =>
    `${equal} of ${all} conditions are equal${warnings === 0 ? "" : `; ${counted(warnings, "warning")}`}`,
  condition: "condition",
  equal: "equal",
  differs: "differs",
  none: "–",
  rows: {
    weights: "starting weights",
    tasks: "tasks × rollouts of each, per iteration",
    episodes: "episodes per iteration",
    tokens: "tokens per turn, at most",
    actorSteps: "policy updates per iteration",
    criticSteps: "critic updates per iteration",
    actorLr: "learning rate, policy",
    criticLr: "learning rate, critic",
    temperature: "sampling temperature",
  } satisfies Record<FairnessId, string>,
  warning: (warning: FairnessWarning, titles: (names: readonly string[]) => string[]) => {
    switch (warning.id) {
      case "tasks":
        return `Fewer different tasks for ${list(titles(warning.fewer))} than for ${list(titles(warning.more))}. Set Groups to “all methods” for equal tasks.`;
      case "steps":
        return `At least twice as many policy updates for ${list(titles(warning.more))} as for ${list(titles(warning.fewer))}.`;
      case "oneRate":
        return "All methods share one learning rate. A rate that suits one method can break another.";
      case "outside":
        return `Not in this table, because their training loops differ: ${list(titles(warning.methods))}.`;
    }
  },
  search: "No equal search of each method’s settings is recorded for this run.",
} as const;
