/** What a clip cut, where files do not say it and it follows from what they say. */
import type { ClipRule } from "../../method/clip/clipRule.ts";
import { clips } from "../../method/clip/clips.ts";
import { policyLoss } from "../../method/objective/policyLoss.ts";
import { broadcast, offsets } from "../../numeric/segments.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ForeignEpisode } from "./foreign.ts";

/**
 * From log-probs before and after, advantages, and the clip it trained with; null where one is missing, or what was cut
 * depends on other episodes. 1 where the token's ratio was clipped. [N]
 */
export function cutTokens({ turns }: ForeignEpisode, config: AlgorithmConfig): Float64Array | null {
  const { scalesRange, picks }: ClipRule = clips[config.clip];
  if (config.ratio === "none" || config.own || scalesRange || picks) return null;
  const tokens = turns.flatMap((turn) =>
    turn.tokens.map((token) => ({ ...token, advantage: token.advantage ?? turn.advantage })),
  );
  const column = (name: "logprob" | "oldLogprob" | "advantage") =>
    Float64Array.from(tokens, (token) => token[name] ?? NaN); // [N]
  const columns = [column("logprob"), column("oldLogprob"), column("advantage")] as const;
  const isSaid = tokens.some(({ clipped }) => clipped !== undefined);
  if (tokens.length === 0 || isSaid || columns.some((one) => one.some(Number.isNaN))) return null;
  const [logprob, oldLogprob, adv] = columns;
  const { clipped, unit } = policyLoss({
    logprob,
    oldLogprob,
    adv,
    level: config.ratio,
    clip: config,
    weight: new Float64Array(tokens.length).fill(1), // [N]
    offsets: {
      turn: offsets(turns.map((turn) => turn.tokens.length)),
      trajectory: Int32Array.of(0, tokens.length),
    },
  });
  return broadcast(Float64Array.from(clipped), unit);
}

/** A turn is clipped where one of its tokens is; cut [N] */
export function withClippedTurns(episode: ForeignEpisode, cut: Float64Array): ForeignEpisode {
  let to = 0;
  const turns = episode.turns.map((turn) => {
    const own = cut.subarray(to, (to += turn.tokens.length));
    return own.length === 0 ? turn : { ...turn, clipped: turn.clipped ?? own.includes(1) };
  });
  return { ...episode, turns };
}
