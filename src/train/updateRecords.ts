/** What each optimiser step of the actor did to its ratios, in few enough numbers to store. */
import type { Objective, Selection } from "../algorithm/registry.ts";
import { log } from "../numeric/deterministic.ts";
import { significant } from "../numeric/significant.ts";
import { bandOf, type Band } from "../method/clip/band.ts";
import { ratioHistogram } from "../algorithm/ratioHistogram.ts";
import type { UpdateRecord } from "../record/runEvent.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";

/** One step as recorded, before the iteration's common scale is known. */
interface RecordedStep extends Omit<UpdateRecord, "token" | "turn"> {
  /** [N'] */
  tokenLogRatio: Float64Array;
  /** [K'] */
  turnLogRatio: Float64Array;
}

/** Collects the steps of one iteration. */
export class UpdateLog {
  #steps: RecordedStep[] = [];
  #band: Band;

  /** The algorithm whose clip applies in the steps. */
  constructor(algorithm: AlgorithmConfig) {
    this.#band = bandOf(algorithm);
  }

  /** `minibatch` counts from 0 within its epoch, which counts from 0 too. */
  note(epoch: number, minibatch: number, chosen: Selection, objective: Objective): void {
    this.#steps.push({
      epoch,
      minibatch,
      ...clipsByTurn(chosen, objective),
      cutShare: significant(objective.clipShares.cut, 6),
      tokenLogRatio: objective.tokenRatio.map(log),
      turnLogRatio: objective.turnRatio.map(log),
    });
  }

  /**
   * With histograms of the same bins for all steps, so that they can be compared and summed; a bin
   * never straddles the limits of the clip. For clip "adaptive" those are the limits of c = 1: a
   * turn's own limits may be anywhere.
   */
  records(): UpdateRecord[] {
    const token = largest(this.#steps.map(({ tokenLogRatio }) => tokenLogRatio));
    const turn = largest(this.#steps.map(({ turnLogRatio }) => turnLogRatio));
    return this.#steps.map(({ tokenLogRatio, turnLogRatio, ...step }) => ({
      ...step,
      token: ratioHistogram(tokenLogRatio, token, this.#bandAt("token")),
      turn: ratioHistogram(turnLogRatio, turn, this.#bandAt("turn")),
    }));
  }

  #bandAt(level: Band["level"]): Band | null {
    return this.#band.level === level ? this.#band : null;
  }
}

/** Largest absolute value, rounded up to three digits so that it is easy to read; never 0. */
function largest(columns: Float64Array[]): number {
  const most = columns.reduce(
    (so, column) => column.reduce((m, x) => Math.max(m, Math.abs(x)), so),
    1e-6,
  );
  return significant(most * 1.005, 3);
}

type ByTurn = Pick<UpdateRecord, "turns" | "cutHigh" | "cutLow">;

/** The number of h-th turns, and how many of them were clipped with A > 0 (above) and A < 0 (below). */
function clipsByTurn({ batch, credit }: Selection, { turnClipped }: Objective): ByTurn {
  const { turnStart } = batch;
  const counts: ByTurn = { turns: [], cutHigh: [], cutLow: [] };
  for (let b = 0; b + 1 < turnStart.length; b++) {
    for (let k = turnStart[b]!; k < turnStart[b + 1]!; k++) {
      const h = k - turnStart[b]!;
      const cut = turnClipped[k] === 1;
      const high = cut && credit.turnAdvantage[k]! > 0;
      counts.turns[h] = (counts.turns[h] ?? 0) + 1;
      counts.cutHigh[h] = (counts.cutHigh[h] ?? 0) + Number(high);
      counts.cutLow[h] = (counts.cutLow[h] ?? 0) + Number(cut && !high);
    }
  }
  return counts;
}
