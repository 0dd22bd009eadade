import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ragenBundle, VERSIONS } from "../../src/interchange/ragen/bundle.ts";
import { unmappedFields } from "../../src/interchange/ragen/differences.ts";
import { toOverrides, toYaml, yamlText, type Keys } from "../../src/interchange/yaml.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { presetNames, presetSpec, toSpec } from "../../src/spec/presets.ts";
import { schema, unknownToRagen, unknownToVerl, unknownValues } from "./schema.ts";

const contexts = ["full", "turn"] as const;

/** GRPO beside it, so that a bundle is made whatever the algorithm. */
function specOf(
  preset: string,
  name: string,
  set: Record<string, string | number | null> = {},
  changes: object = {},
): ExperimentSpec {
  const list = [{ name, set }, ...(name === "grpo" ? [] : [{ name: "grpo", set: {} }])];
  return toSpec({ preset, algorithms: list, ...changes });
}

function exported(...args: Parameters<typeof specOf>) {
  return ragenBundle(specOf(...args)).algorithms[0]!;
}

/** What RAGEN's train.py asserts before a run (add_dependency_and_validate_config). */
function checkAsTrainPy(keys: Keys): void {
  const number = (key: string) => keys[key] as number;
  const gpus = number("trainer.n_gpus_per_node");
  const minibatch = number("ppo_mini_batch_size");
  expect(minibatch % (number("micro_batch_size_per_gpu") * gpus)).toBe(0);
  expect(String(keys["system.CUDA_VISIBLE_DEVICES"]).split(",")).toHaveLength(gpus);
  const episodes = number("es_manager.train.env_groups") * number("es_manager.train.group_size");
  const kept = episodes * number("actor_rollout_ref.rollout.rollout_filter_value");
  const rows = keys["agent_proxy.context_window_mode"] === "single_turn";
  const turns = rows ? number("agent_proxy.max_turn") : 1;
  expect(kept * turns).toBeGreaterThanOrEqual(minibatch);
  if (keys["algorithm.bi_level_gae"]) {
    expect(keys["algorithm.adv_estimator"]).toBe("gae");
    expect(keys["agent_proxy.use_turn_scores"]).toBe(false);
  }
  for (const mode of ["train", "val"]) {
    const groups = [keys[`es_manager.${mode}.env_groups`]];
    expect(keys[`es_manager.${mode}.env_configs.n_groups`]).toEqual(groups);
  }
}

