/** Questions that the paper leaves open and that the page's small models can test. */
import { rows } from "../algorithmRows.ts";
import { estimators } from "../../method/estimators.ts";
import type { PartialSpec } from "../experiment.ts";
import { recipeOf, type Study } from "./study.ts";
import {
  cloned,
  criticAt,
  FEW_TURNS,
  MANY_TURNS,
  SEPARATE_CRITIC,
  TOKEN_RATIO,
  TURN_RATIO,
} from "./conditions.ts";

const turnPpo = recipeOf("turn-ppo");
/** The row that has both discounts: of tokens, and of whole turns. */
const twoLevels = rows.find(({ estimator }) => {
  const settings: readonly string[] = estimators[estimator].settings;
  return settings.includes("gammaTurn");
})!;

/** The turns used by credit and updates; the environment's turns do not change. */
function segmentedBy(name: string, source: string): PartialSpec {
  return {
    definitions: [{ kind: "segmentation", name, source }],
    optimisation: { segmentation: name },
  };
}

const PAIRS = `/** Every two turns are one. */
export function segment({ turns }) {
  return turns.starts.filter((_, h) => h % 2 === 0);
}
`;

const UNCERTAIN = `/** A new segment wherever the policy is uncertain of its next token. */
export function segment({ tokens }) {
  const starts = [0];
  tokens.entropies.forEach((entropy, t) => t > 0 && entropy > 0.5 && starts.push(t));
  return starts;
}
`;

