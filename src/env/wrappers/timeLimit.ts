/** Gymnasium's TimeLimit: truncates an episode that takes too long. */
import type { ResetResult, StepResult } from "../environment.ts";
import type { Environment } from "../environment.ts";
import { checkWhole } from "../checks.ts";
import { Wrapper } from "./wrapper.ts";

export class TimeLimit<Info> extends Wrapper<Info, Info, { turnsLeft: number; ended: boolean }> {
  readonly maxTurns: number;
  protected override own = { turnsLeft: 0, ended: true };

  /** @throws InputError unless maxTurns is an integer of at least 1. */
  constructor(inner: Environment<Info>, maxTurns: number) {
    super(inner);
    checkWhole("maxTurns", maxTurns, 1, Number.MAX_SAFE_INTEGER);
    this.maxTurns = maxTurns;
  }

  override step(text: string, chance?: number): StepResult<Info> {
    // The inner environment does not know that its episode is over.
    if (this.own.ended) throw new Error("the episode has ended: call reset first");
    return super.step(text, chance);
  }

  protected override afterReset(result: ResetResult<Info>): ResetResult<Info> {
    this.own = { turnsLeft: this.maxTurns, ended: false };
    return result;
  }

  protected override afterStep(_text: string, result: StepResult<Info>): StepResult<Info> {
    const turnsLeft = this.own.turnsLeft - 1;
    const truncated = result.truncated || (!result.terminated && turnsLeft === 0);
    this.own = { turnsLeft, ended: result.terminated || truncated };
    return { ...result, truncated };
  }
}
