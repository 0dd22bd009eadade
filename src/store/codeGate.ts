/** Stands before a run that may use code from elsewhere: it begins at once, or when its reader has seen the code and agreed. */
import type { ExperimentSpec } from "../spec/experiment.ts";
import { allowCode, askForCode, mayRun } from "./codeConsent.ts";

interface CodeGateOptions {
  /** Whether a run can still begin, once the reader has answered. */
  isFree(): boolean;
  /** The reader has said no. */
  onRefused(): void;
}

export class CodeGate {
  #options: CodeGateOptions;
  #asking = false;

  constructor(options: CodeGateOptions) {
    this.#options = options;
  }

  /** At once where the code of the run may run; else the reader sees it first. `refused`: what else a no leads to. */
  pass(spec: ExperimentSpec, act: () => void, refused = () => {}): void {
    if (mayRun(spec.definitions)) {
      // Its text may change while the run goes on, and the run is to be found again after a reload.
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
