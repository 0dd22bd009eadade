/**
 * Do the policy's responses still depend on the prompt? RAGEN-2's estimate (arXiv 2604.06268):
 * every response z_j is scored under every prompt x_i, and
 *
 *   I(X; Z) ~ mean_j [ log p(z_j | x_j) - log mean_i p(z_j | x_i) ]  <=  log N
 *   H(Z|X)  ~ -mean_j log p(z_j | x_j)        H(Z) = H(Z|X) + I(X; Z)
 *
 * Template collapse is I near 0 while H(Z|X) stays up: varied answers that ignore the question.
 */
import { exp, log } from "../../numeric/deterministic.ts";
import { max, mean } from "../../numeric/statistics.ts";

interface Dependence {
  /** Nats; on a finite sample it may be slightly below 0. */
  information: number;
  /** log N: N prompts distinguished without error. */
  bound: number;
  /** H(Z|X) in nats. */
  conditional: number;
  /** H(Z) in nats. */
  marginal: number;
  /**
   * Share of responses whose own prompt gives them the highest probability, ties counting against;
   * 1/N by chance.
   */
  retrieval: number;
}

/** From cross log-probs: row j, column i is log p(z_j | x_i), natural log. [N][N], N at least 1 */
export function dependence(cross: Float64Array[]): Dependence {
  const N = cross.length;
  const matched = cross.map((row, j) => row[j]!); // [N]
  const mixed = cross.map((row) => logMeanExp(row)); // [N]
  const found = cross.filter((row, j) => row.every((x, i) => i === j || x < row[j]!));
  return {
    information: mean(matched.map((own, j) => own - mixed[j]!)),
    bound: log(N),
    conditional: -mean(matched),
    marginal: -mean(mixed),
    retrieval: found.length / N,
  };
}

/** log of the mean of exp(x), shifted by the maximum to avoid overflow. */
function logMeanExp(x: Float64Array): number {
  const top = max(x);
  return top + log(mean(x.map((value) => exp(value - top))));
}
