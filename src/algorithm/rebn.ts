/**
 * REINFORCE with return batch normalisation (ReBN): REINFORCE whose returns are normalised over all
 * turns of the batch, with no groups. What differs from reinforce.ts is settings: gamma 0.9, whiten
 * "turns-population", and a fixed horizon in place of the trajectory's length.
 *
 *   A_h = (G_h - mean over all turns) / (std over all turns + 1e-9),  G_h = r_h + gamma G_{h+1}
 *   L = -1/(B horizon) sum_b sum_t A_t log pi(y_t)
 *
 * Source: GEM, arXiv 2510.01051, sec. 3; axon-rl/gem examples/train_oat/train_oat.py (population
 * std) and examples/train_tinker/tinker_train.py (unbiased: whiten "turns-sample").
 */
export { actorLoss, criticLoss, estimate } from "./reinforce.ts";
