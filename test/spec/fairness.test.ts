import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { settingNames } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { numberAxes } from "../../src/method/numbers.ts";
import { fairnessOf, fairnessOfLogged } from "../../src/spec/fairness.ts";
import { methodSettings } from "../../src/spec/learning.ts";
import { recipeSearches } from "../../src/spec/methodPresets.ts";
import { presetSpec, toSpec } from "../../src/spec/presets.ts";
import { specFromChanges } from "../../src/spec/specChanges.ts";

const ids = (all: readonly { id: string }[]) => all.map(({ id }) => id);
const fairness = (partial: object) => fairnessOf(toSpec(partial))!;
const row = (of: ReturnType<typeof fairness>, id: string) => of.rows.find((one) => one.id === id);
const statusOf = (of: ReturnType<typeof fairness>, id: string) => row(of, id)?.status;
const idsOf = ({ rows }: ReturnType<typeof fairness>, status: string) =>
  ids(rows.filter((one) => one.status === status));

describe("the fairness card", () => {
  it("says of the preset nano that GRPO sees fewer tasks, and that all share one rate", () => {
    const nano = fairness({});
    expect(row(nano, "tasks")).toEqual({
      ...{ id: "tasks", status: "differs" },
      values: { grpo: "16", "token-ppo": "128", "turn-ppo": "128" },
    });
    expect(row(nano, "rollouts")!.values).toMatchObject({ grpo: "8", "turn-ppo": "1" });
    expect(nano.warnings).toEqual([
      {
        ...{ id: "tasks", fewer: ["grpo"], more: ["token-ppo", "turn-ppo"] },
        ...{ few: 16, many: 128, repeats: 8 },
      },
      { id: "oneRate" },
    ]);
    // GRPO has no critic to wait for.
    expect(idsOf(nano, "differs")).toEqual(["tasks", "rollouts", "criticWarmup"]);
    expect(idsOf(nano, "unknown")).toEqual(["search"]);
  });

  it("counts updates and critics' by each method's own settings", () => {
    const two = fairness({
      optimisation: { grouping: "all" },
      algorithms: [
        { name: "grpo", set: {}, with: { optimisation: { actorLr: 3e-4, minibatch: 128 } } },
        { name: "turn-ppo", set: {}, with: { critic: { epochs: 3 } } },
      ],
    });
    const values = (id: string) => row(two, id)!.values;
    // 128 episodes in minibatches of 128 and of 32, two epochs.
    expect(values("actorSteps")).toEqual({ grpo: "2", "turn-ppo": "8" });
    expect(values("criticSteps")).toEqual({ grpo: null, "turn-ppo": "12" });
    expect(values("tasks")).toEqual({ grpo: "16", "turn-ppo": "16" });
    expect(two.warnings).toEqual([{ id: "steps", fewer: ["grpo"], more: ["turn-ppo"] }]);
  });

  it("counts no task twice where training levels are few", () => {
    const few = fairness({ environment: { trainLevels: 10 } });
    expect(row(few, "tasks")!.values).toMatchObject({ grpo: "10", "turn-ppo": "10" });
    expect(ids(few.warnings)).toEqual(["oneRate"]);
  });

  it("bounds the tokens by turns and episodes", () => {
    const nano = fairness({});
    expect(row(nano, "turnTokens")!.values).toMatchObject({ grpo: "6" });
    // 6 tokens, 5 turns, 128 episodes.
    expect(row(nano, "tokens")).toMatchObject({ status: "equal", values: { grpo: "3840" } });
  });

  it("is silent of a log whose spec is not whole", () => {
    const { sampling: _, ...cut } = presetSpec("nano");
    expect(fairnessOfLogged(cut)).toBeNull();
    expect(fairnessOfLogged(undefined)).toBeNull();
    expect(fairnessOfLogged(presetSpec("nano"))).toEqual(fairnessOf(presetSpec("nano")));
  });

  it("is silent for one method, and names methods with loops of their own", () => {
    expect(fairnessOf(toSpec({ algorithms: [{ name: "grpo", set: {} }] }))).toBeNull();
    const { warnings } = fairnessOf(presetSpec("nano-iterative"))!;
    expect(ids(warnings)).toContain("outside");
    expect(fairnessOf(presetSpec("nano-tdpo"))!.warnings).toMatchObject([{ id: "outside" }]);
  });
});