describe("every algorithm of the table", () => {
  const cases = presetNames.flatMap((preset) =>
    algorithmNames.flatMap((name) => contexts.map((context) => ({ preset, name, context }))),
  );

  it.each(cases)("$name of $preset, context $context: only keys that exist", (testCase) => {
    const { preset, name, context } = testCase;
    const { ragen, verl, ragenKeys, verlKeys } = exported(preset, name, {}, { context });
    for (const [mapping, keys] of [
      [ragen, ragenKeys],
      [verl, verlKeys],
    ] as const) {
      // Told as such, never silently mapped: either keys, or reasons why there are none.
      expect(keys === null).toBe(mapping.verdict === "none");
      expect(mapping.missing.length > 0).toBe(mapping.verdict === "none");
      expect(mapping.differs.length > 0 || mapping.verdict !== "differs").toBe(true);
    }
    if (ragenKeys) {
      expect(unknownToRagen(ragenKeys)).toEqual([]);
      expect(unknownValues(ragenKeys)).toEqual([]);
      checkAsTrainPy(ragenKeys);
    }
    if (verlKeys) {
      expect(unknownToVerl(verlKeys)).toEqual([]);
      expect(unknownValues(verlKeys)).toEqual([]);
    }
  });

  it("is refused where none of an experiment's algorithms has a counterpart", () => {
    const spec = toSpec({ preset: "nano", algorithms: [{ name: "gigpo", set: {} }] });
    expect(() => ragenBundle(spec)).toThrow(InputError);
    expect(() => ragenBundle(spec)).toThrow(
      /algorithms is gigpo; none has a counterpart .* gigpo: RAGEN has no anchor-state/,
    );
  });

  it("knows which are the same there, which are not quite, and which are not at all", () => {
    const verdicts = (name: string) => {
      const { ragen, verl } = exported("nano", name, {}, { context: "full" });
      return `${ragen.verdict} ${verl.verdict}`;
    };
    const known: Record<string, string> = {
      grpo: "same same",
      "reinforce-pp-baseline": "same same",
      "reinforce-pp": "differs same",
      dapo: "differs differs",
      "dr-grpo": "differs differs",
      "token-ppo": "differs same",
      rloo: "differs same",
      remax: "none same",
      opo: "none same",
      gspo: "none same",
      gmpo: "none same",
      cispo: "none same",
      sapo: "none same",
      "clip-cov": "none same",
      "kl-cov": "none same",
      "dppo-tv": "none differs",
      "dppo-kl": "none differs",
      dro: "none same",
      gdpo: "none differs",
      "grpo-passk": "none same",
      otb: "none same",
      tis: "none same",
      mis: "none differs",
      "token-mis": "none differs",
      salt: "none none",
      vapo: "none none",
      hgpo: "none none",
      gagpo: "none none",
      "passk-analytic": "none none",
      "starpo-s": "differs none",
      "bi-level-gae": "differs none",
      reinforce: "none none",
      rebn: "none none",
      "s-ppo": "none none",
      "st-ppo": "none none",
      "turn-ppo": "differs differs",
      "turn-ppo-vagen": "differs same",
      "turn-ppo-st": "differs same",
      gigpo: "none none",
      sampo: "none none",
      "mt-grpo": "none none",
      a2tgpo: "none none",
    };
    expect(Object.fromEntries(Object.keys(known).map((name) => [name, verdicts(name)]))).toEqual(
      known,
    );
  });

  it("gives verl GDPO's kinds of reward, their weights and the manager that keeps them", () => {
    const set = { formatWeight: 0.5, processWeight: 2 };
    expect(exported("nano", "gdpo", set).verlKeys).toMatchObject({
      "algorithm.adv_estimator": "gdpo",
      "algorithm.norm_adv_by_std_in_grpo": true,
      "reward.reward_manager.name": "gdpo",
      "+algorithm.gdpo_reward_keys": ["task_reward", "format_reward", "process_reward"],
      "+algorithm.gdpo_reward_weights": [1, 0.5, 2],
      "actor_rollout_ref.actor.loss_agg_mode": "token-mean",
    });
    expect(exported("nano", "gdpo", { std: "none" }).verlKeys).toMatchObject({
      "algorithm.norm_adv_by_std_in_grpo": false,
    });
    // Without its last normalisation there is no such function.
    expect(exported("nano", "gdpo", { whiten: "none" }).verlKeys).toBeNull();
    // Hydra adds what verl's YAML lacks.
    const { files } = ragenBundle(specOf("nano", "gdpo", set));
    const text = Object.entries(files).find(([name]) => name.includes("gdpo"))![1];
    expect(text).toContain("+algorithm.gdpo_reward_weights=[1,0.5,2]\n");
  });

  it("gives verl the bounds of the inverse ratio where tokens are rejected", () => {
    const set = { samplerLow: 0.2, samplerHigh: 4 };
    expect(exported("nano", "token-mis", set).verlKeys).toMatchObject({
      "actor_rollout_ref.rollout.calculate_log_probs": true,
      "algorithm.rollout_correction.rollout_rs": "token_k1",
      "algorithm.rollout_correction.rollout_rs_threshold": "0.25_5",
    });
  });

  it("knows what becomes of turns as rows", () => {
    const grpo = exported("nano", "grpo", {}, { context: "turn" }).ragen;
    expect(grpo.differs.map(([axis]) => axis)).toEqual(["aggregation"]);
    for (const name of ["token-ppo", "rloo", "reinforce-pp", "reinforce-pp-baseline"]) {
      const { ragen, ragenKeys } = exported("nano", name, {}, { context: "turn" });
      expect(ragen.differs.map(([axis]) => axis)).toContain("estimator");
      // ragen/llm_agent/ctx_manager.py, _build_single_turn_samples: a row has the episode's score.
      expect(ragenKeys!["agent_proxy.use_turn_scores"]).toBe(false);
    }
    const { ragenKeys } = exported("nano", "token-ppo", {}, { context: "full" });
    expect(ragenKeys!["agent_proxy.use_turn_scores"]).toBe(true);
  });

  it("has the keys that RAGEN's own comparison of algorithms sets", () => {
    // scripts/runs/run_main_table_diff_algo.sh
    expect(exported("nano", "grpo").ragenKeys).toMatchObject({
      "algorithm.adv_estimator": "grpo",
      "algorithm.norm_adv_by_std_in_grpo": true,
      "actor_rollout_ref.actor.loss_agg_mode": "seq-mean-token-mean",
    });
    expect(exported("nano", "token-ppo").ragenKeys).toMatchObject({
      "algorithm.adv_estimator": "gae",
      "actor_rollout_ref.actor.loss_agg_mode": "token-mean",
    });
    expect(exported("nano", "dr-grpo").ragenKeys).toMatchObject({
      "algorithm.adv_estimator": "grpo",
      "algorithm.norm_adv_by_std_in_grpo": false,
    });
    expect(exported("nano", "dapo").ragenKeys).toMatchObject({
      "actor_rollout_ref.actor.clip_ratio_low": 0.2,
      "actor_rollout_ref.actor.clip_ratio_high": 0.28,
      "actor_rollout_ref.rollout.rollout_filter_include_zero": false,
    });
  });

  it("carries overrides of its settings", () => {
    const set = {
      gamma: 0.9,
      lambda: 0.8,
      epsHigh: 0.3,
      dualClip: null,
      valueClip: 2,
      betaKl: 0.1,
    };
    const full = { context: "full" };
    const { ragenKeys, verlKeys } = exported("sokoban-class", "token-ppo", set, full);
    for (const keys of [ragenKeys, verlKeys]) {
      expect(keys).toMatchObject({
        "algorithm.gamma": 0.9,
        "algorithm.lam": 0.8,
        "actor_rollout_ref.actor.clip_ratio_high": 0.3,
        "actor_rollout_ref.actor.clip_ratio_c": 1e9,
        "critic.cliprange_value": 2,
        "actor_rollout_ref.actor.use_kl_loss": true,
        "actor_rollout_ref.actor.kl_loss_coef": 0.1,
      });
    }
    expect(ragenKeys!["actor_rollout_ref.actor.use_ref"]).toBe(true);
  });

  it.each([
    ["token-ppo", { ratio: "turn-product", clip: "weight" }, "ratio"],
    ["turn-ppo", { valueAt: "turn-mean" }, "estimator"],
    ["token-ppo", { whiten: "none" }, "estimator"],
    ["token-ppo", { aggregation: "turn-mean" }, "aggregation"],
    ["token-ppo", { clipBias: "norm" }, "clipBias"],
    ["grpo", { std: "population" }, "std"],
    ["grpo", { groupCount: "turn" }, "groupCount"],
    ["grpo", { clip: "weight" }, "ratio"],
    ["grpo", { dualClip: 1 }, "dualClip"],
  ])("%s with %j loses its counterpart in RAGEN by %s", (name, set, axis) => {
    const spec = toSpec({
      preset: "nano",
      algorithms: [
        { name, set },
        { name: name === "grpo" ? "token-ppo" : "grpo", set: {} },
      ],
    });
    const { ragen, ragenKeys } = ragenBundle(spec).algorithms[0]!;
    expect(ragenKeys).toBeNull();
    expect(ragen.missing.map(([lost]) => lost)).toEqual([axis]);
  });

  it("scales the reward's KL to rewards that are not scaled", () => {
    const { ragenKeys } = exported("sokoban-class", "starpo");
    expect(ragenKeys).toMatchObject({
      "algorithm.use_kl_in_reward": true,
      "algorithm.kl_ctrl.kl_coef": 0.001,
    });
  });
});

