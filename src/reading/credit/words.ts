/** Why a row has no numbers of its own, or other ones than in training. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  noOtherRollout: (title: string) =>
    `${title} compares the rollouts of one task; no other one of this task is recorded, so its reward stands unchanged`,
  playedOnce: (title: string) =>
    `${title} compares the rollouts of one task; this one was played once, so its reward stands unchanged`,
  normalisedAsTrained: (played: number | null) =>
    `normalised over all ${played === null ? "" : `${played} `}episodes, as trained`,
  normalisedOver: (recorded: number, played: number | null) =>
    played === null
      ? `normalised over the ${counted(recorded, "recorded episode")}`
      : `normalised over ${recorded} of ${played} episodes`,
  notNormalised: "not normalised: the log has no tokens",
  oneEpisode: (title: string) =>
    `${title} normalises over all episodes of an iteration, and one episode cannot be normalised.`,
  nothingDiffers: (title: string) =>
    `${title} normalises over all episodes of an iteration, and in the recorded ones no advantage differs from another: there is nothing to normalise.`,
  noLogprobs: () => "The log-probabilities of tokens are not recorded, so there is no ratio.",
  noReference: (title: string) =>
    `${title} takes a KL penalty from the reward, and the log of these episodes has no log-probabilities under a reference policy: a method that keeps one (betaKl or betaKlReward above 0) records them. Set betaKlReward to 0 to go on without it.`,
  noTokenValues: (title: string) =>
    `${title} needs a value of each token, and this log has none for these episodes. A run made here with token-PPO in it records them for every method.`,
  noTurnValues: (title: string) =>
    `${title} needs a value of each turn, and this log has none for these episodes. A run made here with Turn-PPO in it records them for every method.`,
  noGreedy: (title: string) =>
    `${title} compares with a greedy rollout of each task, and the log of these episodes has no score of one: only a method that plays greedy rollouts records it.`,
  noGains: (title: string) =>
    `${title} needs each turn’s gain in information, and the log of these episodes has none: only a method that measures it records it.`,
  noTurnRewards: (title: string) =>
    `${title} needs the reward of each turn, and this log does not have it: it tells at most what an episode earned as a whole.`,
  noTokens: (title: string) => `${title} needs tokens, and this run’s log has none.`,
  noNumbers: (title: string) => `${title} needs numbers that this run’s log does not have.`,
} as const;
