/** Texts of the algorithms that compare whole rollouts of the same task. */
import type { TableText } from "./text.ts";

export const groupTexts: Record<string, TableText> = {
  "reinforce-pp-baseline": {
    source:
      "sec. 3; verl/trainer/ppo/core_algos.py, compute_reinforce_plus_plus_baseline_outcome_advantage",
    does: "Several rollouts of one task are played. From each score the group's mean is subtracted, as in GRPO. The differences are then divided by the standard deviation of all tokens of the batch, not by each group's own.",
    answers:
      "Some tasks are nearly always or nearly never solved. Dividing by a group's own spread makes them count as much as undecided ones, through one odd rollout. A common divisor keeps the differences between tasks in proportion. The group's mean still removes how hard a task is.",
    watch:
      "A group whose rollouts all score alike gives 0, as in GRPO. Many such groups mean a weak signal that the common divisor amplifies. Because mean and variance are taken over tokens, long rollouts weigh more. When long answers are bad ones, the mean shifts against short ones.",
    sources:
      "The second variant of the REINFORCE++ paper and verl's function for it. It is GRPO with three settings changed: no divisor of the group, whitening over tokens, a mean over all tokens. The published recipe also pulls towards a reference in the loss; betaKl sets that, and it is 0 here.",
  },
  rloo: {
    source: "sec. 3.2; verl/trainer/ppo/core_algos.py, compute_rloo_outcome_advantage",
    uncertain: "The paper takes KL from the reward; here betaKlReward is 0 unless it is set.",
    does: "Each rollout is compared with the mean score of the other rollouts of its task, itself left out. The difference is the credit of all its tokens. There is no clip and no division: it is REINFORCE with a good baseline.",
    answers:
      "If the mean includes a rollout's own score, it is partly compared with itself, and the gradient shrinks. Leaving it out makes the baseline independent of the sample. The estimate is then exactly unbiased and still needs no critic.",
    watch:
      "At least two rollouts per task are needed. With few, the others' mean is noisy: compare group sizes by the variance of the advantages. The result is Dr.GRPO's advantage times G/(G-1), so the two differ only by a learning rate at any fixed G. Apart from the clip and the divisor, do not read more into a difference between curves.",
    sources:
      "The paper 'Back to basics', section 3.2, and verl's function for it. The paper takes one gradient step per batch and does not clip. Several libraries send the same advantages through PPO's clip, which setting ratio to token does here.",
  },
  opo: {
    source: "sec. 3; verl/trainer/ppo/core_algos.py, compute_opo_outcome_advantage",
    does: "As in GRPO, rollouts of one task are compared with each other. But the baseline is a weighted mean of their scores: a rollout counts as often as it has tokens. The difference is not divided by anything.",
    answers:
      "Every baseline leaves the gradient's mean alone; they differ in its variance. The best one weighs each score by the squared length of that rollout's gradient. If tokens contribute alike and independently, that length squared grows with the number of tokens, which gives this mean.",
    watch:
      "The assumption about tokens is a rough one. Length and success can go together, as with an agent that wanders until it is cut off. Then the baseline leans towards the long failures, and short successes get more credit. Compare the spread of advantages with that of Dr.GRPO on the same batch.",
    sources:
      "The OPO paper, section 3, and verl's function for it. The paper trains strictly on fresh samples, one step per batch. The clip here then never acts, since all ratios are 1.",
  },
  otb: {
    source: "verl/trainer/ppo/core_algos.py, compute_multi_turn_optimal_token_baseline_advantage",
    uncertain:
      "verl has two forms: one counts positions with the environment's tokens, the other without them, as here. Both leave the baseline out where only one rollout is that long.",
    does: "Each token is credited with the rewards from there to the end. From that its baseline is subtracted: the mean of the group's returns at the same position. A rollout's return weighs by the gradient energy it has spent up to that token.",
    answers:
      "The baseline of least variance weighs each return by the squared length of its gradient. OPO puts the number of tokens in its place. Here each token's energy is exact: 1 - 2 pi + the sum of all squared probabilities. A certain token spends nothing, a surprising one much. So positions early and late in a rollout have baselines of their own.",
    watch:
      "Positions are counted over whole rollouts. In games of several turns the t-th tokens of two rollouts may belong to different turns. The longest rollout's tail has no one to be compared with. Its credit there is the bare return. Each iteration takes one more forward pass.",
    sources:
      "The OTB paper and verl's functions for it, which give the numbers of the tests. verl has two forms. The one for tool use counts trainable tokens only, as here. The sum of squared probabilities follows from two log-probabilities of one token, at the temperature and at half of it.",
  },
  grpo: {
    source:
      "DeepSeekMath, sec. 4.1; verl/trainer/ppo/core_algos.py, compute_grpo_outcome_advantage",
    uncertain:
      "The paper holds the policy near the first one with k3 (0.04). Here there is no reference model unless betaKl is set.",
    does: "One task is played several times. A rollout's advantage is its score minus the group's mean, divided by the group's standard deviation. Every token of every turn gets that same number. PPO's clipped ratio, token by token, does the rest.",
    answers:
      "PPO needs a critic: a second model to train, which is wrong at first. Here the other rollouts replace the critic. A rollout that beats the others of its task did something right.",
    watch:
      "Groups with equal scores teach nothing; count them. Over several turns a single number is coarse. A blunder in a won episode is rewarded with the rest. A good move in a lost one is punished. Small standard deviations enlarge small differences: where all attempts failed, the cheapest failure is credited like a success. Averaging within each rollout first makes a token of a short answer count more than one of a long one.",
    sources:
      "DeepSeekMath, section 4.1, and verl's function for it. The standard deviation is unbiased, plus 1e-6, and a group of one keeps its score. Other libraries add other constants. The paper adds a pull towards a reference of weight 0.04 in the loss. Here betaKl is 0 unless you set it.",
  },
  "dr-grpo": {
    source: "sec. 3.2; verl: norm_adv_by_std_in_grpo=False, seq-mean-token-sum-norm",
    does: "GRPO with its two divisors taken out. The advantage is the score minus the group's mean, and no more. The loss sums over tokens and divides by one constant for all rollouts instead of by each one's length.",
    answers:
      "Dividing by the group's spread gives tasks that are almost always solved, or almost never, too much weight. Dividing by a rollout's length makes each token of a long wrong answer cost less. That teaches a model to give long wrong answers. Without both, the gradient is again that of the expected score.",
    watch:
      "The step size now follows the rewards. Scores from -1 to 11 move the model more than scores from 0 to 1. Rescale rewards or the learning rate before comparing it with GRPO. Unless a horizon is set, the constant is turns times tokens a turn: the most an episode can have. A batch without an experiment takes 256. Experiments of revision 1 divide by the longest rollout of the minibatch, which changes from step to step.",
    sources:
      "The paper 'Understanding R1-Zero-like training', section 3.2. In verl it is GRPO without division by the standard deviation and with the aggregation seq-mean-token-sum-norm. Whether removing these divisors helps depends on how unequal tasks and lengths are; measure it.",
  },
  dapo: {
    source: "sec. 3.1 to 3.3",
    uncertain:
      "Groups are left out but not replaced: all algorithms play as many episodes. Code differs on what must differ in a group: correct answers, as in the paper, or scores (mixed).",
    does: "GRPO with three changes. The ratio may rise further (to 1.28) than it may fall (to 0.8). The loss is one mean over all tokens of the batch. Groups whose rollouts all solve the task, or all fail, are left out.",
    answers:
      "A symmetric clip keeps unlikely tokens unlikely, since from 0.01 they may reach only 0.012. A higher upper limit keeps exploration alive. One mean over tokens lets long answers count by their length. Groups of equal answers only dilute the gradient.",
    watch:
      "The entropy: it should fall more slowly than GRPO's. Count the groups that are left. When the policy solves nearly everything or nearly nothing, the effective batch becomes small and the steps noisy. The mean over tokens makes a few very long rollouts dominate. By success, groups that all fail teach nothing, not even valid answers. Of GRPO's 50 groups in the recorded small Sokoban run, 17 are left; by score, 29.",
    sources:
      "The DAPO paper, sections 3.1 to 3.3. It keeps groups with some correct answers, but not all; with filter=mixed, as in revision 1, groups whose scores differ. The paper samples new tasks until the batch is full again. Here groups are dropped and not replaced, because a fair comparison lets every algorithm play equally many episodes. Its soft penalty for overlong answers is a matter of rewards and is not part of this row.",
  },
  salt: {
    source: "a reading: notes and the abstract; no author code",
    uncertain:
      "The paper's text was not read. Open: which steps count as one, and how much history must agree (historyLength). Here state, action and next state are equal; after a log's last turn, its reward and end.",
    does: "GRPO's advantages first. Then the rollouts of a task become one graph: states, and steps between them. A step is a state, the action taken there and the state that it led to. If several rollouts contain the same step, its turns get the mean of their advantages. All other turns keep their rollout's.",
    answers:
      "GRPO rewards every step of a good rollout and punishes the same step of a bad one. A step that both took explains nothing. Its two pushes cancel only in the sum, and the noise stays. Shared credit removes it, without a critic and without more rollouts.",
    watch:
      "How many turns share their step with another rollout. Without any, this is GRPO to the last bit. Where all rollouts begin alike, early turns get advantages near 0, and late ones carry the signal. Free text hardly ever matches; parsed actions do. A step on every path of a solvable task gets no push at all.",
    sources:
      "Notes on the SALT paper: a reading, as neither its text nor its authors' code was read. The paper is said to ask for equal recent history as well. Its length is open; historyLength sets it. GiGPO compares turns of the same state whatever the action, and discounts; this does neither.",
  },
  gdpo: {
    source: "verl/trainer/ppo/core_algos.py, compute_gdpo_outcome_advantage",
    uncertain:
      "verl normalises the sum over all tokens (here), with 1e-6 beside a group's std. The authors' code normalises over rollouts, with 1e-4; whiten=turns comes near it.",
    does: "A rollout has three scores: the environment's pay, pay for form, and process pay. Each is compared with the group's by itself, as GRPO does. The three results are added with their weights, and the sum is normalised over all tokens of the batch.",
    answers:
      "GRPO adds rewards first. Then a rollout of good form that fails can score like one of bad form that succeeds. The kind of reward with the largest spread also drowns the others. Compared one by one, each kind counts as its weight says.",
    watch:
      "A kind that is equal in the whole group gives 0, which is right. One that hardly varies is blown up to the size of the others. A single odd answer then moves the group. Look at the share of valid turns. Once all are valid, the part for form is gone, and GDPO is GRPO with one more normalisation.",
    sources:
      "The GDPO paper and verl's function for it, which gives the numbers of the tests. The last normalisation is over tokens there, so that long rollouts count more. The authors' own code takes it over rollouts, and 1e-4 beside each standard deviation. It needs a log that says how much of a turn's reward is for its form.",
  },
  "grpo-passk": {
    source: "verl/trainer/ppo/core_algos.py, compute_grpo_passk_outcome_advantage",
    uncertain:
      "verl lets chance choose the winner where two are best; its advantage is 0 all the same. The analytic form of arXiv 2508.10751, for rewards of 0 and 1, is another method.",
    does: "Of a task's rollouts only the best one learns. Its advantage is its lead over the second-best, divided by the group's standard deviation. All others get 0. Ratio, clip and mean are GRPO's.",
    answers:
      "GRPO raises the mean score. If several tries are allowed, what counts is that one of them succeeds. A task on which most rollouts do well needs no further push. The lead of the best over the second is how much the group's maximum would fall without that rollout.",
    watch:
      "How many groups teach anything. Where two rollouts are equally good, as with rewards of 0 and 1, every advantage is 0. Gradients come from one rollout in a group, so use large groups. Entropy stays higher, and the score of single tries may fall while that of the best rises. Nothing is pushed down.",
    sources:
      "The paper on pass@k training and verl's function grpo_passk for it, which gives the numbers of the tests. Groups of one are refused there and get 0 here. Another paper derives closed forms for rewards of 0 and 1.",
  },
  "passk-analytic": {
    source: "RUCAIBox/Passk_Training code/passk_adv.py",
    uncertain:
      "Their code takes rewards of 0 and 1 only. Here a rollout's success counts, whatever else is paid. k is 4, as in the paper's main runs. Groups of 4 or fewer take less, since a draw would be the whole group.",
    does: "Only success counts. From the number of successes in a group follows the chance that k rollouts drawn from it hold one. Each rollout is credited with how much it adds to that chance, averaged over all draws. Both kinds of rollouts get one number each, divided by the chance's standard deviation.",
    answers:
      "If several tries are allowed, a task that half of the rollouts solve needs no more training. Training on the best of k tries would say so, but wastes rollouts on drawing. The closed form takes all ways to draw at once, without noise. Easy tasks get no push, and rare successes a large one.",
    watch:
      "How many groups still teach anything. With more than N - k successes every draw of k holds one, and all advantages are 0. In hard groups failures are hardly pushed down, so entropy stays higher. The score of single tries may stand still while that of the best of k rises. With k = 1 it is GRPO on successes.",
    sources:
      "The paper on pass@k training, and the authors' code, which gives the numbers of the tests. The code passes rewards other than 0 and 1 through unchanged. Here the environment's success is what counts, so that costs of actions play no part. In a group of k or fewer, k is one less than its size.",
  },
  "so-grpo": {
    source: "version 2 of the ST-PPO paper, a reading: notes; repository SORL not stored",
    uncertain:
      "Its text was not read. Two points are open. The turn's ratio is a geometric mean here; it may be the arithmetic mean of token ratios. Here version 1 normalises always, by the clipped gradient's norm; it may be only where the clip fraction exceeds 0.2.",
    does: "A rollout's advantage is GRPO's: its score against its task's others, the same for all its turns. The ratio is one per turn, the geometric mean of its tokens' ratios. The gradient is divided by the size of what the clip cut, as in ST-PPO.",
    answers:
      "ST-PPO steadies long training by two changes. One is a ratio per turn, the other a correction for the bias that clipping brings in. Both concern the objective, not the critic. They can be used where advantages come from groups, which saves the second network.",
    watch:
      "The denominator of the correction beside the gradient's norm. With max(1, .) nothing happens until much is cut. Turns of one rollout share the advantage, so good and bad turns are not told apart. Compare with GSPO, whose ratio spans the whole rollout, and with ST-PPO.",
    sources:
      "The second version of the ST-PPO paper names it. Its text and its repository could not be read: this is a reading of notes. They differ on the ratio (some say the arithmetic mean of token ratios) and on what sets the normalisation off. The correction here is the one that follows from the published lemma.",
  },
  gspo: {
    source: "eq. 5 to 7; verl/trainer/ppo/core_algos.py, compute_policy_loss_gspo",
    does: "The advantages are GRPO's, but a whole rollout has a single ratio: the geometric mean of its token ratios. A rollout stays within the clip range, or loses its whole gradient.",
    answers:
      "The reward belongs to the whole rollout, yet GRPO corrects and clips each token by its own ratio. The noise of these ratios accumulates over long answers. Matching the ratio to what is rewarded removes that noise; the geometric mean keeps its size independent of length.",
    watch:
      "Means vary much less than single ratios, so the range is tiny: 3e-4 down and 4e-4 up. Expect clip fractions far above those of token ratios; the authors report that as harmless. On short answers these limits may cut nearly everything: watch the clip fraction and widen them. In several turns the mean runs across all of them, so turns with many tokens decide.",
    sources:
      "The GSPO paper, equations 5 to 7, and verl's function for it. With one turn per episode this ratio equals that of a turn's geometric mean. So does the objective. What differs then is how advantages are formed.",
  },
  gmpo: {
    source: "eq. 4; verl/trainer/ppo/core_algos.py, compute_policy_loss_geo_mean",
    does: "Like GSPO, it uses the geometric mean of token ratios over a rollout. But it clips first: each token's log-ratio is limited where the advantage would push it too far, and then averaged.",
    answers:
      "A few extreme tokens dominate an arithmetic mean of token ratios; a geometric one is not. Clipping whole rollouts, as GSPO does, discards many good tokens because of a few bad ones. Here a clipped token loses its own gradient, and the others keep theirs.",
    watch:
      "The range is one of log-ratios: 0.4 allows ratios from about 0.67 to 1.49. It can be this wide because the mean dampens single tokens. Two kinds of clip fraction are easily confused: tokens outside the range, and tokens that lost their gradient. The latter are fewer, since the clip acts on one side only.",
    sources:
      "The GMPO paper, equation 4, and verl's function for it. The advantages are GRPO's, divided by the group's standard deviation. Other ratio levels can be set; then the clipped log-ratios are pooled over that unit.",
  },
  cispo: {
    source: "MiniMax-M1, eq. 4; verl/trainer/ppo/core_algos.py, compute_policy_loss_cispo",
    uncertain:
      "The paper tunes the upper limit only and does not print it; verl's default of 0.2 is kept.",
    does: "It is REINFORCE with a weight. The ratio of each token multiplies its gradient, but as a constant. It is clipped from above, and no gradient flows through it. So no token is dropped; a clipped one just counts a little less.",
    answers:
      "PPO's clip removes tokens whose ratio has moved too far. Those are often rare words at which the model changes course, the ones it should learn from. Limiting the weight instead of dropping the gradient keeps them.",
    watch:
      "Nothing stops a step that has already gone far enough, since even a token beyond the limit keeps its gradient. Watch the KL from the policy before the update, and prefer few updates per batch. The loss value itself means little: it is a weighted log-probability, not a surrogate of the reward.",
    sources:
      "The MiniMax-M1 paper, equation 4, and verl's function for it. The paper sets no lower limit: a lower range of 10 has no effect, since ratios are positive. It tunes the upper one without printing it; 0.2 is verl's default. The mean is over all tokens of the batch.",
  },
  sapo: {
    source: "verl/trainer/ppo/core_algos.py, compute_policy_loss_sapo; TRL has the same defaults",
    uncertain:
      "ARLArena's code chooses tau by the sign of a whole rollout's mean advantage, and averages over all tokens. Here tau follows the token's sign, as in verl.",
    does: "The advantages are GRPO's. Nothing is clipped: each token's ratio goes through a sigmoid. Its slope is 1 at a ratio of 1 and falls smoothly on both sides. So a token that has moved keeps a part of its gradient, less the further it is. A temperature sets how fast; it is a little higher where the advantage is negative.",
    answers:
      "A hard clip is all or nothing. Just inside the range a token counts in full, just outside not at all. Whole rollouts then lose their gradient because of a few tokens. A smooth gate keeps the direction of every token and still slows those that run away.",
    watch:
      "The clip fraction is 0, always; look at the share of the gradient that the gate takes instead. The loss is 2 A / tau at a ratio of 1, so its curve cannot be compared with PPO's. A gate never stops a step. ARLArena counts it among the tolerant clips, which can collapse after fast early gains in tasks of many turns. Its remedy drops rollouts of negative advantage that have become far less likely.",
    sources:
      "verl's function for it and TRL's, whose defaults agree: temperatures of 1 and 1.05. verl always takes the mean over trajectories of means over tokens. ARLArena's copy takes the temperature from the sign of a rollout's mean advantage and averages over all tokens. The two differ only where turns of one rollout have different advantages.",
  },
  "clip-cov": {
    source: "verl/trainer/ppo/core_algos.py, compute_policy_loss_clip_cov",
    uncertain:
      "The authors' scripts widen PPO's range to 1 on both sides, which is kept; verl's default is 0.2. The choice among candidates is random there, and here fixed by their number.",
    does: "The advantages are GRPO's and the clip PPO's, with a range so wide that it hardly acts. Then each token gets a covariance: how far its advantage is above the mean, times how far its log-probability is. Of those with a high one, but not the highest, a few are drawn at random. They lose their gradient.",
    answers:
      "Entropy falls where tokens that are likely already get credit. The paper shows that a few tokens do most of it. Once entropy is gone, exploration ends and the reward stops rising. Silencing these few keeps it, at almost no cost in signal.",
    watch:
      "The entropy: it should fall more slowly than GRPO's. One token at least is drawn in each minibatch that has a candidate, however small the share. With few tokens and small advantages there may be no candidate above 1. Which tokens are drawn depends on the minibatch, so a log cannot tell. The lens takes the recorded episodes as one.",
    sources:
      "The entropy-mechanism paper and verl's function for it. Share and limits are verl's defaults: 0.0002, 1 and 5. verl's clip fraction counts the drawn tokens only, as here. At other ratio levels whole turns or rollouts are drawn, with the mean of their tokens' log-probabilities.",
  },
  "kl-cov": {
    source: "verl/trainer/ppo/core_algos.py, compute_policy_loss_kl_cov",
    uncertain:
      "The authors' share is in percent: 0.002 for a small model, 0.0002 for a large one. Here it is verl's default, 0.0002.",
    does: "GRPO with its ratios as they are: nothing is clipped. The tokens of highest covariance between advantage and log-probability get an extra term, the distance of their log-ratio from 0. It pulls them back to the policy before the update, with constant force.",
    answers:
      "Clip-Cov takes the gradient from the tokens that would lower the entropy. A tether lets them move, but not run. It is gentler, and in the paper it held the entropy longest. It chooses the highest ones and not a random few, so nothing depends on a draw.",
    watch:
      "No clip at all limits the other tokens. Prefer few updates per batch, and watch the KL from the old policy. In the first step all log-ratios are 0, where the distance has no slope. The term acts from the second step on. In a minibatch of fewer than 5,000 tokens exactly one is tethered.",
    sources:
      "The entropy-mechanism paper and verl's function for it. The weight is 1. The authors' scripts give the share in percent: 0.2 for their smaller model, 0.02 for the larger one. verl's is a fraction, 0.0002 by default, as here.",
  },
  tis: {
    source: "verl/trainer/ppo/rollout_corr_helper.py, rollout_is token; TRL's token_truncate",
    uncertain:
      "Limits differ: 2 in verl (here), 3 in TRL, 5 in SkyRL. By the product over the rollout: sampler=sequence-truncate.",
    does: "The advantages and the clip are GRPO's. Each token's part of the loss is multiplied by a weight. It says how much likelier the token is in the training pass than in the sampler, at most 2. Both have the same weights; they differ only by how they compute.",
    answers:
      "Fast samplers use other kernels, other precision or quantised weights. So the tokens come from a slightly different policy than the one that is trained, and the gradient is biased. The ratio of the two is the usual remedy for samples of another distribution. Truncation keeps a single token from dominating.",
    watch:
      "The mean weight and the effective share of tokens, beside the sampler's KL. Here sampler and training pass nearly agree, so the row trains as GRPO does; a log from elsewhere shows more. A sampler with top-k or top-p draws from another distribution still, which these ratios do not repair.",
    sources:
      "verl's rollout correction and TRL's token_truncate. The limit is verl's 2; TRL has 3. The weights multiply the policy's loss only, not a KL or an entropy bonus. The setting sampler gives any row this correction, by tokens or by whole rollouts.",
  },
  mis: {
    source: "verl/trainer/ppo/rollout_corr_helper.py, rollout_rs seq_sum_k1",
    uncertain:
      "The name also stands for masks that keep the ratio as a weight. Those are sampler=sequence-mask (TRL's default, up to 3) and token-mask (IcePop). The product depends on length; sampler=mean-reject, from 0.999 to 1.001, does not.",
    does: "GRPO that leaves out rollouts on which sampler and training pass disagree. Their probabilities of the whole rollout may differ by a factor of two at most. A rollout beyond that counts nowhere in the loss. Its score still counts in its group's mean.",
    answers:
      "A large gap is a sign that something went wrong: a broken cache, an overflow, a tokeniser that splits otherwise. Weighting such a rollout trusts the broken number. Leaving it out trusts neither side.",
    watch:
      "The share of rejected rollouts. The product over tokens moves with length, so that long rollouts are rejected more often. A policy may learn to be brief. The geometric mean over tokens has no such bias, but its limits must be close to 1. With few rollouts left the steps are noisy.",
    sources:
      "verl's rejection by seq_sum_k1, from 0.5 to 2. Its code bounds the inverse ratio, which is the same for such limits. Others call masks that keep the ratio as a weight MIS as well; sampler=sequence-mask and token-mask are those. In verl rejected rollouts keep their places in the minibatches, here they have none.",
  },
  "token-mis": {
    source: "verl/trainer/ppo/rollout_corr_helper.py, rollout_rs token_k1",
    uncertain:
      "verl rejects before it forms advantages; here these count every token. Its bounds are of the inverse ratio.",
    does: "GRPO that leaves out single tokens on which sampler and training pass disagree. Their probabilities of the token may differ by a factor of two at most. A token beyond that counts nowhere in the loss, not even in its denominators. The rest of its rollout stays.",
    answers:
      "A whole rollout is a high price for one odd token. Long rollouts have some almost surely, so that rejection by the product leaves short ones. By token the loss of data is small, whatever the length. Weights would trust the broken number instead.",
    watch:
      "The shares of rejected tokens, and of rollouts that have one. The mean runs over the tokens that are left, so the others weigh more. Rare tokens have the largest gaps. Leaving them out biases the gradient towards what the policy does anyway.",
    sources:
      "verl's rejection by token_k1, from 0.5 to 2, whose kept tokens give the numbers of the tests. A ratio of turns or rollouts is pooled over the tokens that are left, as there. Rollouts without any token left do not count. The setting sampler=token-reject gives any row this correction. For weights in place of rejection see TIS.",
  },
  "dppo-tv": {
    source: "binary total variation; verl/trainer/ppo/core_algos.py, compute_policy_loss_dppo_tv",
    uncertain:
      "The ratio's cap differs: 20 in a comment of verl's code, 10,000 in the authors' script, which is kept. The forms over the likeliest k tokens are not here.",
    does: "A token is left out once its probability has moved too far in the direction of its advantage. The probability is compared, not the ratio. All other tokens have their ratio as a constant weight, as in CISPO, with a very high cap.",
    answers:
      "A ratio says little about how much a policy changed. From 0.001 to 0.002 is a ratio of 2 and changes almost nothing. From 0.9 to 0.72 is a ratio of 0.8 and moves a fifth of all samples. PPO's clip cuts the first and allows the second. The change of probability is a bound on the distance that trust regions are about.",
    watch:
      "The limits are probabilities: 0.15 down and up. A PPO configuration's 0.2 is looser than it seems. The clip panel can draw no band here, because the limit on a ratio depends on the token's probability. Loss values are weighted log-probabilities, no surrogate of the reward.",
    sources:
      "The binary form with total variation of the DPPO paper, as in verl's function for it. verl takes its limits from the keys of PPO's range, as here epsLow and epsHigh. The cap is dualClip: 20 in a comment there, 10,000 in the authors' script. Only the sampled token's probability is compared; forms over the likeliest tokens exist and are not here. prime-rl's copy compares with the sampler's log-probabilities and adds a small square.",
  },
  "dppo-kl": {
    source: "binary KL; verl/trainer/ppo/core_algos.py, compute_policy_loss_dppo_kl",
    uncertain:
      "The ratio's cap differs: 20 in a comment of verl's code, 10,000 in the authors' script, which is kept. The forms over the likeliest k tokens are not here.",
    does: "Like DPPO with total variation, but the distance is a KL. It is that of two coins, which show the sampled token with the old and the new probability. Beyond the limit a token that moves with its advantage loses its gradient. One that moves against it keeps it.",
    answers:
      "A change from 0.001 to 0.05 is small as a difference, and large for whoever relies on rare events. The KL sees both ends. It grows when a frequent token is pushed down, and when an almost impossible one is pulled up. It still allows far more for rare tokens than a ratio's range does.",
    watch:
      "The limit is 0.05, in nats. With a limit of 0.2, as a PPO configuration has, almost nothing is cut. Close to a probability of 1 the KL explodes: tokens that were certain before the update are held at once. Compare which tokens this and the other form cut on the same batch.",
    sources:
      "The binary form with KL of the DPPO paper, as in verl's function for it. The 1e-8 inside the logarithm is verl's. Limits and cap have the same keys as in the form with total variation. The authors' script sums over tokens and divides by a constant, as Dr.GRPO does; so does this row.",
  },
  dro: {
    source: "verl/trainer/ppo/core_algos.py, compute_policy_loss_dro",
    uncertain:
      "verl's loss leaves advantages and beta to the user. Here: score minus the group's mean, as a stand-in for the paper's trained value, and 0.05 as in Tinker's example.",
    does: "REINFORCE on scores minus the group's mean, with one more term. It is beta times half the square of the log-ratio to the policy before the update. Each token is pulled back the further it has moved. There is no ratio and no clip.",
    answers:
      "Ratios correct for stale samples, but they are noisy, and clips throw gradients away. A square does neither. The gradient is beta times the log-ratio, minus the advantage. It vanishes where the log-ratio is the advantage divided by beta. So each token has a point where it comes to rest, and data from an older policy does no harm.",
    watch:
      "Beta has the unit of advantages. If rewards double, so does the distance at which tokens rest: choose it for the scale of the scores. In the first step of a batch all log-ratios are 0, and it is exactly REINFORCE. The term acts only with several updates per batch. Watch the KL from the old policy against 1 / beta.",
    sources:
      "verl's loss of this name, which leaves beta and the advantages to the user. The DRO paper trains a value beside the policy by the same square and subtracts it from the reward. The group's mean stands in for it here. Beta is 0.05, as in an example of Tinker's documentation. The weight is betaOld, and any row can have it.",
  },
};