describe("the settings of an experiment", () => {
  it.each(presetNames)("%s: every field is told", (preset) => {
    const spec = presetSpec(preset);
    const bundle = ragenBundle({ ...spec, algorithms: [{ name: "token-ppo", set: {} }] });
    expect(unmappedFields(spec, bundle.algorithms[0]!.settings)).toEqual([]);
    expect(bundle.files["COUNTERPARTS.md"]).toContain("Every field of the spec is in this table.");
  });

  it.each(presetNames)("%s as it is: a bundle, or the reason why not", (preset) => {
    const spec = presetSpec(preset);
    let files: Record<string, string> = {};
    try {
      ({ files } = ragenBundle(spec));
    } catch (error) {
      expect((error as Error).message).toContain("none has a counterpart");
      expect(error).toBeInstanceOf(InputError);
      return;
    }
    expect(Object.keys(files)).toEqual(expect.arrayContaining(["spec.json", "COUNTERPARTS.md"]));
  });

  it("calls nothing the same whose rewards or settings are others there", () => {
    const list = [{ name: "grpo", set: {} }];
    const plain = toSpec({ preset: "nano", algorithms: list, context: "full" });
    expect(ragenBundle(plain).algorithms[0]!.ragen.verdict).toBe("same");
    const scheduled = { ...plain, schedule: { from: 5, sampling: { temperature: 2 } } } as unknown;
    const { verdict, differs } = ragenBundle(scheduled as ExperimentSpec).algorithms[0]!.ragen;
    expect([verdict, differs]).toEqual([
      "differs",
      [["schedule", "settings do not change during a run"]],
    ]);
  });

  it("names fields that it does not know", () => {
    const spec = { ...presetSpec("nano"), tomorrow: { a: 1, b: { c: 2 } } } as ExperimentSpec;
    const { algorithms, files } = ragenBundle(spec);
    expect(unmappedFields(spec, algorithms[0]!.settings)).toEqual(["tomorrow.a", "tomorrow.b.c"]);
    expect(algorithms[0]!.verl.differs).toContainEqual(["tomorrow.a", "no counterpart is known"]);
    expect(files["COUNTERPARTS.md"]).toContain("`tomorrow.a`, `tomorrow.b.c`");
  });

  it("sets up Sokoban, its groups and its evaluation", () => {
    const changes = {
      environment: { rows: 7, columns: 9, boxes: 2, maxActions: 120, maxTurns: 8 },
      evaluation: { levels: 0 },
    };
    const grouped = exported("nano", "grpo", {}, changes).ragenKeys!;
    expect(grouped).toMatchObject({
      "custom_envs.TurnbookSokoban.env_config.dim_x": 7,
      "custom_envs.TurnbookSokoban.env_config.dim_y": 9,
      "custom_envs.TurnbookSokoban.env_config.num_boxes": 2,
      "custom_envs.TurnbookSokoban.max_actions_per_traj": 120,
      "custom_envs.TurnbookSokoban.env_config.max_steps": 121,
      "agent_proxy.max_turn": 8,
      "es_manager.train.env_groups": 16,
      "es_manager.train.group_size": 8,
      "es_manager.val.env_groups": 1,
      "trainer.test_freq": -1,
      "trainer.val_before_train": false,
    });
    expect(exported("nano", "token-ppo").ragenKeys).toMatchObject({
      "es_manager.train.env_groups": 128,
      "es_manager.train.group_size": 1,
      // Two iterations of the critic alone: the actor learns from step 3 on.
      "trainer.critic_warmup": 3,
    });
  });

  it("shares minibatches between GPUs, or says that it cannot", () => {
    const { ragenKeys } = ragenBundle(presetSpec("nano"), { gpus: 8 }).algorithms[0]!;
    expect(ragenKeys).toMatchObject({
      ppo_mini_batch_size: 32,
      micro_batch_size_per_gpu: 4,
      "system.CUDA_VISIBLE_DEVICES": "0,1,2,3,4,5,6,7",
    });
    checkAsTrainPy(ragenKeys!);
    expect(() => ragenBundle(presetSpec("nano"), { gpus: 3 })).toThrow("gpus is 3; it must divide");
    expect(() => ragenBundle(presetSpec("nano"), { model: "gpt2" })).toThrow('model is "gpt2"');
  });

  it("makes minibatches no larger than what a filter leaves", () => {
    const { ragenKeys } = exported("sokoban-class", "starpo-s");
    expect(ragenKeys!["ppo_mini_batch_size"]).toBe(32); // a quarter of 128, not 64
    checkAsTrainPy(ragenKeys!);
  });

  it("is made of the versions whose keys are stored", () => {
    expect(VERSIONS).toEqual({ ragen: schema.ragen.version, verl: schema.verl.version });
  });
});

