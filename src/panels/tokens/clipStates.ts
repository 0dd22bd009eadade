/** The effect of the objective's clip on each token of an episode, at the level where it applies: token, turn or episode. */
import { bandOf } from "../../method/clip/band.ts";
import { clips } from "../../method/clip/clips.ts";
import { policyLoss } from "../../method/objective/policyLoss.ts";
import type { EpisodeRecord, TurnRecord } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { isDual } from "../../reading/dual.ts";
import type { RecordedToken } from "./recordedToken.ts";
import type { words } from "./words.ts";

export type ClipState = keyof typeof words.clip;

/** The fields of a token needed for a clip. */
type ClippedToken = Pick<
  RecordedToken,
  "turn" | "oldLogprob" | "logprob" | "advantage" | "clipped"
>;

/** One for each of some of the episode's tokens. config null: no clip is known. [N] */
export function clipStates(
  tokens: readonly ClippedToken[],
  { turns }: EpisodeRecord,
  config: AlgorithmConfig | null,
): ClipState[] {
  const ofLevel = config ? stateOf(tokens, turns, config) : () => "unknown" as const;
  return tokens.map(({ clipped }, n) => {
    if (clipped !== null) return clipped ? "fileCut" : "fileKept";
    return ofLevel(n);
  });
}

function stateOf(
  tokens: readonly ClippedToken[],
  turns: readonly TurnRecord[],
  config: AlgorithmConfig,
): (n: number) => ClipState {
  const { level } = bandOf(config);
  if (level === "none") return () => "unknown";
  if (level === "token") return ownStates(tokens, config);
  const states = new Map<number, ClipState>();
  for (const { turn } of tokens)
    if (!states.has(turn)) states.set(turn, sharedState(turns[turn]!, config, level));
  return (n) => states.get(tokens[n]!.turn)!;
}

/** For a turn or an episode that is clipped or kept as a whole. */
function sharedState(
  turn: TurnRecord,
  config: AlgorithmConfig,
  level: "turn" | "episode",
): ClipState {
  if (turn.clipped === null) return "noData";
  if (!turn.clipped) return level;
  return isDual(turn, config) ? `${level}Dual` : `${level}Cut`;
}

/** For tokens clipped individually: computed by the policy loss itself. */
function ownStates(
  tokens: readonly ClippedToken[],
  config: AlgorithmConfig,
): (n: number) => ClipState {
  // The clip range of each turn is unknown.
  if (clips[config.clip].scalesRange) return () => "unknown";
  const column = (of: (token: ClippedToken) => number | null) =>
    Float64Array.from(tokens, (token) => of(token) ?? NaN);
  const whole = Int32Array.of(0, tokens.length);
  const { clipped, clippedLower } = policyLoss({
    logprob: column(({ logprob }) => logprob), // [N]
    oldLogprob: column(({ oldLogprob }) => oldLogprob), // [N]
    adv: column(({ advantage }) => advantage), // [N]
    weight: new Float64Array(tokens.length).fill(1), // [N]
    offsets: { trajectory: whole, turn: whole },
    level: config.ratio,
    clip: config,
  });
  return (n) => {
    if (!isKnown(tokens[n]!)) return "unknown";
    if (clippedLower[n]) return "dual";
    if (!clipped[n]) return "kept";
    return clips[config.clip].weighsTokens ? "held" : "cut";
  };
}

function isKnown({ logprob, oldLogprob, advantage }: ClippedToken): boolean {
  return logprob !== null && oldLogprob !== null && advantage !== null;
}

const CUT: readonly ClipState[] = [
  ...(["cut", "dual", "held", "fileCut"] as const),
  ...(["turnCut", "turnDual", "episodeCut", "episodeDual"] as const),
];
const KEPT: readonly ClipState[] = ["kept", "fileKept", "turn", "episode"];

/** 1 if a token was clipped at A > 0, -1 at A < 0, 0 if not; null if unknown. */
export function cutSide(state: ClipState, advantage: number | null): number | null {
  if (KEPT.includes(state)) return 0;
  if (!CUT.includes(state)) return null;
  return advantage === null ? null : Math.sign(advantage);
}
