/** Which tokens were clipped in training, from the log's own log-probs and advantages. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import type { Episodes } from "../../reading/credit/batch.ts";
import { tokenStarts } from "./cells.ts";
import { creditOf, objectiveOf, type RowRequest } from "../../reading/credit/rowCredit.ts";
import { recordedAdvantages } from "../../reading/credit/training.ts";

/**
 * 1 if the token was clipped at its last use. null if the log lacks the numbers, or if they
 * contradict its clip data of turns. config: the method's own settings; `of`: the credit that
 * supplies everything but the advantages. [N_b]
 */
export function trainedCuts(
  config: AlgorithmConfig,
  of: RowRequest & { episodes: Episodes },
  episode: number,
): Uint8Array | null {
  const { config: credited, episodes, ...how } = of;
  const record = episodes[episode]!;
  if (config.ratio === "none" || !hasNumbers(record)) return null;
  const row = creditOf(credited, episodes, how);
  if (!row.ok) return null;
  const { turn, token } = recordedAdvantages(episodes);
  const credit = { ...row.ok.credit, turnAdvantage: turn, tokenAdvantage: token };
  const cuts = objectiveOf(config, { ...row.ok, credit }, episode).ok?.tokenClipped;
  return cuts && agrees(record, cuts) ? cuts : null;
}

function hasNumbers({ turns }: EpisodeRecord): boolean {
  const numbers = turns.flatMap(({ tokens, advantage }) => [
    advantage,
    ...tokens.flatMap((token) => [token.logprob, token.oldLogprob, token.advantage]),
  ]);
  return numbers.every(Number.isFinite) && turns.some(({ tokens }) => tokens.length > 0);
}

/** Whether a turn has a clipped token exactly if the log marks it as clipped. */
function agrees(record: EpisodeRecord, cuts: Uint8Array): boolean {
  const starts = tokenStarts(record);
  return record.turns.every(
    ({ clipped }, h) => clipped === cuts.subarray(starts[h], starts[h + 1]).includes(1),
  );
}