describe("the check of keys", () => {
  it("finds what does not exist", () => {
    const keys = {
      "custom_envs.X.env_type": "sokoban",
      "custom_envs.X.env_config.dim_z": 3,
      "custom_envs.X.size": 3,
      "actor_rollout_ref.actor.turn_ratio": true,
      "algorithm.adv_estimator": "turn_gae",
    };
    expect(unknownToRagen(keys)).toEqual([
      "custom_envs.X.env_config.dim_z",
      "custom_envs.X.size",
      "actor_rollout_ref.actor.turn_ratio",
    ]);
    expect(unknownToVerl({ "agent_proxy.max_turn": 1 })).toEqual(["agent_proxy.max_turn"]);
    expect(unknownValues(keys)).toEqual(["algorithm.adv_estimator=turn_gae"]);
  });
});

/** A reader of the YAML that is written here: nested blocks, values in JSON's forms. */
function readYaml(text: string): Keys {
  const keys: Record<string, Keys[string]> = {};
  const path: string[] = [];
  for (const line of text.trimEnd().split("\n")) {
    const [, indent, name, value] = /^( *)([\w-]+):(?: (.*))?$/.exec(line)!;
    path.splice(indent!.length / 2, Infinity, name!);
    if (value !== undefined) keys[path.join(".")] = JSON.parse(value) as Keys[string];
  }
  return keys;
}

