/** Tokens as the panel shows them: numbers cleaned, whitespace visible. */
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord, TokenRecord, TurnRecord } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { runConfig } from "../../reading/runConfig.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { clipStates, cutSide, type ClipState } from "./clipStates.ts";
import type { RecordedToken } from "./recordedToken.ts";
import { words, type Measure } from "./words.ts";

/** With values derived from its neighbour and the objective's clip. */
export interface ShownToken extends RecordedToken {
  /** V before the next token minus V before this one. */
  valueChange: number | null;
  /** The effect of the objective's clip on it. */
  clip: ClipState;
  /** 1 if the token was clipped at A > 0, -1 at A < 0, 0 if not. */
  cut: number | null;
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
  return measure === "logprob" ? token.oldLogprob : token[measure];
}
