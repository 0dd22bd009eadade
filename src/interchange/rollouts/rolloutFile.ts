/**
 * What importers find, as lines of `turnbook-rollouts/1`, written as it is found: nothing is held
 * but counts, and the first episodes of each run.
 */
import type { Metrics } from "../../record/runEvent.ts";
import {
  paidAtEnd,
  type Findings,
  type ForeignEpisode,
  type ForeignToken,
  type SaidSettings,
} from "../import/foreign.ts";
import { words } from "../import/words.ts";
import { seeFields, type AbsentField } from "../import/runWriter.ts";
import { EpisodeTally } from "../import/tally.ts";
import { numberText } from "../import/tokens.ts";
import { digest } from "../import/values.ts";
import { writeRolloutLine, type RolloutColumns, type RolloutEpisode } from "./lines.ts";

/** What is kept of the episodes that are found. */
export interface KeptPart {
  /** Training steps, from and to; null: all. */
  steps: readonly [number, number] | null;
  /** Groups of each step, the first ones, whole; null: all. */
  groups: number | null;
  /** Whether a reward is paid at the last turn where those of turns are unknown. */
  paidLast: boolean;
}

/** Counts of one run, and its first episodes. */
export interface RunFound {
  name: string;
  isEval: boolean;
  episodes: number;
  steps: Set<number>;
  /** Steps with metrics. */
  logged: Set<number>;
  groups: number;
  turns: number;
  tokens: number;
  seen: Set<AbsentField>;
  settings: SaidSettings | null;
  /** Those of its first step, as many as are kept to try algorithms on. */
  first: ForeignEpisode[];
}

const VALIDATION = "-validation";
/** Episodes and tokens of a run's first step that are kept. */
const FIRST = 64;
const FIRST_TOKENS = 200_000;
/** Ids of tokens whose text has been written: more than any tokenizer has. */
const MOST_TEXTS = 1_000_000;

export class RolloutFile implements Findings {
  readonly notes = new Set<string>();
  readonly assumed = new Set<string>();
  /** Names of fields that were not read. */
  readonly unreadFields = new Set<string>();
  readonly found = new Map<string, RunFound>();
  /** Episodes outside what is kept. */
  leftOut = 0;
  readonly #warnings = new Set<string>();
  readonly #tally = new EpisodeTally();
  readonly #settings = new Map<string, SaidSettings>();
  /** Groups of each run and step. */
  readonly #groups = new Map<string, Set<string>>();
  readonly #texts = new Set<number>();
  readonly #write: (line: string) => void;
  readonly #kept: KeptPart;
  #lines = 0;

  /** @param write receives each line, without its break */
  constructor(write: (line: string) => void, kept: KeptPart) {
    this.#write = write;
    this.#kept = kept;
  }

  episode(algorithm: string, step: number, found: ForeignEpisode): void {
    const paid = this.#kept.paidLast ? paidAtEnd(found) : null;
    if (paid) this.assume(words.paidLast);
    const episode = paid ?? found;
    const { task, turns } = episode;
    const place = `${algorithm} ${step}`;
    const groups = this.#groups.get(place) ?? new Set<string>();
    this.#groups.set(place, groups);
    const group = digest(task);
    const isNew = !groups.has(group);
    const { groups: most } = this.#kept;
    if (this.#isOutside(step) || (isNew && most !== null && groups.size >= most)) {
      this.leftOut++;
      return;
    }
    groups.add(group);
    const run = this.#run(algorithm, episode.split === "eval");
    const tokens = turns.reduce((sum, turn) => sum + turn.tokens.length, 0);
    run.episodes++;
    run.groups += Number(isNew);
    run.turns += turns.length;
    run.tokens += tokens;
    run.steps.add(step);
    seeFields(run.seen, episode);
    this.#keepFirst(run, episode, tokens);
    this.#tally.add(place, episode);
    this.#writeTexts(episode);
    this.#line({ kind: "episode", episode: rolloutOf(run, step, episode) });
  }

