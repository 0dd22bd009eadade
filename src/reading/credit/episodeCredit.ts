/** What a method credits one episode of an iteration, turn by turn and token by token. */
import { creditOf } from "./rowCredit.ts";
import { howOf, ownRow } from "./rows.ts";
import type { Episodes } from "./batch.ts";
import type { RunLog } from "../log/runLog.ts";

/** An episode among those of its iteration, by the method that played it. */
export interface CreditPlace {
  algorithm: string;
  iteration: number;
  episodes: Episodes;
  episode: number;
}

interface EpisodeCredit {
  turns: number[];
  /** By turn, then by token. */
  tokens: number[][];
}

/** With the run's own settings of the method, else its usual ones; null where a number is missing. */
export function episodeCredit(
  log: RunLog,
  name: string,
  { algorithm, iteration, episodes, episode }: CreditPlace,
): EpisodeCredit | null {
  const row = ownRow(log, name, iteration);
  const tried = row.config && creditOf(row.config, episodes, howOf(row, algorithm));
  if (!tried?.ok) return null;
  const { batch, credit } = tried.ok;
  const { turnStart, tokenStart } = batch;
  const [first, end] = [turnStart[episode]!, turnStart[episode + 1]!];
  const places = Array.from({ length: end - first }, (_, h) => first + h);
  const turns = places.map((k) => credit.turnAdvantage[k]!);
  if (!turns.every(Number.isFinite)) return null;
  const tokens = places.map((k) => [
    ...credit.tokenAdvantage.subarray(tokenStart[k]!, tokenStart[k + 1]!),
  ]);
  return { turns, tokens };
}
