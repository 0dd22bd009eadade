/**
 * GEM's observation wrapper (`gem/wrappers/observation_wrapper.py`): shows the whole history, or
 * its end, between the prompt texts that the environment provides as `prefix` and `suffix`. GEM's
 * chat template is not here: messages become tokens in `text/`, from sampled ids.
 */
import type { Environment, ResetResult, StepResult } from "../environment.ts";
import { checkWhole } from "../checks.ts";
import { Wrapper } from "./wrapper.ts";

/** Texts that an environment may provide around the history. */
export interface PromptInfo {
  /** Shown before everything else. */
  prefix?: string;
  /** Shown after it. */
  suffix?: string;
  /** The parsed answer; shown in the history instead of the whole response. */
  parsedAction?: string;
}

interface HistoryOptions {
  /**
   * Whether responses are shown between the observations: GEM's concat_with_action; without:
   * concat.
   */
  actions: boolean;
  /** Number of previous turns shown; null: all. */
  turns: number | null;
}

interface ShownHistory {
  /** The last one is the current observation. [k + 1] */
  observations: string[];
  /** The answers to all but the last. [k] */
  actions: string[];
}

export class ObservationHistory<Info extends PromptInfo> extends Wrapper<Info, Info, ShownHistory> {
  readonly options: HistoryOptions;
  protected override own: ShownHistory = { observations: [], actions: [] };

  /** @throws InputError unless `turns` is null or an integer. */
  constructor(inner: Environment<Info>, options: Partial<HistoryOptions> = {}) {
    super(inner);
    this.options = { actions: true, turns: null, ...options };
    const { turns } = this.options;
    if (turns !== null) checkWhole("turns", turns, 0, Number.MAX_SAFE_INTEGER);
  }

  protected override afterReset(result: ResetResult<Info>): ResetResult<Info> {
    this.own = { observations: [result.observation], actions: [] };
    return { ...result, observation: this.#shown(result.info) };
  }

  protected override afterStep(text: string, result: StepResult<Info>): StepResult<Info> {
    const { observations, actions } = this.own;
    const from = Math.max(0, actions.length + 1 - (this.options.turns ?? Infinity));
    this.own = {
      observations: [...observations, result.observation].slice(from),
      actions: [...actions, result.info.parsedAction ?? text].slice(from),
    };
    return { ...result, observation: this.#shown(result.info) };
  }

  #shown({ prefix = "", suffix = "" }: PromptInfo): string {
    const { observations, actions } = this.own;
    const lines = observations.flatMap((observation, i) =>
      this.options.actions && i < actions.length ? [observation, actions[i]!] : [observation],
    );
    return prefix + lines.map(asLine).join("") + suffix;
  }
}

function asLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
