/** GEM's GuessTheNumber: guess a number of 1 to `max`; the answer says whether it is higher or lower. */
import { uniform } from "../../../src/numeric/rng.ts";
import type { Environment, ResetResult, StepResult } from "../../../src/env/environment.ts";
import { registerEnvironment } from "../../../src/env/registry.ts";
import type { PromptInfo } from "../../../src/env/wrappers/observationHistory.ts";

interface Options {
  max: number;
  maxTurns: number;
}

interface State {
  target: number;
  turnsLeft: number;
  ended: boolean;
}

class GuessTheNumber implements Environment<PromptInfo, State> {
  private state: State = { target: 0, turnsLeft: 0, ended: true };

  constructor(readonly options: Options) {}

  reset(seed: number): ResetResult<PromptInfo> {
    // Not Math.random: every draw is a function of the seed and of what it is for.
    const u = uniform({ seed, stream: "guess", iteration: 0, trajectory: 0, step: 0 });
    const target = 1 + Math.floor(u * this.options.max);
    this.state = { target, turnsLeft: this.options.maxTurns, ended: false };
    return { observation: `Guess a number of 1 to ${this.options.max}.`, info: this.info() };
  }

  step(text: string): StepResult<PromptInfo> {
    if (this.state.ended) throw new Error("the episode has ended: call reset first");
    const guess = Number(/\\boxed\{(\d+)\}/.exec(text)?.[1] ?? NaN);
    this.state.turnsLeft -= 1;
    const terminated = guess === this.state.target;
    const truncated = !terminated && this.state.turnsLeft === 0;
    this.state.ended = terminated || truncated;
    const reward = terminated ? 1 : Number.isNaN(guess) ? -0.1 : 0;
    const info = { ...this.info(), parsedAction: String(guess) };
    return { observation: this.hint(guess), reward, terminated, truncated, info };
  }

  snapshot(): State {
    return { ...this.state };
  }

  restore(snapshot: State): void {
    this.state = { ...snapshot };
  }

  private hint(guess: number): string {
    if (Number.isNaN(guess)) return "That was no number.";
    if (guess === this.state.target) return "Right!";
    return `The number is ${guess < this.state.target ? "higher" : "lower"} than ${guess}.`;
  }

  private info(): PromptInfo {
    return { suffix: `Answer with \\boxed{number}. ${this.state.turnsLeft} guesses left.\n` };
  }
}

registerEnvironment({
  name: "game:GuessTheNumber-v0",
  about: "GEM's GuessTheNumber",
  defaults: { max: 10, maxTurns: 4 },
  create: (options) => new GuessTheNumber(options),
});