export const openQuestions: readonly Study[] = [
  {
    name: "horizon",
    title: "Longer horizons",
    asks: "Does credit per turn help more when an episode has more turns?",
    conditions: [
      { name: "5-turns", about: "5 turns, 10 actions" },
      {
        name: "10-turns",
        about: "10 turns, 20 actions",
        set: { ...cloned(180), environment: { maxTurns: 10, maxActions: 20 } },
      },
    ],
    note: "For 10 turns the weights are cloned anew, until they solve about as much as the shipped ones do in 5.",
  },
  {
    name: "turn-length",
    title: "Variable turn lengths",
    asks: "Does credit per turn suffer when turns differ in length?",
    conditions: [
      {
        name: "fixed",
        about: "2 actions in every turn",
        set: { ...cloned(185), environment: { minActionsPerTurn: 2 } },
      },
      {
        name: "free",
        about: "1 to 3 actions per turn",
        set: { ...cloned(245), environment: { maxActionsPerTurn: 3 } },
      },
    ],
    note: "Both act 10 times at most. A turn of fewer than 2 actions costs 0.1 where 2 are fixed.",
  },
  {
    name: "observation-noise",
    title: "Observation noise",
    asks: "Does a critic of states still help when the board is shown with errors?",
    conditions: [
      { name: "clear", about: "the board as it is" },
      {
        name: "noisy",
        about: "1 cell in 20 shown wrongly",
        set: { environment: { observationNoise: 0.05 } },
      },
    ],
    note: "The weights were cloned on levels without errors.",
  },
  {
    name: "stochastic",
    title: "Stochastic environments",
    asks: "Which method suffers more when moves slip?",
    conditions: [
      { name: "sure", about: "moves never slip" },
      { name: "slip", about: "1 move in 10 slips", set: { environment: { slip: 0.1 } } },
    ],
    note: "The weights were cloned where moves never slip.",
  },
  {
    name: "boundaries",
    title: "Turn boundaries",
    asks: "Where should one turn end and the next begin?",
    methods: { "turn-ppo": turnPpo },
    conditions: [
      { name: "fixed", about: "the environment's turns" },
      { name: "merged", about: "two turns taken as one", set: segmentedBy("pairs", PAIRS) },
      {
        name: "adaptive",
        about: "a new turn where entropy exceeds 0.5",
        set: segmentedBy("uncertain", UNCERTAIN),
      },
    ],
    note: "The same episodes are played; only credit and updates cut them otherwise. Token-PPO knows no turns, so it is left out.",
  },
  {
    name: "shaping",
    title: "Reward shaping",
    asks: "Does a reward for progress help credit per turn more than credit per token?",
    conditions: [
      { name: "plain", about: "the environment's rewards" },
      {
        name: "potential",
        about: "each turn also rewarded for reducing the moves left",
        set: { processReward: { provider: "exact", shaping: "potential" } },
      },
    ],
  },
  {
    name: "kl",
    title: "KL strength",
    asks: "How strongly should the policy be kept near its start?",
    conditions: [
      { name: "free", about: "no KL term", method: { betaKl: 0 } },
      { name: "held", about: "weight 0.05 of the KL to the start", method: { betaKl: 0.05 } },
    ],
  },
  {
    name: "critic",
    title: "Critic size and pretraining",
    asks: "Does a larger critic, or one that is trained first, give better credit?",
    base: SEPARATE_CRITIC,
    conditions: [
      { name: "policy", about: "starts from the policy's weights", with: criticAt(3) },
      {
        name: "alone",
        about: "the same, 10 iterations trained alone instead of 2",
        // So that the actor trains for the same number of iterations.
        set: { critic: { warmup: 10 }, optimisation: { iterations: 58 } },
        with: criticAt(3),
      },
      {
        name: "chance",
        about: "the same shape, from random weights",
        set: { critic: { size: "nano" } },
        with: criticAt(3),
      },
      {
        name: "large",
        about: "nine times the parameters, from random weights",
        set: { critic: { size: "micro" } },
        with: criticAt(3),
      },
    ],
    note: "The critic is a network of its own at 3 times the actor's rate. That rate was not searched for.",
  },
  {
    name: "cost",
    title: "Cost against number of turns",
    asks: "What do more turns for the same actions cost in time and tokens, and what do they gain?",
    costs: true,
    conditions: [FEW_TURNS, MANY_TURNS],
    note: "Both act 10 times at most. Tokens are those that the policy sampled in training; the boards that it reads come on top.",
  },
  {
    name: "sft",
    title: "SFT-to-RL ratio",
    asks: "How much imitation should come before RL?",
    methods: { "turn-ppo": turnPpo, grpo: recipeOf("grpo") },
    conditions: [
      { name: "little", about: "140 supervised updates", set: cloned(140) },
      { name: "much", about: "360 supervised updates", set: cloned(360) },
    ],
    note: "Here the starts are meant to differ.",
  },
  {
    name: "transfer",
    title: "Easy-to-hard transfer",
    asks: "Can RL on 7 by 7 levels start from imitation of easier, 6 by 6 levels?",
    base: { environment: { rows: 7, columns: 7 } },
    conditions: [
      { name: "from-easy", about: "weights cloned on 6 by 6 levels" },
      { name: "from-hard", about: "weights cloned on 7 by 7 levels", set: cloned(360) },
    ],
    note: "The second clone stops where it solves about as much as the first. Both start low, at about 12 %.",
  },
  {
    name: "hybrid",
    title: "Hybrids of turn-aware credit",
    asks: "Is it the turn's advantage that helps, the turn's ratio, or both?",
    methods: {
      "turn-ppo": turnPpo,
      [twoLevels.name]: turnPpo,
      "token-ppo": recipeOf("token-ppo"),
    },
    conditions: [TURN_RATIO, TOKEN_RATIO],
    note: "Turn-PPO's advantages are of turns, token-PPO's of tokens, bi-level GAE's of both. Bi-level GAE has the PPOs' settings; none were searched for it.",
  },
];

/** What the paper leaves open and nothing here can test, with what it would take. */
export const questionsElsewhere: readonly { title: string; needs: string }[] = [
  {
    title: "Other architectures",
    needs:
      "Trained models of another family, and an engine for them. The one here runs Qwen2, 2.5 and 3.",
  },
  {
    title: "Larger models",
    needs:
      "A graphics card with the memory for training. Exported settings start such runs on RAGEN and verl.",
  },
  {
    title: "Other languages",
    needs:
      "A shop in a second language, and a model that reads both. This one has English pages only.",
  },
  {
    title: "Tools in real time",
    needs:
      "Tools that answer late or not at all, and a clock in the episode. Such a run cannot be repeated exactly.",
  },
  {
    title: "Several agents",
    needs: "Episodes in which two policies take turns, each with credit of its own. Here one acts.",
  },
];
