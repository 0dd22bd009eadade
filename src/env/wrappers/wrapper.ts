/**
 * An environment around another one, like Gymnasium's and GEM's wrappers. Each wrapper keeps its
 * own state as plain data, so that a wrapped environment can be saved and branched too.
 */
import type { Environment, ResetResult, StepResult } from "../environment.ts";

interface WrapperSnapshot<Own> {
  inner: unknown;
  own: Own;
}

/** `Info` is the inner environment's info, `Reported` this one's, `Own` its own state. */
export abstract class Wrapper<Info, Reported, Own> implements Environment<
  Reported,
  WrapperSnapshot<Own>
> {
  readonly inner: Environment<Info>;
  /** Plain data. */
  protected abstract own: Own;

  constructor(inner: Environment<Info>) {
    this.inner = inner;
  }

  reset(seed: number): ResetResult<Reported> {
    return this.afterReset(this.inner.reset(seed));
  }

  step(text: string, chance?: number): StepResult<Reported> {
    return this.afterStep(text, this.inner.step(text, chance));
  }

  snapshot(): WrapperSnapshot<Own> {
    return { inner: this.inner.snapshot(), own: structuredClone(this.own) };
  }

  restore({ inner, own }: WrapperSnapshot<Own>): void {
    this.inner.restore(inner);
    this.own = structuredClone(own);
  }

  protected abstract afterReset(result: ResetResult<Info>): ResetResult<Reported>;
  protected abstract afterStep(text: string, result: StepResult<Info>): StepResult<Reported>;
}
