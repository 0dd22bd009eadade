/** A place of a recorded run with its formulas filled in, computed in slices. */
import type { EpisodeRecord } from "../../record/runEvent.ts";
import { isFork } from "../../record/forkedEpisode.ts";
import type { Episodes } from "../../reading/credit/batch.ts";
import { reasonOf } from "../../reading/credit/reasons.ts";
import { Recent } from "../../reading/recent.ts";
import { creditOf, objectiveOf } from "../../reading/credit/rowCredit.ts";
import type { Row } from "../../reading/credit/rows.ts";
import type { TrainedIteration } from "../../reading/credit/training.ts";
import { creditsIn } from "../../reading/credit/computed.ts";
import type { Sliced } from "../../numeric/sliced.ts";
import { BatchNumbers, placeAt, type BatchPlace } from "./place.ts";
import { filledFormulas, OF_UPDATES, type FilledFormula } from "./steps.ts";
import type { UpdateFacts } from "./update.ts";
import { words } from "./words.ts";

export interface FillingWanted {
  /** Number of answers by the reader's code so far: after another one, what waited for it is tried again. */
  answered?: number;
  row: Row;
  episode: EpisodeRecord;
  episodes: Episodes;
  b: number;
  turn: number;
  token: number | null;
  /** Null for a row that was not trained on these episodes. */
  played: TrainedIteration | null;
  /** The known facts of the steps that trained it; null likewise. */
  update: UpdateFacts | null;
}

export interface Filling {
  wanted: FillingWanted;
  /** Null if there are no numbers to insert. */
  content: { place: BatchPlace; formulas: readonly FilledFormula[] } | null;
  /** The reason. */
  reason: string;
}

export function* filling(wanted: FillingWanted): Sliced<Filling> {
  const { row, episodes, b, turn, token } = wanted;
  const empty = (reason: string): Filling => ({ wanted, content: null, reason });
  if (!row.config) return empty(row.problem ?? "");
  const fresh = withFreshFork(episodes, b);
  const { rewardScale } = row;
  const asked = { config: row.config, trained: wanted.played !== null, rewardScale };
  yield* creditsIn(asked, fresh);
  const tried = creditOf(asked.config, fresh, asked);
  if (!tried.ok) return empty(tried.reason);
  // Ratio and loss need the log-probs of the episode's tokens.
  const { reason } = objectiveOf(row.config, tried.ok, b);
  if (reason !== null) return empty(reason);
  yield;
  const numbers = kept.of(row);
  const all = numbers.find((one) => one.row === tried.ok && one.played === wanted.played);
  const made = all ?? new BatchNumbers(row.config, tried.ok, wanted.played);
  try {
    yield* made.prepare();
  } catch (error) {
    return empty(reasonOf(error, row.config));
  }
  numbers.splice(0, numbers.length, made);
  const place = placeAt(made, b, turn, token);
  if (place.tokens === 0) return empty(words.emptyTurn);
  const formulas = known(filledFormulas(place), episodes[b]);
  return { wanted, content: { place, formulas }, reason: "" };
}

/** Cached facts of a row's last batch: moving the cursor computes little. */
const kept = new Recent((_: Row): BatchNumbers[] => []);

/** A fork with log-probs as it was sampled; cached, since everything known about a batch is keyed by its episodes. */
const freshForks = new Recent((_: Episodes) => new Map<number, Episodes>());

/** Before any update a fork's log-probs are those it was sampled with: its credit can be computed with them. */
function withFreshFork(episodes: Episodes, b: number): Episodes {
  const fork = episodes[b];
  if (!isFork(fork)) return episodes;
  const made = freshForks.of(episodes);
  const turns = fork.turns.map((turn) => ({
    ...turn,
    tokens: turn.tokens.map((token) => ({ ...token, logprob: token.oldLogprob })),
  }));
  const fresh = made.get(b) ?? episodes.with(b, { ...fork, turns } as EpisodeRecord);
  made.set(b, fresh);
  return fresh;
}

/** No update has used a fork: everything about updates is left out. */
function known(formulas: FilledFormula[], episode: EpisodeRecord | undefined): FilledFormula[] {
  return isFork(episode) ? formulas.filter(({ step }) => !OF_UPDATES.includes(step)) : formulas;
}