describe("its row of the search", () => {
  it.each(recipeSearches.map((search) => [search.config, search] as const))(
    "names the numbers of %s",
    (config, search) => {
      const file = new URL(`../bench/recipes/${config}`, import.meta.url);
      const kept = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown[]>;
      expect(kept["draws"]).toBe(search.draws);
      expect(kept["stages"]).toHaveLength(search.stages);
      expect(kept["methods"]).toEqual(Object.keys(search.recipes));
      const fair = fairness({ preset: search.preset });
      expect(fair.search).toBe(search);
      const budget = `${search.draws} draws, ${search.stages} stages`;
      expect(row(fair, "search")).toMatchObject({ status: "equal", values: { grpo: budget } });
    },
  );

  const SAME = [
    "iterations=20",
    "seed=41",
    "algorithms=grpo,turn-ppo",
    "evaluation.levels=64",
    "optimisation.grouping=each-own",
  ];
  it.each(SAME)("holds with %s, which no search chose", (change) => {
    expect(changed("nano-fair", change).search?.config).toBe("nano.json");
  });

  const OTHER = [
    ...["grpo.optimisation.actorLr=0.001", "turn-ppo.optimisation.minibatch=64"],
    ...["token-ppo.critic.lr=0.001", "turn-ppo.gamma=1", "optimisation.grouping=all"],
    ...["environment.boxes=2", "model.preset=micro", "critic.warmup=5"],
    ...["algorithms=grpo,turn-ppo,rloo", "sampling.temperature=0.7"],
  ];
  it.each(OTHER)("is unknown with %s", (change) => {
    const other = changed("nano-fair", change);
    expect(other.search).toBeNull();
    expect(row(other, "search")).toMatchObject({ status: "unknown", values: { grpo: null } });
  });

  it("is found by settings, whatever the preset is called", () => {
    const { algorithms } = presetSpec("nano-fair");
    expect(fairness({ preset: "nano", algorithms }).search?.config).toBe("nano.json");
    expect(fairness({ preset: "webshop-progress" }).search).toBeNull();
  });

  it("makes one rate for all no fault where the search chose it", () => {
    const shop = changed("webshop-fair", "algorithms=grpo,token-ppo");
    expect(statusOf(shop, "actorLr")).toBe("equal");
    expect(ids(shop.warnings)).toEqual(["pay"]);
  });

  it("warns where a potential's pay is a baseline for critics and cancels in groups", () => {
    const of = (set: string) => {
      const [name, value] = set.split("=") as [string, string];
      const { spec } = specFromChanges("webshop-fair", [[name, value]]);
      return fairnessOf(spec)!.warnings.find(({ id }) => id === "pay");
    };
    expect(of("seed=2")).toEqual({
      ...{ id: "pay", critics: ["token-ppo", "turn-ppo"], groups: ["grpo"] },
    });
    expect(of("processReward.eta=0")).toBeUndefined();
    expect(of("algorithms=token-ppo,turn-ppo")).toBeUndefined();
    expect(ids(fairness({ preset: "nano-fair" }).warnings)).not.toContain("pay");
  });
});

const changed = (preset: string, change: string) => {
  const [path, value] = change.split("=") as [string, string];
  const { spec, warnings } = specFromChanges(preset, [[path, value]]);
  expect(warnings).toEqual([]);
  return fairnessOf(spec)!;
};

/** Another value of every setting that a method may have for itself. */
const OTHER_SETTINGS: Record<string, unknown> = {
  ...{ "optimisation.minibatch": 7, "optimisation.epochs": 9, "optimisation.actorLr": 0.5 },
  ...{ "optimisation.weightDecay": 0.5, "optimisation.maxGradNorm": 7 },
  ...{ "optimisation.entropyCoef": 0.5, "optimisation.segmentation": "mine" },
  ...{ "optimisation.actorLrWarmup": 77, "critic.kind": "separate", "critic.lr": 0.5 },
  ...{ "critic.coef": 7, "critic.warmup": 7, "critic.epochs": 9, "critic.size": "micro" },
  ...{ "sampling.temperature": 0.5, "sampling.topK": 7, "sampling.topP": 0.5 },
};

