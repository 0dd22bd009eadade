/** Why a row has no numbers of its own, or other numbers than in training. */
import { counted } from "../../numeric/counted.ts";

export const words = {
  noOtherRollout: (title: string) =>
    `${title} compares the rollouts of one task; no other rollout of this task is recorded, so the reward is unchanged`,
  playedOnce: (title: string) =>
    `${title} compares the rollouts of one task; this task was played once, so the reward is unchanged`,
  normalisedAsTrained: (played: number | null) =>
    `normalised over all ${played === null ? "" : `${played} `}episodes, as trained`,
  normalisedOver: (recorded: number, played: number | null) =>
    played === null
      ? `normalised over the ${counted(recorded, "recorded episode")}`
      : `normalised over ${recorded} of ${played} episodes`,
  notNormalised: "not normalised: the log has no tokens",
  oneEpisode: (title: string) =>
    `${title} normalises over all episodes of an iteration; one episode alone cannot be normalised.`,
  nothingDiffers: (title: string) =>
    `${title} normalises over all episodes of an iteration; all recorded advantages are equal, so there is nothing to normalise.`,
  noLogprobs: () => "Token log-probabilities are not recorded, so there is no ratio.",
  noReference: (title: string) =>
    `${title} subtracts a KL penalty from the reward, but these episodes have no log-probabilities under a reference policy. Methods with betaKl or betaKlReward above 0 record them. Set betaKlReward to 0 to continue without the penalty.`,
  noTokenValues: (title: string) =>
    `${title} needs a value for each token, and these episodes have none. Runs made here with token-PPO record them for every method.`,
  noTurnValues: (title: string) =>
    `${title} needs a value for each turn, and these episodes have none. Runs made here with Turn-PPO record them for every method.`,
  noGreedy: (title: string) =>
    `${title} compares with a greedy rollout of each task, and these episodes have no greedy score. Only methods that play greedy rollouts record it.`,
  noSuccess: (title: string) =>
    `${title} needs to know which episodes succeeded, and these do not say. A filter by success becomes one by score with filter=mixed; lmWeight=0 does without.`,
  noGains: (title: string) =>
    `${title} needs each turn’s information gain, and these episodes have none. Only methods that measure it record it.`,
  noActions: (title: string) =>
    `${title} needs each turn’s action, and this log has none for some turns.`,
  noFormat: (title: string) =>
    `${title} compares pay for form by itself. This log does not split it from a turn’s reward.`,
  noSquares: (title: string) =>
    `${title} needs each token’s sum of squared probabilities. Only methods that need it record it.`,
  noSampler: (title: string) =>
    `${title} needs the sampler’s own log-probabilities. Only methods with a sampler setting record them.`,
  noTurnRewards: (title: string) =>
    `${title} needs the reward of each turn, and this log has at most the total reward of an episode.`,
  estimating: (name: string) => `${name} is being computed.`,
  codeWaits: (name: string) =>
    `The code of ${name} comes from elsewhere. Review it first, at the top of the experiment.`,
  noCode: (name: string) => `The code of ${name} cannot run here.`,
  noTokens: (title: string) => `${title} needs tokens, and this log has none.`,
  noNumbers: (title: string) => `${title} needs numbers that this log lacks.`,
} as const;
