/**
 * The metrics of a run. Each has a line `name | level | title [unit] | source | its name elsewhere`, a line with its meaning, and
 * one with its healthy range if known. `*` is a placeholder for the environment's name or a turn's number; `{mean,max}` in a
 * name is two metrics, and their words follow in that order.
 *
 * Healthy ranges are rules of thumb for large models; models as small as these are noisier
 * (test/bench/RESULTS.md).
 */

/** Documentation of a metric. */
export interface MetricEntry {
  name: string;
  /** What one number belongs to: token, turn, trajectory, group or update. */
  level: string;
  /** In charts. */
  title: string;
  /** "" for a number without one. */
  unit: string;
  /** verl, TRL, RAGEN or verl-agent; ours if no standard name exists. */
  source: string;
  /** The same number's name elsewhere. */
  also: string | undefined;
  meaning: string;
  healthy: string | undefined;
}

/** Unit of shares; their numbers are written in percent. */
export const PERCENT = "%";

const TABLE = `
actor/pg_loss | update | Policy loss | verl | TRL loss/policy_avg
  Policy loss, without KL and entropy terms
actor/pg_clipfrac | token | Clipped tokens [%] | verl | TRL policy/clipfrac_avg
  Share of tokens whose loss the range clip determines
  healthy: up to 0.2 for token ratios, more for turn ratios; above 0.5, or 0 for long, is a warning sign
actor/pg_clipfrac_lower | token | Tokens cut by dual clip [%] | verl
  Share of tokens whose loss the dual clip determines
  healthy: below 0.1
actor/clip_cut_share | token | Gradient cut by the clip [%] | ours
  Share of the gradient's absolute weight that clips cut away
clip_ratio/low_mean | token | Tokens clipped below [%] | TRL
  Share clipped below 1 - epsLow, where the advantage is negative
clip_ratio/low_min | token | Tokens clipped below, smallest [%] | TRL
  Its minimum over an iteration's minibatches
clip_ratio/high_mean | token | Tokens clipped above [%] | TRL
  Share clipped above 1 + epsHigh, where the advantage is positive
clip_ratio/high_max | token | Tokens clipped above, largest [%] | TRL
  Its maximum over an iteration's minibatches
clip_ratio/region_mean | token | Tokens clipped on either side [%] | TRL
  Share clipped on either side
actor/ppo_kl | token | KL to the sampler (k1) [nats] | verl
  Mean of log pi_old - log pi (k1); its sign may flip
  healthy: up to 0.02 per update; above 0.05 for long is a warning sign
policy/approxkl_avg | token | KL to the sampler (k2) [nats] | TRL
  Half the mean squared log-ratio (k2)
  healthy: up to 0.02 per update
actor/ppo_kl_k3 | token | KL to the sampler (k3) [nats] | ours
  Mean of ratio - 1 - log ratio (k3): never negative, steadier than k1
  healthy: up to 0.02 per update; the doctor reports 0.2 twice in a row
actor/ratio/mean | token | Mean token ratio | ours | TRL val/ratio
  Mean of the token ratios pi / pi_old
  healthy: about 1
actor/ratio/max | token | Largest token ratio | ours
  Largest token ratio
  healthy: below 5; above 20 is a warning sign
actor/ratio/min | token | Smallest token ratio | ours
  Smallest token ratio
val/ratio_var | token | Token ratio, variance | TRL
  Variance of the token ratios
actor/entropy | token | Policy entropy [nats] | verl | TRL entropy
  Mean entropy of the sampling distributions of tokens
  healthy: declines slowly; a sudden drop or a rise beyond twice the start is a warning sign
actor/entropy/* | turn | Policy entropy, turn * [nats] | ours
  The same in the h-th turns, under the policy that sampled
actor/kl_loss | token | KL to the reference [nats] | verl | TRL kl
  k3 against the reference policy, as used in the loss
actor/regulariser | token | Own regulariser | ours
  What the code of a method's own regulariser adds to the loss
actor/success_lm_loss | token | Loss on successful rollouts [nats] | ours
  Mean negative log-probability of successful rollouts' tokens
actor/grad_norm | update | Policy gradient norm | verl
  Norm of the actor's gradient before clipping
  healthy: steady; spikes at constant reward are late signs of collapse (RAGEN)
actor/lr | update | Policy learning rate | verl
  The actor's learning rate
actor/turn_clipfrac | turn | Clipped turns [%] | ours
  Share of turns with at least one clipped token
actor/turn_clipfrac/* | turn | Clipped turns, turn * [%] | ours
  The same among the h-th turns
actor/turn_ratio/mean | turn | Mean turn ratio | ours
  Mean ratio of whole turns (product, or geometric mean where the loss uses that)
actor/turn_ratio/max | turn | Largest turn ratio | ours
  Largest ratio of a turn
actor/turn_ratio/min | turn | Smallest turn ratio | ours
  Smallest ratio of a turn
actor/turn_ratio/std | turn | Turn ratio, standard deviation | ours
  Their standard deviation
actor/turn_logratio_abs_max | turn | Turn log-ratio, largest size [nats] | ours
  Largest absolute log-ratio of a turn; 20 is where it is clamped
actor/alignment | turn | Advantage and log-ratio, correlation | ours
  Correlation of turns' advantages with their log-ratios after the iteration's updates (with evaluation.alignment)
  healthy: the higher the better; near 0 updates mostly follow noise
actor/turn_logratio_std | turn | Turn log-ratio, standard deviation [nats] | ours
  Standard deviation of turns' log-ratios after the iteration's updates (with evaluation.alignment)
actor/turn_ratio_ess | turn | Effective share of turns [%] | ours
  Effective share of turns under their ratios; 1: all weigh the same
critic/score/{mean,max,min} | trajectory | {Mean,Largest,Smallest} reward | verl
  Rewards of an episode, summed: {mean,largest,smallest}
critic/rewards/{mean,max,min} | trajectory | {Mean,Largest,Smallest} reward after penalties | verl
  The same after penalties on the reward: {mean,largest,smallest}
critic/advantages/{mean,max,min} | token | {Mean,Largest,Smallest} advantage | verl
  Advantages after normalisation: {mean,largest,smallest}
critic/returns/{mean,max,min} | token | {Mean,Largest,Smallest} critic target | verl
  Target of the critic: {mean,largest,smallest}
critic/values/{mean,max,min} | token | {Mean,Largest,Smallest} value | verl
  The critic's prediction at sampling time: {mean,largest,smallest}
critic/vf_loss | update | Value loss | verl | TRL loss/value_avg
  Value loss
critic/vf_clipfrac | update | Clipped values [%] | verl | TRL val/clipfrac_avg
  Share of values whose clipped loss is the larger
critic/vpred_mean | update | Mean prediction in training | verl
  Mean prediction of the critic being trained
critic/vf_explained_var | token | Explained variance of the critic | verl
  Explained variance: 1 - Var(R - V) / Var(R), of tokens or turns as the critic predicts
  healthy: rises to 0.3 and more; below 0 after twenty updates is worse than a constant
critic/turn_vf_explained_var | turn | Explained variance over turns | ours
  The same over turns
critic/turn_vf_explained_var/* | turn | Explained variance, turn * | ours
  The same of V before the h-th turns
critic/turn_td_error/abs_mean | turn | Mean size of the TD error | ours
  Mean absolute TD error of turns
critic/turn_adv_std/* | turn | Advantage spread, turn * | ours
  Spread of advantages among the h-th turns
critic/grad_norm | update | Critic gradient norm | verl
  Norm of the critic's gradient before clipping
critic/lr | update | Critic learning rate | verl
  The critic's learning rate
reward_std | trajectory | Reward spread | TRL
  Spread of rewards among all episodes of the iteration
rollout/in_group_reward_std | group | Reward spread within groups | RAGEN | OpenRLHF group_reward_std
  Mean spread of rewards inside groups
  healthy: above 0; RAGEN stops after ten iterations below a tenth of the first ten
rollout/in_group_max | group | Best reward of a group | RAGEN
  Mean of each group's best reward
frac_reward_zero_std | group | Groups without spread [%] | TRL
  Share of groups whose rewards are all the same: a group baseline learns nothing from them
  healthy: below a half
rollout/filter_kept_ratio | group | Groups kept by the filter [%] | RAGEN
  Share of groups that the filter keeps
  healthy: above 0; RAGEN stops after 0 five times in a row
rollout/filter_zero_count | group | Groups without spread, count [groups] | RAGEN
  Groups whose rewards are all the same, where groups are filtered
rollout/chosen_in_group_reward_std | group | Reward spread within kept groups | RAGEN
  Mean spread of rewards inside the groups that the filter keeps
  healthy: above rollout/in_group_reward_std, where it keeps those that differ most
rollout/chosen_in_group_max | group | Best reward of a kept group | RAGEN
  Mean of the best reward of each of these groups
*/pass@* | group | Groups with a success [%] | RAGEN
  Share of groups of that size with at least one success
*/success | trajectory | Success rate [%] | RAGEN
  Share of episodes solved
*/thought_reads | turn | Thoughts that can be read [%] | ours
  Share of turns whose thought has only the solver's forms
*/thought_agrees | turn | Thoughts that say what the answer does [%] | ours
  Share of turns whose thought names exactly the answer's moves
  healthy: near 1; below a half the thought no longer explains the answer
*/thought_fits | turn | Thoughts that fit the board [%] | ours
  Share of turns whose thought says nothing false about the board
*/thought_works | turn | Thoughts whose moves work [%] | ours
  Share of turns whose thought names only moves that do what it says: no wall in the way, pushes that push
*/success_purchase | trajectory | Trips with a purchase [%] | RAGEN
  Share of shopping trips that end with a purchase, right or not
*/success_find | trajectory | Trips with the full reward [%] | RAGEN
  Share of shopping trips that end with the full reward: every requirement is met
*/end_of_page | trajectory | Trips that ran out of pages [%] | RAGEN
  Share of shopping trips that reached results without any way on but back
*/action_is_valid | turn | Valid turns [%] | RAGEN | verl-agent episode/valid_action_ratio
  Share of turns whose response was a valid action
  healthy: steady and high
episode/valid_action_ratio | turn | Valid turns (verl-agent) [%] | verl-agent
  The same under verl-agent's name
  healthy: steady and high
*/action_is_effective | turn | Turns that changed something [%] | RAGEN
  Share of turns that changed the observation
*/num_actions | trajectory | Actions per episode [actions] | RAGEN
  Mean number of executed actions
num_turns/{mean,max,min} | trajectory | {Mean,Largest,Smallest} number of turns [turns] | verl
  Turns of an episode: {mean,largest,smallest}
prompt_length/{mean,max,min} | turn | {Mean,Largest,Smallest} prompt length [tokens] | verl
  Tokens of a turn's query: {mean,largest,smallest}
response_length/{mean,max,min} | turn | {Mean,Largest,Smallest} response length [tokens] | verl
  Tokens of a response, its stop token included: {mean,largest,smallest}
response_length/clip_ratio | turn | Responses at the token limit [%] | verl
  Share of responses as long as the token limit, ended or not
completions/clipped_ratio | turn | Responses cut off [%] | TRL
  Share of responses that were cut off: no stop token at their end
  healthy: steady and low; near 1 no response ends by itself
completions/mean_terminated_length | turn | Length of ended responses [tokens] | TRL
  Mean tokens of responses that ended by themselves
turn_len/mean | turn | Response length [tokens] | ours
  Mean tokens of a response
turn_len/mean/* | turn | Response length, turn * [tokens] | ours
  The same in the h-th turns
rollout/top_first_response | trajectory | Most common first response [%] | ours
  Share of the most common first response over all tasks; near 1: one answer for everything
training/rollout_probs_diff_mean | token | Sampler mismatch, probability | verl
  Mean difference of probabilities, sampler against training pass
  healthy: below 0.01
training/rollout_probs_diff_max | token | Sampler mismatch, largest probability | verl
  The largest
training/rollout_probs_diff_std | token | Sampler mismatch, standard deviation | verl
  Their standard deviation
training/rollout_logprob_diff_mean | token | Sampler mismatch, log-probability [nats] | ours
  Mean difference of log-probs, sampler against training pass
  healthy: below 0.01
training/rollout_logprob_diff_max | token | Sampler mismatch, largest log-probability [nats] | ours
  The largest
rollout_corr/kl | token | Sampler KL (k1) [nats] | verl
  KL of the sampler against the training pass (k1)
  healthy: about 0
rollout_corr/k3_kl | token | Sampler KL (k3) [nats] | verl
  The same by k3
rollout_corr/ppl_ratio | trajectory | Perplexity, training over sampler | verl
  Perplexity of the training pass over the sampler's, mean over trajectories
  healthy: about 1
rollout_corr/rollout_is_mean | token | Sampler correction, mean weight | verl | TRL sampling/importance_sampling_ratio/mean
  Mean weight pi_train / pi_rollout
  healthy: about 1
rollout_corr/rollout_is_max | token | Sampler correction, largest weight | verl | TRL sampling/importance_sampling_ratio/max
  Largest such weight
rollout_corr/rollout_rs_seq_masked_fraction | trajectory | Sampler correction, rejected rollouts [%] | verl
  Share of rollouts left out since sampler and training pass disagree
  healthy: about 0
rollout_corr/rollout_rs_masked_fraction | token | Sampler correction, rejected tokens [%] | verl
  Share of tokens left out since sampler and training pass disagree
  healthy: about 0
rollout_corr/rollout_is_eff_sample_size | token | Sampler correction, effective share [%] | verl
  Effective share of tokens under these weights
  healthy: about 1
collapse_first_turn_sample/mi_seq_estimate | turn | Prompt and response, mutual information [nats] | RAGEN
  Mutual information of prompts and whole first responses, in nats
  healthy: well above 0; near 0 with entropy still high is template collapse
collapse_first_turn_sample/mi_estimate | token | Prompt and token, mutual information [nats] | RAGEN
  The same of a response's mean token
collapse_first_turn_sample/mi_upper_bound | turn | Mutual information, upper bound [nats] | RAGEN
  log N for N prompts: each is distinguished from all others
collapse_first_turn_sample/conditional_entropy_seq_est | turn | Response variety, same prompt [nats] | RAGEN
  H(Z|X): how much responses vary for the same prompt, in nats
collapse_first_turn_sample/conditional_entropy_est | token | Token variety, same prompt [nats] | RAGEN
  The same of a response's mean token
collapse_first_turn_sample/reasoning_entropy_seq_est | turn | Response variety, all prompts [nats] | RAGEN
  H(Z): how much responses vary over all prompts, in nats
collapse_first_turn_sample/reasoning_entropy_est | token | Token variety, all prompts [nats] | RAGEN
  The same of a response's mean token
collapse_first_turn_sample/retrieval_accuracy | turn | Responses matched to their prompt [%] | RAGEN
  Share of responses that their own prompt makes likeliest
collapse_first_turn_sample/retrieval_chance_level | turn | The same by chance [%] | RAGEN
  The chance level: 1/N
process/mean | turn | Process reward per turn | ours
  Mean process reward added per turn, eta included
process/correlation | turn | Process score and truth, correlation | ours
  Pearson correlation of the provider's scores with the exact ones without noise; absent where either is constant
  healthy: 1 for an exact provider without noise
process/judge_loss | turn | Judge loss [nats] | ours
  Cross-entropy of the learned judge on the labels it is taught, mean over its updates
  healthy: below 0.69, which is guessing
process/accuracy | turn | Judge accuracy [%] | ours
  Share of turns, of tasks without labels, that the learned judge classifies correctly
  healthy: above process/majority
process/majority | turn | Accuracy of the commoner label [%] | ours
  The share reached by always predicting the more frequent label
q/loss | turn | Q loss | ours
  Half the squared error of Iterative PPO's Q in scaled rewards, mean over its updates
q/explained_var/before_fit | turn | Explained variance of Q, before the fit | ours
  Share of the outcomes' variance that Q explains before it is fitted to any of them
  healthy: above 0 after a few iterations
q/explained_var/fitted | turn | Explained variance of Q, fitted tasks | ours
  Share of the outcomes' variance that Q explains after the fit, on its own tasks
q/explained_var/held_out | turn | Explained variance of Q, held-out tasks | ours
  Share of the outcomes' variance that Q explains after the fit, on held-out tasks
  healthy: above 0 and near that of the fitted tasks; below 0 Q has memorised them
q/mean | turn | Mean Q | ours
  Mean Q of the logged turns, in the environment's rewards
q/gain | turn | Gain by Q | ours
  How much higher Q rates the last inner round's responses in the logged states than the logged ones; 0 with one round
  healthy: above 0 on average: else the inner algorithm does not follow Q
q/action_correlation | turn | Q and truth, correlation of differences | ours
  Correlation of Q's difference between two responses in one state with the exact potential's; needs two inner rounds
  healthy: above 0: at 0 Q distinguishes only states, and following it improves nothing
q/true_gain | turn | Gain by the truth | ours
  q/gain by the exact potential instead of Q, between the first two inner rounds
  healthy: above 0 on average
actor/reward_kl_penalty | token | KL subtracted from rewards [nats] | verl
  Mean k1 against the reference, as subtracted from rewards
actor/reward_kl_penalty_coeff | update | Weight of KL in the reward | verl
  Weight of KL in the reward in this iteration, fixed or adaptive
actor/clip_bias_norm/mean | update | Gradient removed by the clip, mean norm | ours
  Size of the gradient that the clip removed, in the scope of clipBiasScope
actor/clip_bias_norm/max | update | Gradient removed by the clip, largest norm | ours
  Largest size of the gradient that the clip removed
actor/clip_bias_denominator/mean | update | Divisor of the policy gradient | ours
  Divisor of the policy's gradient
rollout/greedy_score/mean | trajectory | Reward of greedy rollouts | ours
  Mean score of the greedy rollouts that ReMax compares with
*/answer_gain/mean | turn | Answer gain, mean | ours
  Mean increase per turn in the right answer's probability
*/potential_gain/mean | turn | Moves saved, mean [moves] | ours
  Mean decrease per turn in the fewest moves left: used instead of information gain where no answer text exists
*/answer_gain/max | turn | Answer gain, largest | ours
  Largest increase of a turn in the right answer's probability
*/potential_gain/max | turn | Moves saved, largest [moves] | ours
  Largest decrease of a turn in the fewest moves left: used instead of information gain where no answer text exists
*/answer_gain/min | turn | Answer gain, smallest | ours
  Smallest increase of a turn in the right answer's probability
*/potential_gain/min | turn | Moves saved, smallest [moves] | ours
  Smallest decrease of a turn in the fewest moves left: used instead of information gain where no answer text exists
{,eval_}loss | trajectory | Preference loss{, (held-out)} [nats] | TRL
  Loss on preference pairs{, (held-out pairs)}
{,eval_}rewards/chosen | trajectory | Implicit reward, better response{, (held-out)} [nats] | TRL
  Implicit reward of the better responses: beta times their log-ratio to the reference{, (held-out pairs)}
{,eval_}rewards/rejected | trajectory | Implicit reward, worse response{, (held-out)} [nats] | TRL
  Implicit reward of the worse responses: beta times their log-ratio to the reference{, (held-out pairs)}
{,eval_}rewards/accuracies | trajectory | Pairs ranked correctly{, (held-out)} [%] | TRL
  Share of pairs whose better response has the higher implicit reward{, (held-out pairs)}
{,eval_}rewards/margins | trajectory | Implicit reward, difference{, (held-out)} [nats] | TRL
  Implicit reward of the better minus that of the worse responses{, (held-out pairs)}
{,eval_}logps/chosen | trajectory | Log-probability, better response{, (held-out)} [nats] | TRL
  Log-probability of the better responses{, (held-out pairs)}
{,eval_}logps/rejected | trajectory | Log-probability, worse response{, (held-out)} [nats] | TRL
  Log-probability of the worse responses{, (held-out pairs)}
{,eval_}kl/chosen | trajectory | KL, better response{, (held-out)} [nats] | ours
  KL of policy and reference summed over the better responses' tokens{, (held-out pairs)}
{,eval_}kl/rejected | trajectory | KL, worse response{, (held-out)} [nats] | ours
  KL of policy and reference summed over the worse responses' tokens{, (held-out pairs)}
{,eval_}kl/margin | trajectory | KL, difference{, (held-out)} [nats] | ours
  KL over the worse minus KL over the better responses{, (held-out pairs)}
{,eval_}kl | trajectory | KL, both responses{, (held-out)} [nats] | ours
  KL of policy and reference over the tokens of a pair's responses{, (held-out pairs)}
pairs/train | group | Pairs for training [pairs] | ours
  Pairs for training
pairs/held_out | group | Held-out pairs [pairs] | ours
  Pairs held out for evaluation
pairs/task_share | group | Tasks with a pair [%] | ours
  Share of tasks whose rollouts differ enough for a pair
pairs/return_gap | group | Return gap within pairs | ours
  Mean difference in return within a pair
`;

