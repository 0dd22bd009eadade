/** The two baseline policies for an expert and a model. */
import { availableOf } from "./clickables.ts";
import { Draws } from "./draws.ts";
import type { WebShopEnv } from "./webshopEnv.ts";

/** The action to take in the environment's state. */
export type Policy = (env: WebShopEnv) => string;

/** A random listed click, or on the search page a search for a word of the instruction. */
export function randomPolicy(seed: number, episode: number): Policy {
  const draws = new Draws({
    seed,
    stream: "webshop-random",
    iteration: episode,
    trajectory: 0,
    step: 0,
  });
  return ({ nodes, goal }) => {
    const { has_search_bar, clickables } = availableOf(nodes);
    if (has_search_bar) return `search[${draws.choice(goal.instruction.split(" "))}]`;
    return `click[${draws.choice(clickables)}]`;
  };
}

/** Searches for the whole instruction and buys the first product found, without options. */
export const buyFirst: Policy = ({ page, nodes, goal }) => {
  if (page.kind === "search") return `search[${goal.instruction}]`;
  if (page.kind === "item") return "click[buy now]";
  const first = nodes.find(({ role }) => role === "product");
  return first?.role === "product" ? `click[${first.text}]` : "click[back to search]";
};

/** Plays the goal to its end. Returns the reward and whether everything was right. */
export function playGoal(
  env: WebShopEnv,
  goal: number,
  policy: Policy,
): { reward: number; success: boolean; turns: number } {
  env.resetGoal(goal);
  for (let turns = 1; ; turns++) {
    const { terminated, truncated, info } = env.step(policy(env));
    if (terminated || truncated) return { reward: info.envReward, success: info.success, turns };
  }
}
