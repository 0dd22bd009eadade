/** GEM's episode tracking (`gem/wrappers/episode_tracking_wrapper.py`): turns and rewards so far. */
import type { ResetResult, StepResult } from "../environment.ts";
import { Wrapper } from "./wrapper.ts";

interface EpisodeInfo {
  /** Turns played; GEM's step_counter. */
  turns: number;
  /** Sum of their rewards; GEM's cumulative_rewards. */
  episodeReward: number;
}

export class EpisodeTracking<Info extends object> extends Wrapper<
  Info,
  Info & EpisodeInfo,
  EpisodeInfo
> {
  protected override own: EpisodeInfo = { turns: 0, episodeReward: 0 };

  protected override afterReset(result: ResetResult<Info>): ResetResult<Info & EpisodeInfo> {
    this.own = { turns: 0, episodeReward: 0 };
    return { ...result, info: { ...result.info, ...this.own } };
  }

  protected override afterStep(
    _text: string,
    result: StepResult<Info>,
  ): StepResult<Info & EpisodeInfo> {
    const { turns, episodeReward } = this.own;
    this.own = { turns: turns + 1, episodeReward: episodeReward + result.reward };
    return { ...result, info: { ...result.info, ...this.own } };
  }
}