export const metricTable: readonly MetricEntry[] = TABLE.trim()
  .split(/\n(?! )/)
  .flatMap(alternatives)
  .map((text): MetricEntry => {
    const [head, meaning, healthy] = text.split("\n  ") as [string, string, string?];
    const [name, level, titled, source, also] = head.split(" | ") as [
      string,
      string,
      string,
      string,
      string?,
    ];
    const [, title, unit = ""] = /^(.*?)(?: \[(.*)\])?$/.exec(titled)!;
    return {
      name,
      level,
      title: title!,
      unit,
      source,
      also,
      meaning,
      healthy: healthy?.slice("healthy: ".length),
    };
  });

/** "{a,b} c" is "a c" and "b c". */
function alternatives(text: string): string[] {
  const count = /\{(.*?)\}/.exec(text)?.[1]!.split(",").length ?? 1;
  return Array.from({ length: count }, (_, i) =>
    text.replace(/\{(.*?)\}/g, (_all, parts: string) => parts.split(",")[i]!),
  );
}

/** The entry of a metric, by its own name or by a pattern with `*`; undefined if unknown. Its title has the turn's number. */
export function metricEntry(name: string): MetricEntry | undefined {
  const entry =
    metricTable.find((entry) => entry.name === name) ??
    metricTable.find((entry) => patternOf(entry.name).test(name));
  return entry && { ...entry, title: entry.title.replace("*", name.split("/").at(-1)!) };
}

function patternOf(name: string): RegExp {
  const literal = name.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${literal.join("[^/]+")}$`);
}