describe("its rows", () => {
  const paths = Object.entries(methodSettings.shape).flatMap(([group, fields]) =>
    Object.keys(fields.def.innerType.shape).map((field) => [group, field] as const),
  );

  it.each(paths)("say so where one method has its own %s.%s", (group, field) => {
    const value = OTHER_SETTINGS[`${group}.${field}`];
    expect(value).toBeDefined();
    const before = presetSpec("nano");
    // A size means something to a separate critic only.
    const critic =
      field === "size" ? { ...before.critic, kind: "separate" as const } : before.critic;
    const with_ = { [group]: { [field]: value } };
    const algorithms = ["token-ppo", "turn-ppo"].map((name) => ({ name, set: {} }));
    const same = fairnessOf({ ...before, critic, algorithms })!;
    const [first, second] = algorithms;
    const own = fairnessOf({
      ...before,
      critic,
      algorithms: [first!, { ...second!, with: with_ }],
    })!;
    expect(idsOf(same, "differs")).toEqual([]);
    expect(idsOf(own, "differs")).not.toEqual([]);
  });

  it("call what a method chooses a part of it, and what an experiment sets a difference", () => {
    const nano = fairness({});
    const own = idsOf(nano, "method");
    for (const id of ["gamma", "lambda", "ratio", "estimator"]) expect(own).toContain(id);
    expect(row(nano, "gamma")!.values).toEqual({
      ...{ grpo: null, "token-ppo": "1", "turn-ppo": "0.99" },
    });
    expect(statusOf(changed("nano", "token-ppo.gamma=0.9"), "gamma")).toBe("differs");
    expect(statusOf(changed("nano", "token-ppo.gamma=0.99"), "gamma")).toBe("equal");
    expect(statusOf(nano, "omega")).toBeUndefined();
    expect(statusOf(changed("nano", "algorithms=grpo,gigpo"), "omega")).toBe("method");
    const starpo = changed("nano", "algorithms=grpo,starpo");
    expect(statusOf(starpo, "betaKlReward")).toBe("method");
    expect(statusOf(changed("nano", "grpo.betaKl=0.04"), "betaKl")).toBe("differs");
  });

  it.each(settingNames)("have %s, where a method has a use for it", (name) => {
    const used = [
      "gigpo",
      "hgpo",
      "vapo",
      "a2tgpo",
      "mt-grpo",
      "bi-level-gae",
      "st-ppo",
      "starpo-s",
      "dr-grpo",
    ];
    const set = {
      sampler: "sequence-mask",
      clip: "adaptive",
      clipBias: "max-one",
      betaKlReward: 1,
      klTarget: 1,
    };
    const ofRows = ["sapo", "clip-cov", "kl-cov", "gdpo", "passk-analytic"].map((method) => ({
      name: method,
      set: {},
    }));
    const known = [
      ...[...used, "grpo", "turn-ppo"].map((method) => ({ name: method, set })),
      ...ofRows,
    ];
    expect(statusOf(fairness({ algorithms: known }), name)).toBeDefined();
    expect(name in wordAxes || name in numberAxes).toBe(true);
  });

  it("say that nano-fair differs in what its search chose, entropy among them", () => {
    const fair = fairness({ preset: "nano-fair" });
    expect(row(fair, "entropyCoef")).toMatchObject({
      status: "differs",
      values: { grpo: "0", "token-ppo": "0.003", "turn-ppo": "0.003" },
    });
    expect(idsOf(fair, "differs")).toEqual([
      ...["tasks", "rollouts", "actorSteps", "minibatch", "actorLr", "criticWarmup"],
      "entropyCoef",
    ]);
    expect(ids(fair.warnings)).toEqual(["tasks", "steps"]);
  });
});
