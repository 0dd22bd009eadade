/** The environment of a spec as one of RAGEN's `custom_envs`, and what is different about it there. */
import type { EnvironmentSpec, SokobanSpec, WebShopSpec } from "../../spec/experiment.ts";
import { descriptorOf } from "../../env/descriptors.ts";
import type { MappedSetting } from "./setting.ts";

/** The name under which the environment is registered; RAGEN counts differently if it contains "webshop". */
export function environmentTag({ kind }: EnvironmentSpec): string {
  return descriptorOf(kind).ragen.tag;
}

/** gym-sokoban's own limit must not come before ours. */
const GYM_STEPS = 100;

export function environmentSettings(environment: EnvironmentSpec): MappedSetting[] {
  const shared: MappedSetting[] = [
    { from: "environment.maxTurns", keys: { "agent_proxy.max_turn": environment.maxTurns } },
    {
      from: "environment.formatPenalty",
      keys: { "es_manager.format_penalty": environment.formatPenalty },
    },
    poolOf(environment.trainLevels),
  ];
  const own = ownSettings[environment.kind] as SettingsOf<EnvironmentSpec> | undefined;
  return [...(own ?? describedSettings)(environment), ...shared];
}

type SettingsOf<Environment> = (environment: Environment) => MappedSetting[];

/** For environments that RAGEN has too; the others use their descriptors. */
const ownSettings: {
  [K in EnvironmentSpec["kind"]]?: SettingsOf<Extract<EnvironmentSpec, { kind: K }>>;
} = {
  sokoban: sokobanSettings,
  webshop: webshopSettings,
};

const SHARED = ["kind", "trainLevels", "maxTurns", "formatPenalty"];

/** What RAGEN's turn manager does for every environment. */
const managed = (env: string): Readonly<Record<string, string>> => ({
  maxActions: `${env}.max_actions_per_traj`,
  maxActionsPerTurn: "agent_proxy.max_actions_per_turn",
  think: "agent_proxy.enable_think",
});

/** From the descriptor: settings that RAGEN's own environment has too; the others are lost. */
function describedSettings(environment: EnvironmentSpec): MappedSetting[] {
  const { tag, type, instruction } = descriptorOf(environment.kind).ragen;
  const env = `custom_envs.${tag}`;
  const own = Object.entries(environment).flatMap(([key, value]) =>
    SHARED.includes(key) || value === undefined ? [] : [describedSetting(environment, key, value)],
  );
  const keys = {
    [`${env}.env_type`]: type,
    [`${env}.env_instruction`]: instruction,
    [`${env}.max_tokens`]: 100,
    [`${env}.parallel_friendly`]: false,
    [`${env}.max_workers`]: 32,
    ...(environment.think === undefined && { "agent_proxy.enable_think": false }),
  };
  return [{ from: "environment.kind", keys }, ...own];
}

function describedSetting(
  { kind }: EnvironmentSpec,
  key: string,
  value: string | number | boolean,
): MappedSetting {
  const from = `environment.${key}`;
  const { tag, settings } = descriptorOf(kind).ragen;
  const env = `custom_envs.${tag}`;
  const there = managed(env)[key];
  if (there !== undefined) return { from, keys: { [there]: value } };
  const setting = settings[key];
  if (!setting) return { from, why: "RAGEN's environment has no such setting" };
  const { name, translate = (given) => given, why } = setting;
  const keys = { [`${env}.env_config.${name}`]: translate(value) };
  return { from, keys, ...(why !== undefined && { why }) };
}

function poolOf(trainLevels: number): MappedSetting {
  const from = "environment.trainLevels";
  if (trainLevels === 0) return { from, keys: {}, why: "ever new tasks, as there" };
  return { from, why: `RAGEN has no pool of ${trainLevels} tasks: every iteration has new ones` };
}

