/** Gates a run that may use code from elsewhere: it starts at once, or when its reader has seen the code and agreed. */
import type { ExperimentSpec } from "../spec/experiment.ts";
import { allowCode, askForCode, mayRun } from "./codeConsent.ts";

interface CodeGateOptions {
  /** Whether a run can still begin, once the reader has answered. */
  isFree(): boolean;
  /** The reader has declined. */
  onRefused(): void;
}

export class CodeGate {
  #options: CodeGateOptions;
  #asking = false;

  constructor(options: CodeGateOptions) {
    this.#options = options;
  }

  /** At once if the run's code may run; else after the reader has seen it. `refused`: called additionally after a refusal. */
  pass(spec: ExperimentSpec, act: () => void, refused = () => {}): void {
    if (mayRun(spec.definitions)) {
      // Its code may be edited during the run, and the run must be found again after a reload.
      allowCode(spec.definitions);
      return act();
    }
    if (this.#asking) return refused();
    this.#asking = true;
    void askForCode(spec.definitions!).then((yes) => {
      this.#asking = false;
      if (yes && this.#options.isFree()) return act();
      refused();
      if (!yes) this.#options.onRefused();
    });
  }
}