  metrics(algorithm: string, step: number, metrics: Metrics): void {
    if (this.#isOutside(step)) return;
    this.#line({ kind: "metrics", step, run: this.#run(algorithm).name, metrics });
    this.#run(algorithm).logged.add(step);
  }

  /** Means of an episode's own numbers follow from those of its iteration; the format has none of them. */
  measured(): void {}

  settings(algorithm: string, said: SaidSettings, lacks: readonly string[] = []): void {
    if (lacks.length === 0) this.#settings.set(algorithm, said);
  }

  unread(names: readonly string[]): void {
    for (const name of names) this.unreadFields.add(name);
  }

  note(text: string): void {
    this.notes.add(text);
  }

  assume(text: string): void {
    this.assumed.add(text);
  }

  warn(text: string): void {
    this.#warnings.add(text);
  }

  get runs(): string[] {
    return [...this.found.keys()];
  }

  get isEmpty(): boolean {
    return this.found.size === 0;
  }

  get warnings(): string[] {
    return [...this.#warnings, ...this.#tally.warnings()];
  }

  #isOutside(step: number): boolean {
    const { steps } = this.#kept;
    return steps !== null && (step < steps[0] || step > steps[1]);
  }

  #run(algorithm: string, isEval = false): RunFound {
    let run = this.found.get(algorithm);
    if (!run) {
      const evaluates = isEval || algorithm.includes(VALIDATION);
      const name = evaluates ? algorithm.replace(VALIDATION, "") : algorithm;
      const counts = { episodes: 0, steps: new Set<number>(), groups: 0, turns: 0, tokens: 0 };
      const settings = this.#settings.get(algorithm) ?? null;
      const [seen, logged] = [new Set<AbsentField>(), new Set<number>()];
      run = { name, isEval: evaluates, ...counts, logged, seen, settings, first: [] };
      this.found.set(algorithm, run);
    }
    return run;
  }

  #keepFirst(run: RunFound, episode: ForeignEpisode, tokens: number): void {
    const known = run.first.length;
    if (run.steps.size > 1 || known >= FIRST || (known > 1 && run.tokens > FIRST_TOKENS)) return;
    if (tokens <= FIRST_TOKENS) run.first.push(episode);
  }

  /** Texts of tokens that no line before has. */
  #writeTexts({ turns }: ForeignEpisode): void {
    const vocab: Record<string, string> = {};
    let found = false;
    for (const { tokens } of turns)
      for (const { id, text } of tokens) {
        if (id < 0 || this.#texts.has(id) || text === numberText(id)) continue;
        if (this.#texts.size >= MOST_TEXTS) return;
        this.#texts.add(id);
        vocab[id] = text;
        found = true;
      }
    if (found) this.#line({ kind: "vocab", vocab });
  }

  #line(line: Parameters<typeof writeRolloutLine>[0]): void {
    if (this.#lines++ === 0) this.#write(writeRolloutLine(this.#header()));
    this.#write(writeRolloutLine(line));
  }

  #header() {
    const [first] = this.found.values();
    const settings = first?.settings;
    const header = {
      framework: first?.name ?? null,
      version: null,
      tokenizer: null,
      settings: settings ? { estimator: first.name, ...settings.set } : {},
      groupSize: settings?.groupSize ?? null,
    };
    return { kind: "header", header } as const;
  }
}

function rolloutOf(
  { name, isEval }: RunFound,
  step: number,
  episode: ForeignEpisode,
): RolloutEpisode {
  const { turns, finalValues, finalObservation } = episode;
  const tokens = turns.flatMap((turn) => turn.tokens);
  const [finalValue = null] = Object.values(finalValues ?? {});
  return {
    run: name,
    step,
    split: isEval ? "eval" : "train",
    group: episode.task,
    id: episode.id ?? null,
    seed: episode.seed,
    reward: episode.reward,
    rewards: episode.rewards ?? null,
    penalty: episode.penalty ?? null,
    greedyScore: episode.greedyScore ?? null,
    success: episode.success,
    terminated: episode.terminated,
    truncated: episode.truncated,
    policy: episode.policy ?? null,
    final: finalObservation === "" ? null : finalObservation,
    finalValue,
    turns: turns.map((turn) => ({
      observation: turn.observation,
      text: turn.text,
      reward: turn.reward,
      gain: turn.gain ?? null,
      n: turn.tokens.length,
      actions: turn.actions,
      formatPenalty: turn.formatPenalty,
      ...(turn.tokens.length === 0 && {
        value: turn.value,
        advantage: turn.advantage,
        return: turn.return,
        ratio: turn.ratio,
        clipped: turn.clipped,
      }),
    })),
    columns: columnsOfTokens(tokens),
  };
}

/** Columns of which at least one token has a number. */
function columnsOfTokens(tokens: readonly ForeignToken[]): RolloutColumns {
  const floats = (read: (token: ForeignToken) => number | null | undefined) => {
    const x = Float32Array.from(tokens, (token) => read(token) ?? NaN);
    return x.every(Number.isNaN) ? null : x;
  };
  const columns = {
    ids: tokens.length > 0 ? Int32Array.from(tokens, ({ id }) => id) : null,
    rolloutLogprob: floats((token) => token.rolloutLogprob),
    oldLogprob: floats((token) => token.oldLogprob),
    newLogprob: floats((token) => token.logprob),
    refLogprob: floats((token) => token.refLogprob),
    entropy: floats((token) => token.entropy),
    value: floats((token) => token.value),
    advantage: floats((token) => token.advantage),
    return: floats((token) => token.return),
    clipped: tokens.some(({ clipped }) => clipped !== undefined)
      ? Uint8Array.from(tokens, ({ clipped }) => Number(clipped === true))
      : null,
  };
  return Object.fromEntries(Object.entries(columns).filter(([, x]) => x !== null));
}
