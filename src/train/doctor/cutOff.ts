/**
 * How many responses were truncated, for runs whose log has only the number that reached the token
 * limit: a response whose stop token is its last allowed token may have ended by itself. Recorded
 * episodes show which. For reading a log only: what a run reports while it trains is part of its
 * fingerprint.
 */
import type { EpisodeRecord, Metrics, RunEvent } from "../../record/runEvent.ts";
import { TURN_ENDS } from "../../text/turnEnds.ts";

const AT_LIMIT = "response_length/clip_ratio";
const CUT_OFF = "completions/clipped_ratio";
/** Above it the doctor reports a length explosion; below it the question does not matter. */
const SUSPICIOUS = 0.5;

type HasTurns = Pick<EpisodeRecord, "turns">;

/**
 * The share of truncated responses at the limit, estimated from the recorded ones. Null if the log
 * already has it or there is no reason to ask, and if no response of that length is recorded with
 * its tokens.
 * @param limit tokens of a response; undefined if unknown.
 */
function knownCutOff(
  metrics: Readonly<Metrics>,
  episodes: () => readonly HasTurns[],
  limit: number | undefined,
): number | null {
  const atLimit = metrics[AT_LIMIT];
  if (CUT_OFF in metrics || limit === undefined || !(atLimit! > SUSPICIOUS)) return null;
  const long = episodes()
    .flatMap(({ turns }) => turns)
    .filter(({ tokens }) => tokens.length > 0 && tokens.length >= limit);
  if (long.length === 0) return null;
  const cut = long.filter(({ tokens }) => !TURN_ENDS.includes(tokens.at(-1)!.text));
  return (atLimit! * cut.length) / long.length;
}

/** The metrics of an iteration with the number of truncated responses, if its episodes (read only if needed) show it. */
export function withCutOff(
  metrics: Metrics,
  episodes: () => readonly HasTurns[],
  limit: number | undefined,
): Metrics {
  const share = knownCutOff(metrics, episodes, limit);
  return share === null ? metrics : { ...metrics, [CUT_OFF]: share };
}

/** Whether a finding counted responses as truncated that had ended by themselves; `episodes`: of its iteration. */
export function isRefuted(
  evidence: readonly { metric: string; value: number | null }[],
  episodes: () => readonly HasTurns[],
  limit: number | undefined,
): boolean {
  const [first] = evidence;
  if (first?.metric !== AT_LIMIT) return false;
  const share = knownCutOff({ [AT_LIMIT]: first.value }, episodes, limit);
  return share !== null && share <= SUSPICIOUS;
}

/** A log's events as the doctor should read them. */
export function* asRead(events: Iterable<RunEvent>): Iterable<RunEvent> {
  let limit: number | undefined;
  for (const event of events) {
    if (event.type === "start") limit = event.spec?.sampling?.maxTokensPerTurn;
    if (event.type !== "iteration") yield event;
    else yield { ...event, metrics: withCutOff(event.metrics, () => event.episodes ?? [], limit) };
  }
}
