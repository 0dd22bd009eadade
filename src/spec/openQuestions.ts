/** Questions that the paper leaves open and that the page's small models can test. */
import { CLONED, type Study } from "./study.ts";

export const openQuestions: readonly Study[] = [
  {
    name: "horizon",
    title: "Longer horizons",
    asks: "Does credit per turn help more when an episode has more turns?",
    base: CLONED,
    conditions: [
      { name: "5-turns", about: "5 turns, 10 actions" },
      {
        name: "10-turns",
        about: "10 turns, 20 actions",
        set: { environment: { maxTurns: 10, maxActions: 20 } },
      },
    ],
  },
  {
    name: "turn-length",
    title: "Variable turn lengths",
    asks: "Does credit per turn suffer when turns differ in length?",
    base: CLONED,
    conditions: [
      {
        name: "fixed",
        about: "2 actions in every turn",
        set: { environment: { minActionsPerTurn: 2, maxActionsPerTurn: 2 } },
      },
      {
        name: "free",
        about: "1 to 4 actions per turn",
        set: {
          environment: { maxActionsPerTurn: 4 },
          sampling: { maxTokensPerTurn: 12 },
        },
      },
    ],
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
  },
  {
    name: "stochastic",
    title: "Stochastic environments",
    asks: "Which method suffers more when moves slip?",
    conditions: [
      { name: "sure", about: "moves never slip" },
      { name: "slip", about: "1 move in 10 slips", set: { environment: { slip: 0.1 } } },
    ],
  },
  {
    name: "boundaries",
    title: "Turn boundaries",
    asks: "Where should one turn end and the next begin?",
    base: CLONED,
    conditions: [
      {
        name: "one-by-one",
        about: "a new turn after each action",
        set: { environment: { maxTurns: 10, maxActionsPerTurn: 1 } },
      },
      {
        name: "merged",
        about: "two turns of up to 5 actions",
        set: {
          environment: { maxTurns: 2, maxActionsPerTurn: 5 },
          sampling: { maxTokensPerTurn: 12 },
        },
      },
    ],
    note: "The environment sets the boundaries: after each the model sees the board again.",
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
    asks: "Does pretraining the critic give better credit?",
    base: { critic: { kind: "separate", lr: 1e-3 } },
    conditions: [
      {
        name: "short",
        about: "critic trained alone for 2 iterations",
        set: { critic: { warmup: 2 } },
      },
      {
        name: "long",
        about: "critic trained alone for 10 iterations",
        set: { critic: { warmup: 10 } },
      },
    ],
    note: "Critic size (critic.size: nano or micro) can be varied in the same way.",
  },
  {
    name: "cost",
    title: "Cost against number of turns",
    asks: "What does a longer episode cost in time and tokens, and what does it gain?",
    base: CLONED,
    conditions: [
      { name: "3-turns", about: "3 turns", set: { environment: { maxTurns: 3 } } },
      { name: "8-turns", about: "8 turns", set: { environment: { maxTurns: 8 } } },
    ],
    note: "Both have 10 actions at most; a run's log records its seconds and tokens.",
  },
  {
    name: "sft",
    title: "SFT-to-RL ratio",
    asks: "How much imitation should come before RL?",
    base: CLONED,
    methods: { "turn-ppo": {}, grpo: { optimisation: { actorLr: 3e-4 } } },
    conditions: [
      { name: "little", about: "90 supervised updates", set: { clone: { steps: 90 } } },
      { name: "much", about: "360 supervised updates", set: { clone: { steps: 360 } } },
    ],
  },
  {
    name: "transfer",
    title: "Easy-to-hard transfer",
    asks: "Can RL on 7 by 7 boards start from imitation of easier, 6 by 6 boards?",
    base: { environment: { rows: 7, columns: 7 } },
    conditions: [
      { name: "from-easy", about: "weights cloned on 6 by 6 boards" },
      { name: "from-hard", about: "weights cloned on 7 by 7 boards", set: CLONED },
    ],
  },
  {
    name: "hybrid",
    title: "Hybrids of turn-aware credit",
    asks: "Is it the turn's advantage or the turn's ratio that helps?",
    conditions: [
      { name: "turn-ratio", about: "one ratio per turn", method: { ratio: "turn-product" } },
      { name: "token-ratio", about: "one ratio per token", method: { ratio: "token" } },
    ],
    note: "Turn-PPO with a ratio per token, and token-PPO with a ratio per turn, are the two hybrids.",
  },
];
