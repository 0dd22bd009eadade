/**
 * The paper's ablations in miniature: starting from the settings that an equal search chose for
 * each method, one thing changes at a time. The middle condition of most is the searched setting
 * itself.
 */
import { recipeOf, type Study } from "./study.ts";
import {
  criticAt,
  FEW_TURNS,
  MANY_TURNS,
  SEPARATE_CRITIC,
  TOKEN_RATIO,
  TURN_RATIO,
} from "./conditions.ts";

const SEARCHED = { name: "searched", about: "as searched" } as const;

const tasks = (tasksPerIteration: number, groupSize: number) => ({
  optimisation: { tasksPerIteration, groupSize, grouping: "all" as const },
});

export const ablations: readonly Study[] = [
  {
    name: "rates",
    title: "Rates of critic and actor",
    asks: "How much faster than the actor should the critic learn?",
    base: SEPARATE_CRITIC,
    conditions: [
      { name: "equal", about: "the same rate", with: criticAt(1) },
      { name: "three", about: "3 times the actor's rate", with: criticAt(3) },
      { name: "ten", about: "10 times the actor's rate, verl's default", with: criticAt(10) },
    ],
    note: "The critic is a network of its own, as in the paper. In the searched settings it is a head on the actor's layers, where its rate moves that head only.",
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
      TOKEN_RATIO,
      TURN_RATIO,
      {
        name: "mean",
        about: "one ratio per turn, its tokens' geometric mean",
        method: { ratio: "turn-geomean" },
      },
    ],
  },
  {
    name: "turns",
    title: "Horizon",
    asks: "What do more turns for the same actions do to each method?",
    conditions: [FEW_TURNS, { name: "five", about: "5 turns of up to 2, as searched" }, MANY_TURNS],
    note: "All act 10 times at most. The settings were searched for 5 turns; for 3 and 10 the weights are cloned anew, until they solve about as much.",
  },
  {
    name: "divisor",
    title: "GRPO's divisor",
    asks: "What does GRPO learn from groups in which no rollout solved the task?",
    methods: { grpo: recipeOf("grpo") },
    conditions: [
      { name: "divided", about: "divided by the group's std, as searched" },
      { name: "plain", about: "not divided", method: { std: "none" } },
      {
        name: "free",
        about: "divided; actions cost nothing",
        set: { environment: { stepCost: 0 } },
      },
    ],
    note: "The rollouts of such a group differ only by what actions and invalid answers cost. Where actions are free, invalid answers still cost 0.1.",
  },
];
