/** Texts of the algorithms with a critic. */
import type { TableText } from "./text.ts";

export const criticTexts: Record<string, TableText> = {
  "token-ppo": {
    source: "eq. 7; arXiv 1506.02438 (GAE); verl/trainer/ppo/core_algos.py",
    does: "Every token is a step. Before each token a critic predicts the reward still to come in the episode. Generalised advantage estimation turns the TD errors of this and later tokens into the token's credit. The clipped ratio limits how far one batch may move its probability.",
    answers:
      "Which part of a long answer earned the reward? A value per token lets credit rise and fall inside an episode, without several rollouts of the same task. The clip allows a batch to be used more than once.",
    watch:
      "The critic's explained variance: below 0 it is worse than a constant, and the advantages are noise. Within a turn the next state follows from the token; between turns the environment responds, and the value jumps. Discounts below 1 act per token here: 0.99 over 400 tokens leaves 2 %, so both gamma and lambda are 1.",
    sources:
      "PPO, equation 7, and the paper on generalised advantage estimation. The form is the one that verl and RAGEN use for language models. Advantages are whitened over all tokens, the dual clip is 3, and the environment's tokens are skipped. The value clip of those libraries is off, because it is in units of reward.",
  },
  vapo: {
    source:
      "a reading: notes on VAPO and VC-PPO (2503.01491); AReaL areal/trainer/ppo/lambda_fn.py",
    uncertain:
      "Read through notes. The critic starts early only as critic.warmup says. Rollouts under 20 tokens get lambda 0 at the paper's 0.05: set lengthAlpha to about 1 for them.",
    does: "PPO over tokens with two decays. The critic learns the undecayed return of every token. The policy's advantages decay with a lambda that depends on the rollout's length: 1 - 1/(0.05 n) for n tokens. Long rollouts pass credit far back, short ones hardly. The upper clip is wider than the lower one. A second loss, with a tenth of the weight, imitates successful rollouts.",
    answers:
      "With one reward at the end of a long output, a lambda below 1 starves the critic. Early tokens see the reward only through other predictions. With a lambda of 1 the advantages are noisy. Separate decays give the critic unbiased targets and the policy a smaller variance, whatever the length.",
    watch:
      "Explained variance from the start: the recipe trains the critic before the policy moves, here by critic.warmup. At 0.05 rollouts of fewer than 20 tokens get lambda 0, so all depends on neighbouring values. About 1 suits short ones. Look at credit of early and late tokens side by side. The loss on successes pulls even without an advantage, and lowers the entropy.",
    sources:
      "Notes on VAPO and on VC-PPO, from which the two decays come: a reading, as neither paper was read. lambda by length is also a function of AReaL. The loss on successes is a mean over their tokens. Any row can have it (lmWeight); revision 1 has none.",
  },
  starpo: {
    source: "RAGEN, sec. 3 and app. B.2: PPO with gamma = lambda = 1 and k1 in the reward",
    does: "State, thinking, actions and reward of a whole episode are one sequence. PPO runs over all tokens that the model wrote in it. Every token pays a small penalty for moving away from a reference policy.",
    answers:
      "Agents act over many turns, and their reward depends on the whole episode. Optimising the whole trajectory is the simplest approach. The framework was built to study when it works and when training collapses.",
    watch:
      "The authors describe an echo trap. Answers become alike, the spread of rewards within groups falls, the entropy drops, then the reward collapses. Watch these numbers in that order: the reward shows the collapse last. Check also that thinking does not shrink to empty phrases, since nothing rewards it directly.",
    sources:
      "The RAGEN paper, section 3 and appendix B.2: gamma and lambda 1, a KL penalty of 0.001 in the reward. Its entropy bonus of 0.001 is set in the experiment, not in this row. StarPO names the objective; the paper runs it with PPO or with GRPO, and this row is the PPO. Defaults changed between versions of the code; the paper's are used.",
  },
  "starpo-s": {
    source: "RAGEN, sec. 4.2; mll-lab-nu/RAGEN ragen/trainer/rollout_filter.py",
    uncertain: "The share kept is the paper's 25 %; the current code keeps all by default.",
    does: "A more stable StarPO, with three changes. It trains only on the groups whose rewards differ most. It drops the KL penalty, and widens the upper clip to 0.28. The critic of PPO stays.",
    answers:
      "StarPO tends to collapse once answers become alike. A task where all rollouts earn the same says little about what to do differently. A task with mixed results says most. Training on uncertain tasks keeps the signal strong, and the wider clip keeps exploration alive.",
    watch:
      "How much is discarded: with a share of 0.25, three quarters of the episodes serve only the selection. If rewards are rare, the groups that differ most are those with one lucky success, so few episodes steer much. Watch the spread of rewards within groups; it should stay high longer than under StarPO.",
    sources:
      "The RAGEN paper, section 4.2, and its rollout filter, which ranks groups by the standard deviation of their rewards. The paper keeps 25 % of the tasks; the current code keeps all by default. Here the filter comes before whitening: discarded groups do not enter mean and variance.",
  },
  "s-ppo": {
    source: "ST-PPO paper, eq. 7 to 9 (read through notes and a review; no author code)",
    uncertain:
      "Not public: whether the denominator is |C|, max(1, |C|) or |C| plus something, and its scope. clipBias and clipBiasScope select a reading. Its mean is over trajectories of means over tokens, as in lemma 4.1. Others read a mean over all tokens.",
    does: "Token-PPO whose gradient is divided by the size of the gradient that the clip removed. Batches in which much was clipped move the policy less.",
    answers:
      "The clip does more than limit a step: it removes part of the gradient, which bends its direction. Over many turns of stale data that bias grows and can wreck a run. Where it is large, the batch is far from the current policy and deserves less trust.",
    watch:
      "The size of the removed gradient relative to the kept one. On a first pass all ratios are 1, nothing is clipped and this is plain PPO. So it needs several minibatches or epochs to differ. A steady high correction means that the learning rate or the number of epochs is too large.",
    sources:
      "The ST-PPO paper, equations 7 to 9, known here through notes and a public review. No code by its authors was at hand. Unknown are the exact denominator (the norm itself, at least 1, or plus something) and the scope of the norm. The settings clipBias and clipBiasScope select a reading; the default never enlarges a gradient.",
  },
  "turn-ppo-st": {
    source: "ST-PPO paper, eq. 4 and lemma 4.1 (read through notes)",
    uncertain:
      "The mean is over trajectories of means over tokens, as in lemma 4.1 of that paper. Others read a mean over all tokens.",
    does: "Advantages are computed token by token with a token critic and then averaged within each turn. The ratio is one number per turn as well: the geometric mean of its token ratios. Whole turns are kept or clipped.",
    answers:
      "In dialogue with an environment a response acts as a whole. So its probability should be corrected as a whole too. The geometric mean keeps ratios of long and short turns comparable, and averaging the advantages makes credit and correction match.",
    watch:
      "A mean of many small log-ratios is small. With the usual range of 0.2 a turn is hardly ever clipped. The method then behaves much like PPO over tokens with smoothed credit. Look at the clip fraction before concluding anything.",
    sources:
      "One of several methods called Turn-PPO. This is the variant in the ST-PPO paper, equation 4 and lemma 4.1, known here through notes. It differs from the row named turn-ppo in three ways. The critic is over tokens, not turns. The advantage is averaged, not estimated over turns. The ratio is a mean, not a product.",
  },
  "st-ppo": {
    source: "ST-PPO paper, eq. 4 and 7 to 9 (read through notes and a review; no author code)",
    uncertain:
      "Not public: whether the denominator is |C|, max(1, |C|) or |C| plus something, and its scope. clipBias and clipBiasScope select a reading. Its mean is over trajectories of means over tokens, as in lemma 4.1. Others read a mean over all tokens.",
    does: "It joins two ideas. One is importance sampling per turn: one geometric-mean ratio for each response, with the turn's mean token advantage. The other corrects for what the clip cuts: the gradient is divided by the size of the cut part.",
    answers:
      "Long episodes on slightly old data are unstable for two reasons. Ratios of single tokens do not fit decisions made per turn, and clipping removes part of the gradient. Each part addresses one of these; together they aim to prevent collapse.",
    watch:
      "Geometric means rarely leave the range of 0.2. Then nothing is clipped, the correction is 1, and what remains is averaged credit. Check both the clip fraction and the denominator before you compare it with others. A narrower range makes the correction visible. The reviewers saw little difference from S-PPO.",
    sources:
      "The ST-PPO paper (later renamed SORL), equations 4 and 7 to 9, known here through notes and a review. They do not settle the exact denominator or the scope of its norm. The settings clipBias and clipBiasScope choose between the plausible readings, and the default divides by at least 1.",
  },
  "bi-level-gae": {
    source: "VAGEN; RAGEN ragen/trainer/core_algos.py, compute_bi_level_gae_advantage_return",
    uncertain:
      "RAGEN's code finds turn ends by their reward, so that turns without one vanish: turnEnds selects that.",
    does: "Credit is estimated twice. First over turns, with a discount per turn, from the critic's values at turn ends. That gives each turn a return. Then, inside each turn, over its tokens, towards that return as if it were the turn's reward.",
    answers:
      "One discount cannot serve both levels. Per token it removes early turns' credit, and at 1 it never prefers sooner to later. Two levels let turns be discounted while tokens are not. They also stop the noise of one turn's tokens from leaking into the turns before it.",
    watch:
      "The value at a turn's end has already seen most of the response. At the level of turns it is therefore a baseline that knows the action. Compare advantages of the first and last tokens of a turn: they should approach the turn's return smoothly. Watch the explained variance at turn ends in particular.",
    sources:
      "VAGEN's paper and RAGEN's function of the same name. That code finds turn ends by rewards other than zero, so turns without reward merge with the next. It fails when the last token has none. The setting turnEnds selects that reading for study; the default marks ends explicitly.",
  },
  "turn-ppo-vagen": {
    source: "VAGEN, docs/configs/algo-config.md, turn_wise_gae",
    does: "Generalised advantage estimation runs over turns, on values read just before the last token of each response. The turn's advantage goes to all its tokens. The ratio and the clip, though, stay token by token, as in plain PPO.",
    answers:
      "Credit belongs to turns, because rewards come per turn and the environment answers per turn. Changing the estimator alone is a small change to existing code. Critic, ratio and clip remain those of PPO over tokens.",
    watch:
      "A value read at the end of a response already knows the action. Subtracting it removes credit that the action earned: a good move raises the value before its reward arrives. Compare with valueAt set to state-end. With token ratios a turn can be clipped in part, so its response is reinforced in pieces.",
    sources:
      "VAGEN's documentation of its estimator turn_wise_gae, where it is called a Turn-PPO with mask. It is another method of that name: credit like the row turn-ppo, ratio like token-ppo. The critic is one over tokens whose values are read off, and only what is read is trained.",
  },
  "turn-ppo-gem": {
    source: "sail-sg/oat oat/algorithms/ppo_multiturn.py; VAGEN-Lite no_concat_gae",
    uncertain:
      "oat reads the value at the first token of the query, where every state looks alike. Here it is read at the state-end.",
    does: "A critic gives one value per turn, read before the response. Advantages come from generalised advantage estimation over turns and are normalised over all turns of the batch. Ratio and clip stay token by token.",
    answers:
      "Turns are the natural steps of an agent: few, each with an answer from the environment. Estimation over turns allows discounts below 1 and needs far fewer values than tokens would. Keeping token ratios avoids products over long responses, which quickly leave any clip range.",
    watch:
      "The critic sees few targets: 128 episodes of five turns are 640 numbers, against tens of thousands of tokens. It needs a larger learning rate or more passes. Since a turn's tokens share one advantage but are clipped one by one, some turns are clipped only in part. Watch how many.",
    sources:
      "oat's multi-turn PPO, used by GEM, and VAGEN-Lite's estimator over separate turns. The code of oat reads the value at the first position of the query. All states look alike to a causal model there. The last token of the query is used here. The divisor is the population standard deviation plus 1e-9.",
  },
  "turn-ppo": {
    source: "sec. 2.3, 2.4 and table 1 (read through notes; no author code)",
    uncertain:
      "Notes of the paper leave five points open. Advantages are whitened over turns here. The critic's target is A + V here; the discounted return is lambdaCritic=1. The ratio is a product here; a geometric mean is ratio=turn-geomean. The loss's denominator is the aggregation. The clip's width is 0.2 here.",
    does: "One response is one action. The critic's value is read at the end of the query, before the model answers. Advantages are estimated over turns. The ratio of a turn is the product of its token ratios: how much likelier the whole response has become. A turn is clipped whole or not at all.",
    answers:
      "At the level of tokens, an episode mixes two kinds of steps. Appending a token is certain, and the environment's reply is not. With turns as steps every transition is of one kind. Discounts act per turn, and value, advantage and ratio all speak of the same thing.",
    watch:
      "Products grow with length: small shifts of 1 % per token make a ratio of 1.5 over 40 tokens. Watch the clip fraction by length of response, and keep turns short. Few turns mean few targets for the critic, so watch its explained variance. For negative advantages, the dual clip of 3 bounds the loss.",
    sources:
      "The Turn-PPO paper, sections 2.3 and 2.4 and table 1, known here through notes. The notes agree on gamma 0.99 and lambda 0.9. Not settled, each a setting, are the clip range (0.2 is assumed) and whitening (over turns, here). So are the critic's target, A + V or the discounted return (lambdaCritic=1), and the ratio, product or geometric mean. Of the loss's denominator one reading is known.",
  },
};
