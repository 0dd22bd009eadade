/** Texts of the algorithms with neither a critic nor a group. */
import type { TableText } from "./text.ts";

export const plainTexts: Record<string, TableText> = {
  reinforce: {
    source: "Williams 1992, Machine Learning 8, eq. 11; the return counts from the turn on",
    does: "Play an episode, then make every response more likely in proportion to the reward that came after it. A turn's credit is its return: the rewards from that turn to the end. Nothing is subtracted, nothing is clipped, and each batch is used for one step.",
    answers:
      "It is the plain form of the policy gradient, and it is unbiased: on average it points uphill. Every other row of this table aims at the same direction with less noise, or at reusing a batch.",
    watch:
      "The noise. If all rewards are positive, every response becomes likelier, bad ones only less so. The difference takes many episodes to show. Look at the spread of the returns and at the length of the gradient from one iteration to the next. Without a ratio nothing limits a second pass over the same batch, so use one epoch.",
    sources:
      "Williams (1992). Crediting a turn only with later rewards is the usual refinement. His first form credits every step with the whole sum. Summing over tokens instead of averaging keeps the gradient of a response's whole log-probability.",
  },
  rebn: {
    source: "GEM, sec. 3; axon-rl/gem examples/train_oat/train_oat.py",
    does: "A turn is one step. Its return, discounted per turn, is compared with all other turns of the batch, whatever their task. The batch's mean is subtracted, and the result divided by its standard deviation. What is above average becomes more likely.",
    answers:
      "GRPO needs several rollouts of one task and gives all turns the same credit. Normalising returns over the batch needs neither groups nor a critic. It allows a discount below 1, and can use rewards that arrive at every turn.",
    watch:
      "One baseline serves easy and hard tasks and early and late turns. A turn of an easy task looks good whatever its action. With rewards only at the end, early turns look worse than late ones because they are discounted more. If success differs much between tasks, compare with a group baseline or a critic.",
    sources:
      "GEM's paper and its training script for oat, which divides by the population standard deviation plus 1e-9. Its second script divides by the unbiased one, which whiten can select. The length divisor is a constant, as in Dr.GRPO. The paper discounts games with 0.9 and single questions with 1.",
  },
  "reinforce-pp": {
    source: "sec. 3; verl/trainer/ppo/core_algos.py, compute_reinforce_plus_plus_outcome_advantage",
    uncertain:
      "The paper takes k1 from each token's reward; here betaKlReward is 0 unless it is set.",
    does: "The return of every token is computed backwards from the end of the episode. Then all tokens of the batch are brought to mean 0 and variance 1. On these numbers it runs PPO's clipped objective. There is no critic and no group.",
    answers:
      "It keeps the ratio and the clip, which make PPO stable, and needs no second network. The mean of a handful of rollouts of the same task is itself noisy. A mean over the whole batch is a steadier baseline.",
    watch:
      "With a discount of 1 and one reward at the end, all tokens of an episode carry the same number. The method then compares episodes across tasks, so hard tasks are always below the mean. Long episodes have more tokens and weigh more in mean and variance. The published method subtracts a KL penalty from the reward; here it is off unless betaKlReward is set.",
    sources:
      "The REINFORCE++ paper and verl's function for it. An earlier verl dropped the return at tokens of the environment, so early turns got no credit. Returns here are carried across them.",
  },
  remax: {
    source: "alg. 1; verl/trainer/ppo/core_algos.py, compute_remax_outcome_advantage",
    does: "For every task the policy plays once more, always taking its likeliest token. A sampled rollout's advantage is its reward minus that of the greedy rollout. Beating the policy's own best guess counts as good.",
    answers:
      "It needs a baseline that depends on the task but needs no critic. The greedy rollout is not one of the samples, so subtracting it leaves the gradient unbiased. It also adapts by itself: on tasks that the policy has mastered the baseline is high.",
    watch:
      "The extra rollouts cost playing time. Where greedy and sampled play usually end alike, most differences are 0 and little is learned. Where greedy play is much better than sampling, nearly all advantages are negative and the policy mostly unlearns. Watch the share of positive advantages.",
    sources:
      "The ReMax paper, algorithm 1, and verl's function for it. That function counts rewards from each token on and subtracts the greedy score from that. With all reward at the end this is score minus greedy score, as in the paper. The paper uses neither ratio nor clip. The name of the batch column with greedy scores is greedyScore.",
  },
};
