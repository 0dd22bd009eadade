/** Whether a log's recorded responses were truncated, if its metrics count those at the token limit. */
import type { Finding } from "../record/runEvent.ts";
import { isRefuted } from "../train/doctor/cutOff.ts";
import type { RunLog } from "./log/runLog.ts";

/** Maximum tokens of a response; undefined if the log does not have it. */
export function tokenLimit(log: RunLog): number | undefined {
  return log.start?.spec?.sampling?.maxTokensPerTurn;
}

/** The run's own findings without those that its recorded responses refute: before revision 2 a run judged by length alone. */
export function soundFindings(log: RunLog): readonly Finding[] {
  return log.findings.filter(({ algorithm, iteration, evidence }) => {
    const episodes = () => log.peekEpisodes(algorithm, iteration) ?? [];
    return !isRefuted(evidence, episodes, tokenLimit(log));
  });
}
