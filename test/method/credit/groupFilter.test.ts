import { describe, expect, it } from "vitest";
import { filterMetrics, groupRewards } from "../../../src/algorithm/groupRewards.ts";
import {
  keptTrajectories,
  selectGroups,
  type GroupRule,
} from "../../../src/method/credit/groupFilter.ts";
import { mean, std } from "../../../src/numeric/statistics.ts";
import { expectClose, goldenCases, type Matrix } from "../../golden/load.ts";

interface Inputs {
  episode_returns: Matrix;
  response_lengths: Matrix;
  group_size: number;
  value: number;
  filter_type: "largest" | "smallest";
  metric: "reward_variance" | "reward" | "reward_sum" | "length";
  strategy: "top_p" | "top_k" | "top_k_abs" | "min_p";
  include_zero?: boolean;
  top_p_prob_mode?: "softmax";
}
interface Outputs {
  kept_rows: number[];
  selected_groups_in_order: number[];
  metrics: Record<string, number>;
}

/** The number by which RAGEN's filter ranks a group. */
function groupNumber({ metric }: Inputs, returns: number[], lengths: number[]): number {
  if (metric === "length") return mean(lengths);
  if (metric === "reward") return mean(returns);
  return metric === "reward_sum" ? returns.reduce((a, b) => a + b) : std(returns);
}

function ruleOf({
  strategy,
  value,
  filter_type,
  include_zero,
  top_p_prob_mode,
}: Inputs): GroupRule {
  const name = strategy.replaceAll("_", "-") as GroupRule["strategy"];
  return {
    strategy: top_p_prob_mode === "softmax" ? "top-p-softmax" : name,
    value,
    smallest: filter_type === "smallest",
    zero: include_zero ?? true,
  };
}

it.each(goldenCases<Inputs, Outputs>("ragen_rollout_filter"))(
  "ragen_rollout_filter $name",
  ({ inputs, outputs }) => {
    const x = Float64Array.from(inputs.episode_returns, (returns, g) =>
      groupNumber(inputs, returns, inputs.response_lengths[g]!),
    );
    expect(selectGroups(x, ruleOf(inputs))).toEqual(outputs.selected_groups_in_order);
  },
);

/** Tasks and scores of contiguous groups. */
const flat = (returns: Matrix) => ({
  score: Float64Array.from(returns.flat()),
  task: returns.flatMap((group, g) => group.map(() => `t${g}`)),
});
const rowsOf = (kept: Uint8Array) => Array.from(kept.keys()).filter((b) => kept[b] === 1);

const shares = goldenCases<Inputs, Outputs>("ragen_rollout_filter").filter(
  ({ inputs }) =>
    inputs.strategy === "top_k" &&
    inputs.metric === "reward_variance" &&
    inputs.filter_type === "largest",
);
it.each(shares)("filter reward-std is ragen_rollout_filter $name", ({ inputs, outputs }) => {
  const { score, task } = flat(inputs.episode_returns);
  const kept = keptTrajectories("reward-std", score, task, inputs.value)!;
  expect(rowsOf(kept)).toEqual(outputs.kept_rows);
});

interface OldInputs {
  episode_returns: Matrix;
  rollout_filter_ratio: number;
  rollout_filter_type: "std" | "std_rev";
}

it.each(goldenCases<OldInputs, Outputs>("ragen_rollout_filter_v1"))(
  "ragen_rollout_filter_v1 $name",
  ({ inputs, outputs }) => {
    const { episode_returns: returns, rollout_filter_ratio: value } = inputs;
    const smallest = inputs.rollout_filter_type === "std_rev";
    const x = Float64Array.from(returns, (group) => std(group));
    const groups = selectGroups(x, { strategy: "top-k", value, smallest });
    const { score, task } = flat(returns);
    const rows = task.flatMap((name, b) => (groups.includes(Number(name.slice(1))) ? [b] : []));
    expect(rows).toEqual(outputs.kept_rows);
    if (smallest) return;
    expect(rowsOf(keptTrajectories("reward-std", score, task, value)!)).toEqual(outputs.kept_rows);
  },
);

