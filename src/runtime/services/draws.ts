/**
 * Which chances a state's continuations have: its own, under one policy the same ones whether its truth is asked or a
 * fork from it, and whatever else is asked along. A question for fewer continuations has the first of them.
 */
import { streamHash } from "../../numeric/rng.ts";
import { stateKey, type Player, type State } from "../../train/oracle/branches.ts";
import { MOST_BRANCHES } from "../questions.ts";

/** Number of the first: the state's hash, with room for as many as may be asked for. */
export function firstDrawFor({ context }: Pick<Player, "context">): (state: State) => number {
  return (state) => {
    const hash = streamHash(encodeURIComponent(stateKey(state, context)));
    return hash - (hash % MOST_BRANCHES);
  };
}
