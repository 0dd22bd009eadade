/** Texts of the algorithms that compare single turns within groups. */
import type { TableText } from "./text.ts";

export const turnGroupTexts: Record<string, TableText> = {
  gigpo: {
    source: "eq. 3 to 8; verl-agent gigpo/core_gigpo.py",
    does: "Two comparisons are added. Whole episodes are compared with the other rollouts of the task, as in GRPO. Then turns of the task's rollouts that start from exactly the same state are compared. What counts is what followed them, discounted per turn.",
    answers:
      "GRPO cannot distinguish a good move from a bad one in the same episode. But rollouts of one task often pass through the same states. Where they diverge, one sees which move led further. That is a comparison of turns without a critic.",
    watch:
      "How often states recur. A state met only once adds nothing, and if none recurs this is GRPO without its divisor. Sokoban repeats boards often; a shop with long histories hardly does. Rollouts that walk in circles revisit their own states, so their early and late returns are compared.",
    sources:
      "The GiGPO paper, equations 3 to 8, and the code in verl-agent. That code counts an episode once for each of its turns in the group's mean, so long episodes weigh more. The setting groupCount selects that; the default counts each once. Its default leaves out the division by the standard deviation, as here.",
  },
  sampo: {
    source: "ARLArena, eq. 8 and supplement, eq. S12 to S19",
    uncertain:
      "The paper's appendix clips WebShop at 0.03 down and 0.04 up and divides by standard deviations. Notes of the script have 0.003 and 0.004 and no divisor. Here: the appendix's widths, no divisor. A sequence there is one turn.",
    does: "The credit is GiGPO's: episodes of a task are compared, and turns that start from the same state. Each turn has one ratio, the geometric mean of its tokens', clipped in a narrow range. Groups that all succeed or all fail are left out. The loss is a mean over all tokens.",
    answers:
      "ARLArena trained agents with every combination of clip, advantage, filter and aggregation, and asked which one keeps training stable. Clips that tolerate single tokens far off made it fast and then let it collapse. One ratio for the whole action of a turn held. The other parts added a little each.",
    watch:
      "The filter judges by success, not by what GiGPO compares. A group that always fails may still have turns of different returns, and they are dropped. With hard tasks most of the batch goes. The range is a hundred times GSPO's and a seventh of PPO's: look at the clip fraction first.",
    sources:
      "The ARLArena paper, equation 8, and its supplement. It splits a rollout into one row per turn, so that its sequence ratio is a turn's here. The widths are the appendix's for WebShop; the released script, read through notes, has a tenth of them. Its supervised start and its penalty for wrong format are matters of the experiment, not of this row.",
  },
  gagpo: {
    source: "a reading: two independent summaries that agree; no author code",
    uncertain:
      "The paper's text was not read. Open: gamma, lambda and the weight of the KL. Also whether the group's normalisation runs over turns or rollouts, with which standard deviation and constant.",
    does: "The value of a state is the mean return of the turns that start from it, over the task's rollouts. Returns are discounted per turn. On these values it runs generalised advantage estimation over turns, as Turn-PPO does on its critic's. The result is normalised over all turns of the group. The ratio is one per turn.",
    answers:
      "GiGPO compares a turn's whole return with the mean of its state, which leaves in all noise of later turns. A bootstrap from the next state's mean removes part of it. A critic would do the same, but is another network to train. Here the group itself is the critic.",
    watch:
      "How many states recur. A state met once is worth its own return. With lambda 1 its turn gets 0, with a smaller one only the neighbours' values speak. Exact matches are needed, so free text as state helps little. With lambda 1 this is GiGPO's comparison of states.",
    sources:
      "Two independent summaries of the GAGPO paper, which agree on the definition: a reading. Neither the paper's text nor author code was at hand. They report that lambda 0, Monte-Carlo returns, no normalisation and token ratios are all worse. gamma 0.95, lambda 0.9 and the unbiased standard deviation over turns are choices made here.",
  },
  hgpo: {
    source: "read in code: OliverLeeXZ/SERL recipe/hgpo/core_hgpo.py",
    uncertain:
      "The code weighs matches of 1, 2, 3 states by 2, 3, 4, and drops comparisons that give 0. The paper, read through notes, weighs them by 1, 2, 3: historyWeights=past.",
    does: "Turns of a task's rollouts are compared where they start from the same state. They are compared again where their last two states are the same, and their last three. Each comparison takes the return from the turn on, discounted per turn, less the mean of its group. A turn's advantage is the weighted mean of these differences. Longer shared histories weigh more.",
    answers:
      "A policy acts on what its prompt holds, earlier states included. GiGPO compares turns in the same state even if they came there in different ways, which mixes situations. Requiring the same history is fairer but leaves few partners. A hierarchy uses whatever matches there are.",
    watch:
      "Turns without a partner at any level get 0 and teach nothing. Unlike GiGPO it adds no score of the whole episode. Long matches are rare in small groups. A state whose text holds a step counter never recurs. A rollout that walks in circles is its own partner.",
    sources:
      "The HGPO paper and the recipe in a fork of verl-agent, which was read. Its defaults are here: 2 earlier states, exponent 1, no division by a standard deviation, k3 at 0.01. historyWeights selects the paper's weights, which are known through notes, or adds the episode's score, as the code's base_group does. The code's penalty on invalid actions belongs to the environment.",
  },
  "mt-grpo": {
    source: "eq. 6 and 7",
    uncertain:
      "Turn k is compared with the group's k-th turns that are not last. The official code scores only the time before the first tool result; other code adds no later turns (laterTurns=outcome). The paper's k3 needs betaKl.",
    does: "A turn's own reward is compared with the rewards of the same turn in the other rollouts of the task. So is the outcome at the end. An earlier turn gets its own score and those of later turns, the outcome's included. Each turn between multiplies them by alpha once more. The last turn gets the outcome's alone.",
    answers:
      "If only the end is rewarded, a good search followed by a bad answer is punished as a whole. Some turns can be judged by themselves, say by whether a tool call worked. That signal should reach that turn alone.",
    watch:
      "It needs rewards during the episode; without them, turn scores are 0 and this is GRPO. Comparing turns by their number assumes that rollouts are equally long. If some stop earlier, the mean at a late turn is over the survivors only. It then depends on when others stopped.",
    sources:
      "Equations 6 and 7 of the MT-GRPO paper have two turns, a tool call and an answer. Its form for K turns follows there. The k-th turn is compared with the k-th turns of its group that are not their rollout's last. One without a counterpart scores 0. Experiments of revision 1 credit a turn with its own score and the outcome's alone: laterTurns=outcome.",
  },
  a2tgpo: {
    source: "sec. 3 (read through an article); CuSO4-Chen/A-TGPO (read in part)",
    uncertain:
      "The gain is the rise of the probability of the right answer's text. A Sokoban level has no such text. Here the fall of the fewest moves left replaces it, with a label.",
    does: "Each turn has a gain: how much likelier the right answer became through it. Gains are compared with those of the same turn in the task's other rollouts. They are then summed from the turn on and divided by the root of how many were summed. That, times alpha, is added to the outcome's score. Turns of high gain also get a wider clip range.",
    answers:
      "Rewards at the end say little about single turns, and judging turns by hand is expensive. The model's own belief in the answer is a free signal. The root prevents early turns, which sum more terms, from getting larger credit for that alone.",
    watch:
      "The gain measures belief, not truth: a turn may make the model confident for bad reasons. Compare gains with the outcome; if they do not correlate, lower alpha. Watch whether clip factors crowd at their limits.",
    sources:
      "The A2TGPO paper, read through an article, and its code, read in part. The gain needs a ground-truth text. Mock WebShop has one, the target item. Sokoban has none. There the rise of the critic's value or of the solver's potential replaces it, labelled as a substitute.",
  },
};