function sokobanSettings(environment: SokobanSpec): MappedSetting[] {
  const { rows, columns, boxes, searchDepth, maxActions, maxActionsPerTurn } = environment;
  const { think, thought, earlierThoughts } = environment;
  const env = `custom_envs.${environmentTag(environment)}`;
  return [
    {
      from: "environment.kind",
      keys: {
        [`${env}.env_type`]: "sokoban",
        [`${env}.env_instruction`]: SOKOBAN_RULES,
        [`${env}.max_tokens`]: thought || 100,
        [`${env}.parallel_friendly`]: false,
        [`${env}.max_workers`]: 32,
        [`${env}.env_config.observation_format`]: thought === undefined ? "grid" : "grid_coord",
        ...(think === undefined && { "agent_proxy.enable_think": (thought ?? 0) > 0 }),
      },
    },
    ...(thought === undefined
      ? []
      : [
          {
            from: "environment.thought" as const,
            keys: {},
            why: "RAGEN's prompt says how long a response may be, as ours does: max_tokens",
          },
        ]),
    ...(earlierThoughts === undefined
      ? []
      : [
          {
            from: "environment.earlierThoughts" as const,
            why: "Qwen3's own chat template strips earlier thoughts there",
          },
        ]),
    ...(think === undefined
      ? []
      : [{ from: "environment.think" as const, keys: { "agent_proxy.enable_think": think } }]),
    { from: "environment.rows", keys: { [`${env}.env_config.dim_x`]: rows } },
    { from: "environment.columns", keys: { [`${env}.env_config.dim_y`]: columns } },
    { from: "environment.boxes", keys: { [`${env}.env_config.num_boxes`]: boxes } },
    { from: "environment.searchDepth", keys: { [`${env}.env_config.search_depth`]: searchDepth } },
    {
      from: "environment.maxActions",
      keys: {
        [`${env}.max_actions_per_traj`]: maxActions,
        [`${env}.env_config.max_steps`]: Math.max(GYM_STEPS, maxActions + 1),
      },
    },
    {
      from: "environment.maxActionsPerTurn",
      keys: { "agent_proxy.max_actions_per_turn": maxActionsPerTurn },
    },
    ...changedRules(environment),
  ];
}

/** Rules of the game that a spec may change and RAGEN cannot: gym-sokoban sets its own rewards, and is deterministic. */
export const CHANGES_GAME = {
  "environment.minActionsPerTurn": "a turn of one action is good form there",
  "environment.stepCost": "an action costs 0.1 there, whatever it costs here",
  "environment.successBonus": "solving the level pays 10 there, whatever it pays here",
  "environment.slip": "moves never slip there",
  "environment.observationNoise": "the board is always shown as it is there",
} as const;

/** gym-sokoban does this anyway: nothing is lost. */
const ITS_OWN = {
  minActionsPerTurn: 1,
  stepCost: -0.1,
  successBonus: 10,
  slip: 0,
  observationNoise: 0,
} as const;

function changedRules(environment: SokobanSpec): MappedSetting[] {
  return (Object.keys(ITS_OWN) as (keyof typeof ITS_OWN)[]).flatMap((key): MappedSetting[] => {
    const value = environment[key];
    if (value === undefined) return [];
    const from = `environment.${key}` as const;
    if (value === ITS_OWN[key]) return [{ from, keys: {}, why: "as there" }];
    return [{ from, why: CHANGES_GAME[from] }];
  });
}

function webshopSettings(environment: WebShopSpec): MappedSetting[] {
  const { maxTurns, observation, think } = environment;
  const env = `custom_envs.${environmentTag(environment)}`;
  const text: MappedSetting = {
    from: "environment.observation",
    keys: { [`${env}.env_config.observation_mode`]: "text" },
  };
  if (observation !== "text") text.why = `RAGEN has text, not ${observation}`;
  return [
    {
      from: "environment.kind",
      keys: {
        [`${env}.env_type`]: "webshop",
        [`${env}.env_instruction`]: WEBSHOP_RULES,
        [`${env}.max_tokens`]: 200,
        [`${env}.parallel_friendly`]: false,
        [`${env}.max_workers`]: 32,
        [`${env}.max_actions_per_traj`]: maxTurns,
        [`${env}.env_config.human_goals`]: false,
        [`${env}.env_config.show_attrs`]: false,
        "agent_proxy.max_actions_per_turn": 1,
      },
      why: "RAGEN pays 1 for a perfect purchase and 0 for any other; here the reward is WebShop's own, 0 to 1",
    },
    {
      from: "environment.catalogSeed",
      keys: { [`${env}.env_config.dataset`]: "small" },
      why: "RAGEN sells WebShop's 1,000 real products, not a generated shop",
    },
    text,
    { from: "environment.think", keys: { "agent_proxy.enable_think": think } },
  ];
}

const SOKOBAN_RULES =
  "You play Sokoban. Push every box onto a target: step towards a box that stands next to you. Boxes cannot be pulled, " +
  "nor pushed through walls or other boxes. Answer with one or more actions, such as <answer>Up || Right</answer>.";

const WEBSHOP_RULES =
  "You shop online. Find a product that fits the instruction, choose its options, and buy it. Take one action of those " +
  "that the page offers, search[words] or click[item], such as <answer>search[red wool scarf]</answer>.";
