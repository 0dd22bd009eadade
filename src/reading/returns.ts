/** The returns that followed the turns of an episode. */
import { paid } from "../algorithm/recordedBatch.ts";
import { returnsToGo } from "../method/credit/returnsToGo.ts";
import type { EpisodeRecord, TurnRecord } from "../record/runEvent.ts";
import type { Critic } from "./critics.ts";

/**
 * Training's rewards from each turn on, discounted in a critic's own steps: per turn, or per token
 * with a turn's reward at its last one. `amount`: another amount for each turn. [T]
 */
export function returnsThatCame(
  { turns }: Pick<EpisodeRecord, "turns">,
  { steps, gamma }: Pick<Critic, "steps" | "gamma">,
  amount: (turn: TurnRecord) => number = paid,
): number[] {
  let end = 0;
  const ends = turns.map(
    ({ tokens }) => (end += steps === "token" ? Math.max(1, tokens.length) : 1),
  ); // [T]
  const reward = new Float64Array(end); // [S]
  turns.forEach((turn, h) => (reward[ends[h]! - 1] = amount(turn)));
  const returns = returnsToGo(reward, Int32Array.of(0, end), gamma); // [S]
  return turns.map((_, h) => returns[ends[h - 1] ?? 0]!);
}
