/** How sure the policy was of each turn's response, beside whether the episode was solved. */
import { mean, ranks } from "../../numeric/statistics.ts";
import { confidenceOf } from "../../reading/confidence.ts";
import type { RunLog } from "../../reading/log/runLog.ts";
import type { Sliced } from "../../numeric/sliced.ts";

export interface SureTurn {
  iteration: number;
  /** Place among the iteration's recorded episodes. */
  episode: number;
  /** From 0. */
  turn: number;
  /** In 0 .. 1, see confidenceOf. */
  confidence: number;
  isSolved: boolean;
}

export interface SureTurns {
  turns: SureTurn[];
  /** Iterations that they are from, ascending. */
  iterations: number[];
  /** Turns without log-probs, or of episodes whose outcome is not known. */
  without: number;
}

/** Turns of the last `span` recorded iterations up to one. */
export function* sureTurns(
  log: RunLog,
  algorithm: string,
  until: number,
  span: number,
): Sliced<SureTurns> {
  const recorded = log.iterationsWithEpisodes(algorithm).filter((n) => n <= until);
  const found: SureTurns = { turns: [], iterations: recorded.slice(-span), without: 0 };
  for (const iteration of found.iterations) {
    (log.peekEpisodes(algorithm, iteration) ?? []).forEach(({ success, turns }, episode) =>
      turns.forEach((one, turn) => {
        const confidence = confidenceOf(one.tokens.map(({ oldLogprob }) => oldLogprob));
        if (success === null || confidence === null) found.without++;
        else found.turns.push({ iteration, episode, turn, confidence, isSolved: success });
      }),
    );
    yield;
  }
  return found;
}

interface SureBin {
  n: number;
  /** Mean confidence. */
  x: number;
  /** Share of turns of solved episodes, with its 95 % interval by Wilson (1927). */
  y: number;
  low: number;
  high: number;
}

const BINS = 8;
/** Fewer turns than this do not determine a share. */
const LEAST = 10;

/** Equal numbers of turns in each, in order of confidence; none for fewer than two bins. */
export function sureBins(turns: readonly SureTurn[]): SureBin[] {
  const sorted = turns.toSorted((a, b) => a.confidence - b.confidence);
  const bins = Math.min(BINS, Math.floor(sorted.length / LEAST));
  if (bins < 2) return [];
  const edge = (i: number) => Math.round((i * sorted.length) / bins);
  return Array.from({ length: bins }, (_, i) => {
    const some = sorted.slice(edge(i), edge(i + 1));
    const x = mean(some.map(({ confidence }) => confidence));
    return { n: some.length, x, ...solvedShare(some) };
  });
}

const Z = 1.959964;

function solvedShare(turns: readonly SureTurn[]) {
  const n = turns.length;
  const y = turns.filter(({ isSolved }) => isSolved).length / n;
  const centre = (y + Z ** 2 / (2 * n)) / (1 + Z ** 2 / n);
  const half = (Z * Math.sqrt((y * (1 - y)) / n + Z ** 2 / (4 * n ** 2))) / (1 + Z ** 2 / n);
  return { y, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

interface Sureness {
  n: number;
  confidence: number;
  solved: number;
  /** Expected calibration error: mean distance of a bin's share from its confidence (Guo et al. 2017, equation 3); null without bins. */
  error: number | null;
  /** Chance that a turn of a solved episode was surer than one of an unsolved one (area under ROC); null if only one kind is there. */
  tells: number | null;
}

export function surenessOf(turns: readonly SureTurn[]): Sureness {
  const bins = sureBins(turns);
  const { length: n } = turns;
  const off = bins.reduce((sum, bin) => sum + bin.n * Math.abs(bin.y - bin.x), 0);
  return {
    n,
    confidence: mean(turns.map(({ confidence }) => confidence)),
    solved: mean(turns.map(({ isSolved }) => Number(isSolved))),
    error: bins.length > 0 ? off / n : null,
    tells: areaUnderRoc(turns),
  };
}

/** By ranks (Mann and Whitney 1947); ties count half. */
function areaUnderRoc(turns: readonly SureTurn[]): number | null {
  const solved = turns.filter(({ isSolved }) => isSolved).length;
  const others = turns.length - solved;
  if (solved === 0 || others === 0) return null;
  const places = ranks(turns.map(({ confidence }) => confidence));
  const sum = turns.reduce((all, { isSolved }, i) => all + (isSolved ? places[i]! : 0), 0);
  return (sum - (solved * (solved + 1)) / 2) / (solved * others);
}
