/** What a clip cut, where files do not say it and it follows from what they say. */
import type { ClipRule } from "../../method/clip/clipRule.ts";
import { clips } from "../../method/clip/clips.ts";
import { policyLoss } from "../../method/objective/policyLoss.ts";
import { broadcast, offsets } from "../../numeric/segments.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ForeignEpisode } from "./foreign.ts";

/** From log-probs before and after, advantages, and the clip it trained with; null where one is missing, or is not the episode's alone. */
export function withClips(episode: ForeignEpisode, config: AlgorithmConfig): ForeignEpisode | null {
  const { scalesRange, picks }: ClipRule = clips[config.clip];
  if (config.ratio === "none" || scalesRange || picks) return null;
  const start = offsets(episode.turns.map(({ tokens }) => tokens.length)); // [H+1]
  const tokens = episode.turns.flatMap((turn) =>
    turn.tokens.map((token) => ({ ...token, advantage: token.advantage ?? turn.advantage })),
  );
  const column = (name: "logprob" | "oldLogprob" | "advantage") =>
    Float64Array.from(tokens, (token) => token[name] ?? NaN); // [N]
  const columns = [column("logprob"), column("oldLogprob"), column("advantage")] as const;
  const isSaid = tokens.some(({ clipped }) => clipped !== undefined);
  if (tokens.length === 0 || isSaid || columns.some((one) => one.some(Number.isNaN))) return null;
  const [logprob, oldLogprob, adv] = columns;
  const { clipped, unit } = policyLoss({
    ...{ logprob, oldLogprob, adv, level: config.ratio, clip: config },
    weight: new Float64Array(tokens.length).fill(1), // [N]
    offsets: { turn: start, trajectory: Int32Array.of(0, tokens.length) },
  });
  const cut = broadcast(Float64Array.from(clipped), unit); // [N]
  return {
    ...episode,
    turns: episode.turns.map((turn, h) => ({
      ...turn,
      clipped: turn.clipped ?? cut.subarray(start[h], start[h + 1]).includes(1),
      tokens: turn.tokens.map((token, t) => ({ ...token, clipped: cut[start[h]! + t] === 1 })),
    })),
  };
}