const reads = [
  ...goldenCases<Inputs, Outputs>("ragen_rollout_filter"),
  ...goldenCases<OldInputs & Partial<Inputs>, Outputs>("ragen_rollout_filter_v1"),
];
it.each(reads)("$name: the filter's metrics are RAGEN's", ({ inputs, outputs }) => {
  const { metric = "reward_variance", response_lengths: lengths } = inputs;
  // By lengths, all numbers are of lengths; RAGEN computes those in single precision.
  const numbers = metric === "length" ? lengths! : inputs.episode_returns;
  const tolerance = metric === "length" ? 1e-6 : 1e-9;
  const { score, task } = flat(numbers);
  const kept = Uint8Array.from(score, (_, b) => Number(outputs.kept_rows.includes(b)));
  const told = { ...groupRewards("in_group", numbers), ...filterMetrics(score, task, kept) };
  const chosen = score.filter((_, b) => kept[b] === 1);
  const G = inputs.episode_returns.length;
  const ours: Record<string, number> = {
    ...told,
    "rollout/in_group_std": told["rollout/in_group_reward_std"]!,
    "rollout/chosen_in_group_std": told["rollout/chosen_in_group_reward_std"]!,
    "rollout/in_group_mean": mean(score),
    "rollout/chosen_in_group_mean": mean(chosen),
    "rollout/filter_kept_count": told["rollout/filter_kept_ratio"]! * G,
  };
  // The count is of groups whose ranking number is 0: with other rankings than spread it says something else.
  if (metric !== "reward_variance") delete ours["rollout/filter_zero_count"];
  const both = Object.keys(outputs.metrics).filter((name) => name in ours);
  expect(both.length).toBeGreaterThanOrEqual(6);
  for (const name of both) expectClose([ours[name]!], [outputs.metrics[name]!], tolerance);
  // What is left are the same numbers under a second name, and the means times the group's size.
  const again = Object.entries(outputs.metrics).filter(([name]) => !(name in ours));
  for (const [name, value] of again.filter(([name]) => !name.includes("zero_count"))) {
    const [, which, , what] = /^rollout\/((?:chosen_)?in_group)_(reward|length)_(\w+)$/.exec(name)!;
    const times = what === "sum" ? numbers[0]!.length : 1;
    const stem = `rollout/${which}_${what === "sum" ? "mean" : what}`;
    expectClose([times * ours[stem]!], [value], tolerance);
  }
});

it("a filter that leaves nothing tells of no chosen groups", () => {
  const told = filterMetrics(new Float64Array(4), ["a", "a", "b", "c"], new Uint8Array(4));
  expect(told).toEqual({ "rollout/filter_kept_ratio": 0, "rollout/filter_zero_count": 3 });
});

describe("filters", () => {
  const task = ["a", "b", "a", "b", "c"];
  const score = Float64Array.of(0, 0.3, 1, 0.3, 5);
  it("none filters nothing", () => expect(keptTrajectories("none", score, task, 0.5)).toBeNull());
  it("mixed keeps the groups whose scores differ; one alone does not differ", () =>
    expect([...keptTrajectories("mixed", score, task, 0.5)!]).toEqual([1, 0, 1, 0, 0]));
  it("mixed may keep nothing", () =>
    expect([...keptTrajectories("mixed", new Float64Array(5), task, 1)!]).toEqual([0, 0, 0, 0, 0]));
  it("accuracy keeps the groups that some solve and others do not: golden dapo_filter", () => {
    const groups = ["0", "0", "0", "1", "1"];
    const [success, scores] = [
      Float64Array.of(0, 0, 0, 1, 0),
      Float64Array.of(0, 0.2, 0.5, 1, -0.1),
    ];
    expect([...keptTrajectories("accuracy", success, groups, 1)!]).toEqual([0, 0, 0, 1, 1]);
    expect([...keptTrajectories("mixed", scores, groups, 1)!]).toEqual([1, 1, 1, 1, 1]);
    expect([...keptTrajectories("accuracy", new Float64Array(5).fill(1), groups, 1)!]).toEqual([
      ...[0, 0, 0, 0, 0],
    ]);
  });
  it("reward-std keeps at least one group, of equal ones the first", () => {
    expect([...keptTrajectories("reward-std", score, task, 0)!]).toEqual([1, 0, 1, 0, 0]);
    const equal = keptTrajectories("reward-std", new Float64Array(5), task, 0.7)!;
    expect([...equal]).toEqual([1, 1, 1, 1, 0]);
  });
});
