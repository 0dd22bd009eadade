/** What a log's recorded responses say of being cut off, where its metrics count those at the token limit. */
import type { Finding } from "../record/runEvent.ts";
import { isRefuted } from "../train/doctor/cutOff.ts";
import type { RunLog } from "./log/runLog.ts";

/** Tokens that a response may have; undefined where the log does not say. */
export function tokenLimit(log: RunLog): number | undefined {
  return log.start?.spec?.sampling?.maxTokensPerTurn;
}

/** The run's own findings but those that its recorded responses refute: a run before revision 2 judged by length alone. */
export function soundFindings(log: RunLog): readonly Finding[] {
  return log.findings.filter(({ algorithm, iteration, evidence }) => {
    const episodes = () => log.peekEpisodes(algorithm, iteration) ?? [];
    return !isRefuted(evidence, episodes, tokenLimit(log));
  });
}
