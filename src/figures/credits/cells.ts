/** The numbers of one row's cells: advantage, ratio or clipped share, at any granularity. */
import { exp } from "../../numeric/deterministic.ts";
import { mean } from "../../numeric/statistics.ts";
import { LOG_RATIO_LIMIT } from "../../method/objective/ratio.ts";
import type { EpisodeRecord, TokenRecord, TurnRecord } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { CreditColumn, Quantity } from "./columns.ts";
import type { EpisodeObjective } from "../../reading/credit/rowCredit.ts";
import type { RowCredit } from "../../reading/credit/rowTypes.ts";

/** The number of a column: NaN is shown as such, null if the row has no such number. */
export type Reader = (column: CreditColumn) => number | null;

/** Advantages as they enter the loss; for an episode the mean over its tokens (over turns, if it has none). */
export function readAdvantage({ batch, credit }: RowCredit, episode: number): Reader {
  const { turnStart, tokenStart } = batch;
  const [from, to] = [turnStart[episode]!, turnStart[episode + 1]!];
  return ({ turn, token }) => {
    if (turn === null) {
      const tokens = credit.tokenAdvantage.subarray(tokenStart[from], tokenStart[to]);
      return mean(tokens.length > 0 ? tokens : credit.turnAdvantage.subarray(from, to));
    }
    const k = from + turn;
    return token === null
      ? credit.turnAdvantage[k]!
      : credit.tokenAdvantage[tokenStart[k]! + token]!;
  };
}

/**
 * Ratios: for a turn or an episode the product of its tokens', or their geometric mean if the row
 * pools them so. null if the row has no ratio.
 */
export function readRatio(
  config: AlgorithmConfig,
  record: EpisodeRecord,
  { tokenRatio, turnRatio }: EpisodeObjective,
): Reader {
  const starts = tokenStarts(record);
  if (config.ratio === "none") return () => null;
  return ({ turn, token }) => {
    if (turn === null) return pooled(record.turns, config.ratio === "sequence-geomean");
    return token === null ? turnRatio[turn]! : tokenRatio[starts[turn]! + token]!;
  };
}

/** Share of the tokens that were clipped; null if the row has no clip. */
export function readClip(
  config: AlgorithmConfig,
  record: EpisodeRecord,
  { tokenClipped }: Pick<EpisodeObjective, "tokenClipped">,
): Reader {
  const starts = tokenStarts(record);
  if (config.ratio === "none") return () => null;
  return ({ turn, token }) => {
    if (turn === null) return mean(tokenClipped);
    const own = tokenClipped.subarray(starts[turn], starts[turn + 1]);
    return token === null ? mean(own) : own[token]!;
  };
}

/** Data about the training that used an episode. */
export interface TrainedUse {
  record: EpisodeRecord;
  /** The method's own settings; null if unknown. */
  config: AlgorithmConfig | null;
  /** Which tokens were clipped; null if the log has this for turns at most. [N_b] */
  cuts: Uint8Array | null;
}

/**
 * Training's own numbers for the episode, from the log; a null there was not finite. null if the
 * method has no such number, or if interpreting it needs settings that are unknown.
 */
export function readTrained(training: TrainedUse, quantity: Quantity): Reader {
  const { record, config, cuts } = training;
  if (quantity === "advantage") return (column) => trainedAdvantage(record, column);
  if (quantity === "ratio") return (column) => trainedRatio(training, column);
  if (config?.ratio === "none") return () => null;
  if (config && cuts) return readClip(config, record, { tokenClipped: cuts });
  return ({ turn, token }) => (token === null ? cutAtAll(record, turn) : null);
}

/** 1 if any of the turn or of the episode was clipped, 0 if not, NaN if the log does not have it. */
function cutAtAll({ turns }: EpisodeRecord, turn: number | null): number {
  const flags = (turn === null ? turns : [turns[turn]!]).map(({ clipped }) => clipped);
  if (flags.includes(true)) return 1;
  return flags.every((clipped) => clipped === false) ? 0 : NaN;
}

function trainedAdvantage({ turns }: EpisodeRecord, { turn, token }: CreditColumn): number {
  if (turn === null) {
    const tokens = turns.flatMap((one) => one.tokens.map(({ advantage }) => advantage));
    return mean((tokens.length > 0 ? tokens : turns.map((one) => one.advantage)).map(orNaN));
  }
  return orNaN(token === null ? turns[turn]!.advantage : turns[turn]!.tokens[token]!.advantage);
}

function trainedRatio(
  { record: { turns }, config }: TrainedUse,
  { turn, token }: CreditColumn,
): number | null {
  if (turn === null) {
    // How it pools its tokens' ratios is one of its settings.
    if (config === null || config.ratio === "none") return null;
    return pooled(turns, config.ratio === "sequence-geomean");
  }
  if (token === null) return orNaN(turns[turn]!.ratio);
  return exp(logRatio(turns[turn]!.tokens[token]!));
}

export function orNaN(x: number | null | undefined): number {
  return x ?? NaN;
}

type ScoredToken = Pick<TokenRecord, "logprob" | "oldLogprob">;

function logRatio(token: ScoredToken): number {
  return clamp(plainLogRatio(token));
}

function plainLogRatio({ logprob, oldLogprob }: ScoredToken): number {
  return orNaN(logprob) - orNaN(oldLogprob);
}

function pooled(turns: readonly TurnRecord[], geometric: boolean): number {
  // A mean takes its tokens as they are, a product within their limit: see method/objective/ratio.ts.
  const all = turns.flatMap((turn) => turn.tokens.map(geometric ? plainLogRatio : logRatio));
  if (all.length === 0) return NaN;
  return exp(clamp(all.reduce((sum, d) => sum + d, 0) / (geometric ? all.length : 1)));
}

function clamp(x: number): number {
  return Math.min(LOG_RATIO_LIMIT, Math.max(-LOG_RATIO_LIMIT, x));
}

/** Offset of each turn's tokens in the episode. [K_b+1] */
export function tokenStarts({ turns }: EpisodeRecord): number[] {
  const starts = [0];
  for (const { tokens } of turns) starts.push(starts.at(-1)! + tokens.length);
  return starts;
}