describe("YAML", () => {
  it("reads back what was written", () => {
    for (const name of ["grpo", "token-ppo"]) {
      const bundle = ragenBundle(specOf("webshop-think", name));
      const text = bundle.files[`config/turnbook-${name}.yaml`]!;
      const body = text.slice(text.indexOf("custom_envs:"));
      const { ragenKeys } = bundle.algorithms[0]!;
      expect(readYaml(body)).toEqual(ragenKeys);
      expect(text).toContain("defaults:\n  - base\n  - _self_\n");
    }
  });

  it("writes numbers that YAML 1.1 takes for numbers, and every text quoted", () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, fc.string(), (x, text) => {
        // The pattern of PyYAML's resolver, with its point before the exponent.
        expect(yamlText(x)).toMatch(/^-?\d+$|^-?\d+\.\d*(e[-+]\d+)?$/);
        expect(Number(yamlText(x))).toBe(x === 0 ? (Object.is(x, -0) ? 0 : x) : x);
        expect(JSON.parse(yamlText(text))).toBe(text);
      }),
    );
    expect(yamlText(1e-7)).toBe("1.0e-7");
    expect(yamlText(2.5e30)).toBe("2.5e+30");
    expect(() => yamlText(Infinity)).toThrow(RangeError);
  });

  it("refuses paths that are both a value and a part", () => {
    expect(() => toYaml({ a: 1, "a.b": 2 })).toThrow("a.b goes through a value");
    expect(() => toYaml({ "a.b": 2, a: 1 })).toThrow("a is given twice");
    expect(toOverrides({ "a.b": [1, 2], c: "x" })).toBe('a.b=[1,2]\nc="x"\n');
  });
});

describe("a changed Sokoban", () => {
  const withRules = (rules: object) => exported("nano", "grpo", {}, { environment: { ...rules } });

  it("says what RAGEN's game cannot do, and that the same algorithm learns something else", () => {
    const { settings } = withRules({ slip: 0.1, stepCost: -0.5 });
    const why = (from: string) => settings.find((one) => one.from === from);
    expect(why("environment.slip")).toEqual({
      ...{ from: "environment.slip", why: "moves never slip there" },
    });
    expect(why("environment.stepCost")!.why).toContain("costs 0.1 there");
  });

  it("has RAGEN's think block where it has its own", () => {
    const keysOf = (rules: object) =>
      Object.assign({}, ...withRules(rules).settings.map(({ keys }) => keys)) as object;
    expect(keysOf({ think: true })).toMatchObject({ "agent_proxy.enable_think": true });
    expect(keysOf({})).toMatchObject({ "agent_proxy.enable_think": false });
  });

  it("has nothing to say of rules that are gym-sokoban's own", () => {
    const { settings } = withRules({ stepCost: -0.1, successBonus: 10 });
    const said = settings.filter(({ from }) => /stepCost|successBonus/.test(from));
    expect(said.map(({ keys }) => keys)).toEqual([{}, {}]);
  });
});
