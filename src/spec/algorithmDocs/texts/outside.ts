/** Texts of methods outside the table: methods on preference pairs, and Iterative PPO. */
import type { DocText } from "./text.ts";

export const outsideTexts: Record<string, DocText> = {
  dpo: {
    does: "Take two rollouts of one task, a better and a worse one. Raise the probability of the better one against the worse one, both measured from a fixed reference policy. The loss falls as the gap grows, and is flat once the gap is large.",
    answers:
      "Learning from preferences used to need a reward model and then PPO. The best policy under a KL penalty has a simple form. Turning that form around makes the policy its own reward model: one loss on pairs, no sampling, no critic.",
    watch:
      "Only the difference counts, so both probabilities may fall as long as the worse one falls faster. Follow both, not just the margin. Pairs are fixed while the policy moves. Late in training the policy is therefore judged on answers that it would no longer give. In several turns the loss knows which episode was better, not which turn.",
    sources:
      "The DPO paper, equation 7, and its authors' code, from which label smoothing comes. Here the pairs are rollouts of the same task, best against worst return. Tokens of the environment are left out of both sums. beta is 0.1 unless set.",
  },
  ipo: {
    does: "Like DPO it compares a better rollout with a worse one, each relative to a fixed reference. But the gap does not grow forever. The squared loss pulls it to one value, 1/(2 beta), and back if it overshoots. Log-probabilities are means over tokens.",
    answers:
      "If a pair is always judged the same way, DPO's loss never stops rewarding a wider gap, whatever beta says. The pull towards the reference is then lost. A target instead of a slope keeps it, and makes overfitting to certain pairs less likely.",
    watch:
      "The target depends on beta strongly. A beta of 0.1 asks for a gap of 5 per token on average, which is very wide. A beta of 1 asks for 0.5. Watch whether margins settle at the target or are still far below at the end. Since it uses means, long and short responses count alike.",
    sources:
      "The IPO paper, equation 17. The equation does not print that log-probabilities are averaged over tokens. That is the practice of the public DPO code and of other libraries. With sums, the same beta would mean a gap that depends on length.",
  },
  tdpo1: {
    does: "DPO's comparison of a better and a worse rollout, with one more term. It is how far the policy has moved away from the reference along each of them. That is measured at every token over the whole vocabulary. Moving further on the worse rollout than on the better one counts against the pair.",
    answers:
      "DPO looks only at the tokens that were written. The rest of the distribution can drift unseen, and it usually drifts faster along the answers that are pushed down. Deriving the loss token by token brings in the divergence of the full distribution and keeps it in balance.",
    watch:
      "The two divergences, side by side: they should stay close to each other, and small. The gradient runs through both. So the method may also win the term by raising the divergence on the better rollout. Its successor TDPO2 forbids that. Using the full vocabulary makes a step costlier than DPO's.",
    sources:
      "The TDPO paper and its authors' code. Divergence is from the reference to the policy, summed over the response's tokens; tokens of the environment are left out. The authors advise this variant for low learning rates. beta is 0.1.",
  },
  tdpo2: {
    does: "Like TDPO1 it adds the divergence from the reference along both rollouts to DPO's comparison. Two things change. The term is weighted by alpha, and the better rollout's divergence is held constant: no gradient flows through it.",
    answers:
      "In TDPO1 the loss can be lowered by letting the policy drift along good answers. Holding that part constant leaves one way: limit the drift along bad answers relative to that along good ones. The setting alpha says how much that matters beside the preference itself.",
    watch:
      "Divergence along the worse rollouts should follow that along the better ones instead of running ahead. If preferences are learned too slowly, lower alpha; at 0 it is DPO. Because the constant has no gradient, the reported loss can change without any training effect: judge by margins and divergences.",
    sources:
      "The TDPO paper and its authors' code. Their configuration file switches to TDPO1 although the function's default is TDPO2. Results under that name should be read with care. The advice is to use it at higher learning rates. beta is 0.1, alpha 0.5.",
  },
  "iterative-ppo": {
    does: "Play episodes with the current policy and log them. Fit a function that predicts what the rest of the episode earned, from a state and the response to it. Then forget the episodes: from logged states, train with ordinary PPO on single turns, rewarded by that prediction. Deploy the better policy and repeat.",
    answers:
      "Multi-turn training is hard to run on live users and hard to stabilise, while single-turn methods are well understood. With an exact prediction, improving each turn against it is a policy improvement step. So the long problem becomes a sequence of short ones.",
    watch:
      "Everything depends on the fit. Test it on unseen episodes, and watch its predictions for responses unlike the logged ones. There the inner PPO will find and exploit its errors. Keep the inner training short, and refit on fresh episodes. A rising predicted reward with a flat real one is the warning sign.",
    sources:
      "The Iterative PPO paper, known here through summaries. They do not settle the model, features and hyper-parameters of the fit, but agree on a regression on Monte-Carlo returns. It is an outer loop rather than a row: the inner algorithm can be any, token-PPO by default.",
  },
};
