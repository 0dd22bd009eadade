/** Tokens as the panel shows them: numbers cleaned, whitespace visible. */
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord, TokenRecord, TurnRecord } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { runConfig } from "../../reading/runConfig.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { words, type Measure } from "./words.ts";
import { bandOf } from "../../method/clip/band.ts";
import type { ClipRule } from "../../method/clip/clipRule.ts";
import { clips } from "../../method/clip/clips.ts";
import { policyLoss } from "../../method/objective/policyLoss.ts";
import { isDual } from "../../reading/dual.ts";

/** With values derived from its neighbour and the objective's clip. */
export interface ShownToken extends RecordedToken {
  /** V before the next token minus V before this one. */
  valueChange: number | null;
  /** The effect of the objective's clip on it. */
  clip: ClipState;
  /** 1 if the token was clipped at A > 0, -1 at A < 0, 0 if not. */
  cut: number | null;
  /** Its credit by another method, if one was chosen. */
  other?: number | null;
}

/** The algorithm whose critic has a value for each token; null if there is none. */
export function tokenCritic(
  spec: ExperimentSpec | undefined,
  algorithm: string,
  { turns }: EpisodeRecord,
): string | null {
  const own = turns.some(({ tokens }) => tokens.some(({ value }) => finite(value) !== null));
  if (own) return algorithm;
  const valued = turns.find(({ tokens, critics }) => tokens.length > 1 && critics);
  if (!valued) return null;
  const ofTokens = (name: string) => {
    const config = runConfig(spec, name);
    if (config) return config.critic === "token";
    const values: unknown = valued.critics?.[name];
    return Array.isArray(values) && values.length === valued.tokens.length;
  };
  return Object.keys(valued.critics ?? {}).find(ofTokens) ?? null;
}

/** Tokens between two yields: other programs' files have episodes of many thousands. */
const SLICE = 500;

/** All tokens of the episode, turn after turn; critic: whose token values are known. */
export function* shownTokens(
  { turns }: EpisodeRecord,
  critic: string | null,
): Sliced<RecordedToken[]> {
  const tokens: RecordedToken[] = [];
  for (const [h, turn] of turns.entries()) {
    for (const [t, token] of turn.tokens.entries()) {
      if (tokens.length % SLICE === SLICE - 1) yield;
      tokens.push({
        turn: h,
        token: t,
        id: token.id,
        text: visibleToken(token.text),
        breaks: token.text.includes("\n"),
        ...numbersOf(token),
        value: finite(token.value) ?? criticValue(turn, t, critic),
      });
    }
  }
  return tokens;
}

/** Adds values derived from a token's neighbour and the objective's clip; config null: no clip is known. */
export function* withChanges(
  tokens: readonly RecordedToken[],
  episode: EpisodeRecord,
  config: AlgorithmConfig | null,
): Sliced<ShownToken[]> {
  const shown: ShownToken[] = [];
  for (let from = 0; from < tokens.length; from += SLICE) {
    const part = tokens.slice(from, from + SLICE);
    const states = clipStates(part, episode, config);
    part.forEach((token, i) => {
      const [now, next] = [token.value, tokens[from + i + 1]?.value ?? null];
      const valueChange = now === null || next === null ? null : next - now;
      const clip = states[i]!;
      shown.push({ ...token, valueChange, clip, cut: cutSide(clip, token.advantage) });
    });
    yield;
  }
  return shown;
}

function numbersOf(token: TokenRecord) {
  const [oldLogprob, logprob] = [finite(token.oldLogprob), finite(token.logprob)];
  return {
    oldLogprob,
    logprob,
    logRatio: oldLogprob === null || logprob === null ? null : logprob - oldLogprob,
    entropy: finite(token.entropy),
    advantage: finite(token.advantage),
    clipped: typeof token.clipped === "boolean" ? token.clipped : null,
  };
}

function criticValue({ critics }: TurnRecord, t: number, critic: string | null): number | null {
  const values: unknown = critic === null ? null : critics?.[critic];
  return Array.isArray(values) ? finite(values[t]) : null;
}

const SIGNS: Record<string, string> = { " ": "·", "\n": "↵", "\t": "⇥", "\r": "␍" };

/** Whitespace as visible signs; a token without text is the sign of the empty set. */
export function visibleToken(text: string): string {
  return text === "" ? words.emptyToken : text.replaceAll(/[ \n\t\r]/g, (sign) => SIGNS[sign]!);
}

/**
 * The number that colours a token; a ratio by its logarithm, so that twice and half have equal
 * weight.
 */
export function measured(token: ShownToken, measure: Measure): number | null {
  if (measure === "ratio") return token.logRatio;
  return measure === "logprob" ? token.oldLogprob : (token[measure] ?? null);
}

// The effect of the objective's clip on each token of an episode, at the level where it applies: token, turn or episode.

type ClipState = keyof typeof words.clip;

/** The fields of a token needed for a clip. */
type ClippedToken = Pick<
  RecordedToken,
  "turn" | "oldLogprob" | "logprob" | "advantage" | "clipped"
>;

/** One for each of some of the episode's tokens. config null: no clip is known. [N] */
function clipStates(
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
  // The clip range of each turn is unknown, and so are the other units of the minibatch.
  const { scalesRange, picks }: ClipRule = clips[config.clip];
  if (scalesRange || picks || config.own) return () => "unknown";
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
function cutSide(state: ClipState, advantage: number | null): number | null {
  if (KEPT.includes(state)) return 0;
  if (!CUT.includes(state)) return null;
  return advantage === null ? null : Math.sign(advantage);
}

// A token in a log.

/** Numbers of one token that are missing or not finite are null. */
interface RecordedToken {
  turn: number;
  /** Index within the turn. */
  token: number;
  id: number;
  /** With visible whitespace. */
  text: string;
  /** Whether a line ends in it. */
  breaks: boolean;
  oldLogprob: number | null;
  logprob: number | null;
  logRatio: number | null;
  entropy: number | null;
  advantage: number | null;
  value: number | null;
  /** Whether it was clipped, if a file has this for single tokens; null if not. */
  clipped: boolean | null;
}
