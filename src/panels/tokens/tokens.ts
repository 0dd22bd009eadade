/** Tokens as the panel shows them: numbers made good, whitespace made visible. */
import { finite } from "../../numeric/finite.ts";
import type { EpisodeRecord, TokenRecord, TurnRecord } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { runConfig } from "../ribbon/runConfig.ts";
import { words, type Measure } from "./words.ts";

/** Numbers that are not there, or are not finite, are null. */
export interface ShownToken {
  turn: number;
  /** Within the turn. */
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
  /** Whether the objective cut it, as a file tells of single tokens; null where it does not. */
  clipped: boolean | null;
  /** V before the next token less V before this one. */
  valueChange: number | null;
  /** 1 where the clip cut the token at A > 0, -1 at A < 0, 0 where it did not. */
  cut: number | null;
}

/** The algorithm whose critic has valued each token; null where there is none. */
export function tokenCritic(
  spec: ExperimentSpec | undefined,
  algorithm: string,
  { turns }: EpisodeRecord,
): string | null {
  const valued = turns.some(({ tokens }) => tokens.some(({ value }) => finite(value) !== null));
  if (valued) return algorithm;
  const told = turns.find(({ tokens, critics }) => tokens.length > 1 && critics);
  if (!told) return null;
  const ofTokens = (name: string) => {
    const config = runConfig(spec, name);
    if (config) return config.critic === "token";
    const values: unknown = told.critics?.[name];
    return Array.isArray(values) && values.length === told.tokens.length;
  };
  return Object.keys(told.critics ?? {}).find(ofTokens) ?? null;
}

/** All tokens of the episode, turn after turn; critic: whose values of tokens are told. */
export function shownTokens({ turns }: EpisodeRecord, critic: string | null): ShownToken[] {
  return turns.flatMap((turn, h) =>
    turn.tokens.map((token, t) => ({
      ...{ turn: h, token: t, id: token.id, text: visible(token.text) },
      breaks: token.text.includes("\n"),
      ...numbersOf(token),
      value: finite(token.value) ?? told(turn, t, critic),
      ...{ valueChange: null, cut: null },
    })),
  );
}

/** With what comes of a token's neighbour and of the objective's clip; config null: no clip is known. */
export function withChanges(
  tokens: readonly ShownToken[],
  { turns }: EpisodeRecord,
  config: AlgorithmConfig | null,
): ShownToken[] {
  return tokens.map((token, i) => {
    const [now, next] = [token.value, tokens[i + 1]?.value ?? null];
    const valueChange = now === null || next === null ? null : next - now;
    return { ...token, valueChange, cut: cutOf(token, turns[token.turn]!, config) };
  });
}

const CUT: readonly ClipState[] = ["cut", "turnCut", "fileCut"];
const UNCUT: readonly ClipState[] = ["kept", "turn", "fileKept"];

function cutOf(token: ShownToken, turn: TurnRecord, config: AlgorithmConfig | null): number | null {
  const state = clipState(config, token, turn.clipped);
  if (UNCUT.includes(state)) return 0;
  if (!CUT.includes(state)) return null;
  return token.advantage === null ? null : Math.sign(token.advantage);
}

function numbersOf(token: TokenRecord) {
  const [oldLogprob, logprob] = [finite(token.oldLogprob), finite(token.logprob)];
  return {
    ...{ oldLogprob, logprob },
    logRatio: oldLogprob === null || logprob === null ? null : logprob - oldLogprob,
    entropy: finite(token.entropy),
    advantage: finite(token.advantage),
    clipped: typeof token.clipped === "boolean" ? token.clipped : null,
  };
}

function told({ critics }: TurnRecord, t: number, critic: string | null): number | null {
  const values: unknown = critic === null ? null : critics?.[critic];
  return Array.isArray(values) ? finite(values[t]) : null;
}

const SIGNS: Record<string, string> = { " ": "·", "\n": "↵", "\t": "⇥", "\r": "␍" };

/** Whitespace as signs; a token without text is the sign of the empty set. */
export function visible(text: string): string {
  return text === "" ? words.emptyToken : text.replaceAll(/[ \n\t\r]/g, (sign) => SIGNS[sign]!);
}

/** What a token is coloured by; a ratio by its logarithm, so that twice and half weigh the same. */
export function measured(token: ShownToken, measure: Measure): number | null {
  if (measure === "ratio") return token.logRatio;
  return measure === "logprob" ? token.oldLogprob : token[measure];
}

export type ClipState = keyof typeof words.clip;

/** Whether PPO's clip cuts a token's gradient: beyond the range on the side that its advantage pulls to. */
export function clipState(
  config: AlgorithmConfig | null,
  { logRatio, advantage, clipped }: ShownToken,
  turnClipped: boolean | null,
): ClipState {
  if (clipped !== null) return clipped ? "fileCut" : "fileKept";
  if (!config || config.ratio === "none") return "unknown";
  if (config.ratio !== "token" && turnClipped === null) return "untold";
  if (config.ratio !== "token") return turnClipped ? "turnCut" : "turn";
  if (config.clip !== "range" || logRatio === null || advantage === null) return "unknown";
  const ratio = Math.exp(logRatio);
  const isCut = advantage > 0 ? ratio > 1 + config.epsHigh : ratio < 1 - config.epsLow;
  return isCut && advantage !== 0 ? "cut" : "kept";
}
