/**
 * The paper's ablations in miniature: around the settings that an equal search chose for each method (preset nano-fair), one
 * thing changes at a time. The middle condition of most is the searched setting itself.
 */
import { NANO_RECIPES } from "./methodPresets.ts";
import { CLONED, type Study } from "./study.ts";

const { "turn-ppo": turnPpo, "token-ppo": tokenPpo, grpo } = NANO_RECIPES;
const RECIPES = { "turn-ppo": turnPpo!, "token-ppo": tokenPpo! };

const SEARCHED = { name: "searched", about: "as searched" } as const;

/** Every method takes its tasks once, as in the search. */
const base = { optimisation: { iterations: 50 } } as const;

const tasks = (tasksPerIteration: number, groupSize: number) => ({
  optimisation: { tasksPerIteration, groupSize, grouping: "all" as const },
});

const around: readonly Study[] = [
  {
    name: "rates",
    title: "Rates of critic and actor",
    asks: "How much faster than the actor should the critic learn?",
    conditions: [
      { name: "equal", about: "the same rate", with: { critic: { lr: 0.000606 } } },
      { ...SEARCHED, about: "11 times the actor's rate, as searched" },
      { name: "fast", about: "50 times the actor's rate", with: { critic: { lr: 0.0303 } } },
    ],
  },
  {
    name: "discount",
    title: "Discount and trace",
    asks: "How far ahead should an advantage look?",
    conditions: [
      { name: "far", about: "gamma 1, lambda 1", method: { gamma: 1, lambda: 1 } },
      { name: "middle", about: "gamma 0.99, lambda 0.9", method: { gamma: 0.99, lambda: 0.9 } },
      { name: "near", about: "gamma 0.9, lambda 0.5", method: { gamma: 0.9, lambda: 0.5 } },
    ],
    note: "Turn-PPO discounts per turn, token-PPO per token.",
  },
  {
    name: "passes",
    title: "Minibatch and epochs",
    asks: "Do many small steps learn more than a few large ones?",
    conditions: [
      {
        name: "one-pass",
        about: "one epoch of four steps",
        with: { optimisation: { minibatch: 32, epochs: 1 } },
      },
      { ...SEARCHED, about: "four epochs of one step, as searched" },
      {
        name: "many",
        about: "four epochs of four steps",
        with: { optimisation: { minibatch: 32, epochs: 4 } },
      },
    ],
  },
  {
    name: "groups",
    title: "Tasks and episodes of each",
    asks: "Many tasks once, or a few tasks often?",
    conditions: [
      { name: "once", about: "128 tasks, one episode each", set: tasks(128, 1) },
      { name: "four", about: "32 tasks, four episodes each", set: tasks(32, 4) },
      { name: "eight", about: "16 tasks, eight episodes each", set: tasks(16, 8) },
    ],
  },
  {
    name: "clip-level",
    title: "What is clipped",
    asks: "Should the clip act on tokens or on turns?",
    conditions: [
      { name: "token", about: "each token's ratio", method: { ratio: "token" } },
      { name: "turn", about: "each turn's product", method: { ratio: "turn-product" } },
      { name: "mean", about: "each turn's geometric mean", method: { ratio: "turn-geomean" } },
    ],
  },
  {
    name: "turns",
    title: "Horizon",
    asks: "What do more turns do to each method?",
    base: CLONED,
    conditions: [
      { name: "three", about: "3 turns", set: { environment: { maxTurns: 3 } } },
      { name: "five", about: "5 turns, as searched" },
      { name: "eight", about: "8 turns", set: { environment: { maxTurns: 8 } } },
    ],
    note: "All have 10 actions at most; the searched settings are those of 5 turns.",
  },
  {
    name: "divisor",
    title: "GRPO's divisor",
    asks: "What does GRPO learn from groups that no attempt has solved?",
    methods: { grpo: grpo! },
    conditions: [
      { name: "divided", about: "divided by the group's std, as searched" },
      { name: "plain", about: "not divided", method: { std: "none" } },
      {
        name: "free",
        about: "divided; actions cost nothing",
        set: { environment: { stepCost: 0 } },
      },
    ],
    note: "The attempts of such a group differ only by what actions and invalid answers cost. Where actions are free, invalid answers still cost 0.1.",
  },
];

export const ablations: readonly Study[] = around.map((study) => ({
  ...study,
  base: { ...base, ...study.base },
  methods: study.methods ?? RECIPES,
}));
