/** A run as plain columns, for code cells: data alone, one row per iteration, episode, turn or token. */
import type { EpisodeRecord } from "../record/runEvent.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import type { MetricSource, RunLog } from "./log/runLog.ts";

/** Columns of equal length. */
type TableColumns = Record<string, readonly (number | string | boolean | null)[]>;

interface RunColumns {
  spec: ExperimentSpec | null;
  algorithms: string[];
  /** Training metrics, by algorithm and name: `iteration` and `value`, null if not finite. */
  metrics: Record<string, Record<string, TableColumns>>;
  /** The same for held-out levels. */
  heldout: Record<string, Record<string, TableColumns>>;
  fingerprint: string;
}

/** A whole run without its episodes. */
export function runColumns(log: RunLog): RunColumns {
  const { algorithms, lastChain } = log;
  return {
    spec: log.start?.spec ?? null,
    algorithms: [...algorithms],
    metrics: seriesOf(log, "train"),
    heldout: seriesOf(log, "heldout"),
    fingerprint: lastChain,
  };
}

function seriesOf(log: RunLog, source: MetricSource): RunColumns["metrics"] {
  const metrics = log.metrics(source);
  const ofAlgorithm = (algorithm: string) => {
    const known = metrics.map((metric) => [metric, log.series(algorithm, metric, source)] as const);
    const columns = known
      .filter(([, { x }]) => x.length > 0)
      .map(([metric, { x, y }]) => [metric, { iteration: [...x], value: [...y] }] as const);
    return Object.fromEntries(columns);
  };
  return Object.fromEntries(log.algorithms.map((name) => [name, ofAlgorithm(name)]));
}

interface CellTables {
  /** One row per episode. */
  episodes: TableColumns;
  /** One row per turn; `episode` is the row of its episode. */
  turns: TableColumns;
  /** One row per token; `turn` is the row of its turn. */
  tokens: TableColumns;
}

/** Recorded episodes of an iteration: numbered consecutively, so that rows match those of the batch. */
export function episodeColumns(episodes: readonly EpisodeRecord[]): CellTables {
  const turns = episodes.flatMap(({ turns: own }, episode) =>
    own.map((turn, h) => ({ turn, episode, h })),
  );
  const tokens = turns.flatMap(({ turn }, k) => turn.tokens.map((token) => ({ token, k })));
  return {
    episodes: {
      task: episodes.map(({ task }) => task),
      seed: episodes.map(({ seed }) => seed),
      reward: episodes.map(({ reward }) => reward),
      success: episodes.map(({ success }) => success),
      terminated: episodes.map(({ terminated }) => terminated),
      turns: episodes.map((one) => one.turns.length),
    },
    turns: {
      episode: turns.map(({ episode }) => episode),
      h: turns.map(({ h }) => h + 1),
      observation: turns.map(({ turn }) => turn.observation),
      text: turns.map(({ turn }) => turn.text),
      actions: turns.map(({ turn }) => turn.actions?.join(" || ") ?? null),
      reward: turns.map(({ turn }) => turn.reward),
      value: turns.map(({ turn }) => turn.value),
      advantage: turns.map(({ turn }) => turn.advantage),
      return: turns.map(({ turn }) => turn.return),
      ratio: turns.map(({ turn }) => turn.ratio),
      clipped: turns.map(({ turn }) => turn.clipped),
    },
    tokens: {
      turn: tokens.map(({ k }) => k),
      id: tokens.map(({ token }) => token.id),
      text: tokens.map(({ token }) => token.text),
      logprob: tokens.map(({ token }) => token.logprob),
      oldLogprob: tokens.map(({ token }) => token.oldLogprob),
      entropy: tokens.map(({ token }) => token.entropy),
      advantage: tokens.map(({ token }) => token.advantage),
      value: tokens.map(({ token }) => token.value),
    },
  };
}

/** Milliseconds between checks whether an iteration has been read. */
const ASK_AGAIN = 20;

/**
 * The run's episodes, each row with its method and iteration; read iteration by iteration.
 * `withTokens`: tokens are many, so they are optional. Rejects with the signal's reason.
 */
export async function episodesOfRun(
  log: RunLog,
  withTokens: boolean,
  signal: AbortSignal,
): Promise<CellTables> {
  const parts: CellTables[] = [];
  let rows = { episodes: 0, turns: 0 };
  for (const method of log.algorithms)
    for (const iteration of log.iterationsWithEpisodes(method)) {
      const recorded = await cellEpisodes(log, method, iteration, signal);
      if (recorded.length === 0) continue;
      const all = episodeColumns(withTokens ? recorded : recorded.map(withoutTokens));
      parts.push(placed(all, { method, iteration }, rows));
      rows = {
        episodes: rows.episodes + recorded.length,
        turns: rows.turns + all.turns["h"]!.length,
      };
    }
  return {
    episodes: joined(parts.map(({ episodes }) => episodes)),
    turns: joined(parts.map(({ turns }) => turns)),
    tokens: joined(parts.map(({ tokens }) => tokens)),
  };
}

function withoutTokens(episode: EpisodeRecord): EpisodeRecord {
  return { ...episode, turns: episode.turns.map((turn) => ({ ...turn, tokens: [] })) };
}

async function cellEpisodes(
  log: RunLog,
  method: string,
  iteration: number,
  signal: AbortSignal,
): Promise<readonly EpisodeRecord[]> {
  for (;;) {
    signal.throwIfAborted();
    const episodes = log.peekEpisodes(method, iteration);
    if (episodes) return episodes;
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN));
  }
}

/** Adds each row's method and iteration, and shifts references to the combined table's rows. */
function placed(
  { episodes, turns, tokens }: CellTables,
  place: { method: string; iteration: number },
  before: { episodes: number; turns: number },
): CellTables {
  const head = (columns: TableColumns) => {
    const [first = []] = Object.values(columns);
    const at = Object.entries(place).map(
      ([name, value]) => [name, first.map(() => value)] as const,
    );
    return { ...Object.fromEntries(at), ...columns };
  };
  const shifted = (columns: TableColumns, name: string, by: number) => ({
    ...head(columns),
    [name]: columns[name]!.map((row) => Number(row) + by),
  });
  return {
    episodes: head(episodes),
    turns: shifted(turns, "episode", before.episodes),
    tokens: shifted(tokens, "turn", before.turns),
  };
}

function joined(parts: readonly TableColumns[]): TableColumns {
  const [first = {}] = parts;
  return Object.fromEntries(
    Object.keys(first).map((name) => [name, parts.flatMap((part) => part[name] ?? [])]),
  );
}
