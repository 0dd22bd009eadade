/**
 * Random draws of a state's continuations: the same ones for a state under one policy, whether its
 * truth is asked or a fork from it, and whatever else is asked with it. A question for fewer
 * continuations gets the first of them.
 */
import { streamHash } from "../../numeric/rng.ts";
import { stateKey, type Player, type State } from "../../train/oracle/branches.ts";
import { MOST_BRANCHES } from "../questions.ts";

/**
 * Number of the first draw: the state's hash, with room for the maximum number of continuations.
 */
export function firstDrawFor({ context }: Pick<Player, "context">): (state: State) => number {
  return (state) => {
    const hash = streamHash(encodeURIComponent(stateKey(state, context)));
    return hash - (hash % MOST_BRANCHES);
  };
}
