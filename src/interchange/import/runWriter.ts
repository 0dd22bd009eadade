/**
 * Writes what a format's reader finds as the lines of a recording, so that an imported run is read,
 * checked and shown by the same code as a recorded one. Tracks which fields any episode had: the
 * others are reported absent.
 */
import { byteLength } from "../../numeric/bytes.ts";
import type { Metrics } from "../../record/runEvent.ts";
import type { AlgorithmConfig } from "../../spec/algorithms.ts";
import { cutTokens, withClippedTurns } from "./clips.ts";
import {
  paidAtEnd,
  withApart,
  type Findings,
  type ForeignEpisode,
  type ForeignTurn,
  type SaidSettings,
  type ShownPart,
} from "./foreign.ts";
import type { ImportChoices, LeftOpen, TrainedWith } from "./choices.ts";
import { EpisodeMeasures } from "./measures.ts";
import { triedAs } from "./settings.ts";
import { numbersOf } from "./values.ts";
import { EpisodeTally } from "./tally.ts";
import { seenOf, tellingPlace, type SeenEpisode, type TellingPlace } from "./telling.ts";
import { words } from "./words.ts";

export type AbsentField = keyof typeof words.absent;

interface Mean {
  sum: number;
  count: number;
}

/** An episode that is written. */
interface KeptEpisode extends SeenEpisode {
  /** A tenth of the size of the object; "" if only its place is known. */
  json: string;
  /** In bytes. */
  length: number;
}

interface Iteration {
  algorithm: string;
  iteration: number;
  metrics: Metrics;
  means: Map<string, Mean>;
  measures: EpisodeMeasures;
  episodes: KeptEpisode[];
  /** Their bytes. */
  length: number;
  /** Tasks of which an episode is not kept. */
  cut: Set<string>;
  /** Number of episodes, including those not kept. */
  count: number;
}

/** Maximum bytes of an iteration's episodes: the cursor loads them all at once, from a line of limited length. */
const MAX_LENGTH = 8_000_000;

/** Maximum bytes of all episodes: as much as a recording may have. */
const MAX_TOTAL = 160_000_000;

/** Names of curves that every import gets, computed from its episodes; `measures.ts` has those that need more. */
const COMPUTED = {
  reward: "critic/score/mean",
  success: "episodes/success",
  turns: "num_turns/mean",
};

export class RunWriter implements Findings {
  readonly #notes = new Set<string>();
  readonly #warnings = new Set<string>();
  readonly #tally = new EpisodeTally();
  #names = new Map<string, string>();
  #iterations = new Map<string, Iteration>();
  #seen = new Set<AbsentField>();
  #settings = new Map<string, SaidSettings>();
  readonly #configs = new WeakMap<SaidSettings["set"], AlgorithmConfig | null>();
  #unread = new Set<string>();
  #episodes = 0;
  /** Those that are written, in bytes. */
  #kept = 0;
  #length = 0;
  readonly #most: number;
  readonly #choices: ImportChoices;
  readonly #isLight: boolean;
  #payable = false;
  /** Settings of a method that lacks others. */
  #partly: TrainedWith | null = null;

  /**
   * @param most maximum bytes of all episodes that are written; 0: only their numbers are asked for
   * @param isLight whether lines are written without their episodes, which are read again where they are
   */
  constructor(most = MAX_TOTAL, choices: ImportChoices = {}, isLight = false) {
    this.#most = most;
    this.#choices = choices;
    this.#isLight = isLight;
  }

  episode(algorithm: string, iteration: number, found: ForeignEpisode): void {
    const paid = paidAtEnd(found);
    if (paid) this.#payable = true;
    const said = (this.#choices.paidLast && paid) || found;
    if (said !== found) this.assume(words.paidLast);
    const place = this.#at(algorithm, iteration);
    const config = this.#configOf(place.algorithm);
    const cut = config && cutTokens(said, config);
    if (cut) this.assume(words.clipsComputed);
    const episode = cut ? withClippedTurns(said, cut) : said;
    if (this.#most > 0) this.#keep(place, algorithm, episode);
    this.#episodes++;
    this.#tally.add(`${place.algorithm} ${iteration}`, episode);
    seeFields(this.#seen, episode);
    place.measures.add(episode, cut);
    const { reward, success, turns } = episode;
    if (reward !== null) average(place, COMPUTED.reward, reward);
    if (success !== null) average(place, COMPUTED.success, success ? 1 : 0);
    average(place, COMPUTED.turns, turns.length);
  }

  metrics(algorithm: string, iteration: number, metrics: Metrics): void {
    const own = this.#at(algorithm, iteration).metrics;
    const doubled = Object.keys(metrics).filter((key) => key in own && own[key] !== metrics[key]);
    if (doubled.length > 0) this.warn(words.doubled(doubled, iteration));
    Object.assign(own, metrics);
  }

  measured(algorithm: string, iteration: number, numbers: Readonly<Record<string, number>>): void {
    const place = this.#at(algorithm, iteration);
    for (const [name, value] of Object.entries(numbers)) average(place, name, value);
  }

  settings(algorithm: string, said: SaidSettings, lacks: readonly string[] = []): void {
    if (lacks.length === 0) this.#settings.set(this.nameOf(algorithm), said);
    else this.#partly = { method: algorithm, set: numbersOf(said.set) };
  }

  /** What the method was trained with; null if that is not known. */
  #configOf(method: string): AlgorithmConfig | null {
    const { trained } = this.#choices;
    const set = trained?.method === method ? trained.set : this.#settings.get(method)?.set;
    if (set && !this.#configs.has(set)) this.#configs.set(set, triedAs(method, set));
    return (set && this.#configs.get(set)) ?? null;
  }

  assume(text: string): void {
    this.note(text);
  }

  get runs(): string[] {
    return [...this.#names.keys()];
  }

  unread(names: readonly string[]): void {
    for (const name of names) this.#unread.add(name);
  }

  note(text: string): void {
    this.#notes.add(text);
  }

  warn(text: string): void {
    this.#warnings.add(text);
  }

  /** Information for readers of the panels; complete once the lines are written. */
  get notes(): string[] {
    return [...this.#notes, ...this.#tally.notes()];
  }

  /** Problems and gaps in the files; complete once the lines are written. */
  get warnings(): string[] {
    const { part } = this;
    const cut = part ? [words.cut(part.kept, part.all)] : [];
    return [...cut, ...this.#warnings, ...this.#tally.warnings()];
  }

  /** Episodes that are shown of those in the files; null: all. Complete once the lines are written. */
  get part(): ShownPart | null {
    const isCut = this.#most > 0 && this.#kept < this.#episodes;
    return isCut ? { kept: this.#kept, all: this.#episodes } : null;
  }

  get isEmpty(): boolean {
    return this.#iterations.size === 0;
  }

  /** Where to look first; null if there are no episodes, or the lines are written. */
  get telling(): TellingPlace | null {
    return tellingPlace([...this.#iterations.values()]);
  }

  get open(): LeftOpen {
    const { trained = null } = this.#choices;
    const runs = [...this.#names.keys()].filter((name) => !isEvaluation(name));
    const asks = this.#episodes > 0 && runs.length === 1;
    const isSaid = runs.some((name) => this.#settings.has(this.nameOf(name)));
    const known = trained ?? this.#partly ?? { method: null, set: {} };
    return { paidLast: this.#payable, trained: asks && !isSaid ? known : null };
  }

  /** Fields that no episode of the files had; empty if there are no episodes. */
  get absent(): AbsentField[] {
    if (this.#episodes === 0) return [];
    return (Object.keys(words.absent) as AbsentField[]).filter((field) => !this.#seen.has(field));
  }

  /** The episodes of an iteration that are kept, and their bytes. */
  keptAt(algorithm: string, iteration: number): { episodes: number; bytes: number } {
    const { episodes, length } = this.#at(algorithm, iteration);
    return { episodes: episodes.length, bytes: length };
  }

  /** The iterations in order, as lines of a recording; frees their episodes as it goes, unless they are light. */
  *lines(): Generator<string> {
    if (this.#episodes > 0) this.note(words.computed);
    if (this.#unread.size > 0) this.note(words.unreadFields([...this.#unread]));
    const { trained } = this.#choices;
    if (trained) {
      const set = { dualClip: null, ...trained.set };
      this.#settings.set(trained.method, { set, groupSize: null });
      this.assume(words.trainedWith(trained.method, trained.set));
    }
    const start = startEvent([...this.#iterations.values()], this.#settings);
    if (!start && this.#settings.size > 0) this.note(words.settingsOfSome);
    if (start) yield JSON.stringify(start);
    const inOrder = [...this.#iterations.values()].sort((a, b) => a.iteration - b.iteration);
    if (!this.#isLight) this.#iterations.clear();
    for (const one of inOrder) {
      yield lineOf(this.#isLight ? { ...one, episodes: [] } : one);
      if (!this.#isLight) one.episodes = [];
    }
  }

  #keep(place: Iteration, algorithm: string, found: ForeignEpisode): void {
    const whole = JSON.stringify({ trajectory: place.count++, ...withApart(found) });
    const length = byteLength(whole);
    const json = this.#isLight ? "" : whole;
    const { task, reward, isEval, turns, spread, turn } = seenOf(algorithm, found);
    // Not spread: of objects that are, half is held apart, and a large log has a hundred thousand.
    const episode = { json, length, task, reward, isEval, turns, spread, turn };
    const isFull = place.length + length > MAX_LENGTH || this.#length + length > this.#most;
    if (place.cut.has(task)) return;
    if (!isFull) {
      place.episodes.push(episode);
      return this.#count(place, length, 1);
    }
    place.cut.add(task);
    // Credit within a part of a group would be wrong; of a group that is too long alone there is nothing else.
    const others = place.episodes.filter((one) => one.task !== task);
    if (others.length === 0) return;
    for (const one of place.episodes) if (one.task === task) this.#count(place, -one.length, -1);
    place.episodes = others;
  }

  #count(place: Iteration, length: number, episodes: number): void {
    place.length += length;
    this.#length += length;
    this.#kept += episodes;
  }

  #at(algorithm: string, iteration: number): Iteration {
    const name = this.nameOf(algorithm);
    const key = `${name} ${iteration}`;
    let place = this.#iterations.get(key);
    if (!place) {
      const empty = { metrics: {}, means: new Map<string, Mean>(), cut: new Set<string>() };
      const measures = new EpisodeMeasures();
      place = { algorithm: name, iteration, ...empty, measures, episodes: [], length: 0, count: 0 };
      this.#iterations.set(key, place);
    }
    return place;
  }

  /** A run's name in a form that a link can carry; names that would collide there get a number. */
  nameOf(algorithm: string): string {
    const known = this.#names.get(algorithm);
    if (known !== undefined) return known;
    const { trained } = this.#choices;
    const wanted = trained && !isEvaluation(algorithm) ? trained.method : algorithm;
    const plain = wanted.replace(/[^\w.-]+/g, "-").slice(0, 40) || "imported";
    const taken = new Set(this.#names.values());
    let name = plain;
    for (let n = 2; taken.has(name); n++) name = `${plain.slice(0, 36)}-${n}`;
    this.#names.set(algorithm, name);
    return name;
  }
}

/**
 * A run's start event, as far as the files have it; null if they lack the settings of one of its
 * methods. Its environment is none of ours.
 */
function startEvent(all: readonly Iteration[], said: ReadonlyMap<string, SaidSettings>) {
  // Evaluations are of a run's policy, and have no settings of training.
  const names = [...new Set(all.map(({ algorithm }) => algorithm))].filter(
    (name) => !isEvaluation(name),
  );
  if (names.length === 0) return null;
  const algorithms = names.map((name) => ({ name, set: said.get(name)?.set }));
  if (algorithms.some(({ set }) => set === undefined)) return null;
  const sizes = new Set([...said.values()].map(({ groupSize }) => groupSize));
  const groupSize = sizes.size === 1 ? [...sizes][0] : null;
  const iterations = new Set(all.map(({ iteration }) => iteration)).size;
  const optimisation = { iterations, ...(groupSize && { groupSize }) };
  const spec = { environment: { kind: FOREIGN }, algorithms, optimisation };
  const engine = { engine: FOREIGN, backend: FOREIGN, adapter: FOREIGN };
  return { type: "start", chain: "", time: {}, spec, engine };
}

const FOREIGN = "imported";

const isEvaluation = (name: string) => name.includes("-validation");

function average(place: Iteration, name: string, value: number): void {
  const { sum, count } = place.means.get(name) ?? { sum: 0, count: 0 };
  place.means.set(name, { sum: sum + value, count: count + 1 });
}

function lineOf({ algorithm, iteration, metrics, means, measures, episodes }: Iteration): string {
  const averages = [...means].map(([name, { sum, count }]) => [name, sum / count]);
  const light = {
    type: "iteration",
    algorithm,
    iteration,
    warmup: false,
    metrics: { ...measures.metrics(), ...Object.fromEntries(averages), ...metrics },
    chain: "",
    time: {},
  };
  return `${JSON.stringify(light).slice(0, -1)},"episodes":[${episodes.map(({ json }) => json).join(",")}]}`;
}

/** Marks the fields that an episode has. */
export function seeFields(
  seen: Set<AbsentField>,
  { reward, success, turns }: ForeignEpisode,
): void {
  const mark = (field: AbsentField, is: boolean) => is && seen.add(field);
  mark("rewards", reward !== null);
  mark("success", success !== null);
  mark(
    "turnRewards",
    turns.some((turn) => turn.reward !== null),
  );
  for (const turn of turns) seeTurn(mark, turn);
}

function seeTurn(mark: (field: AbsentField, is: boolean) => void, turn: ForeignTurn): void {
  const { value, advantage, ratio, clipped, tokens } = turn;
  mark("values", value !== null);
  mark("advantages", advantage !== null);
  mark("returns", turn.return !== null);
  mark("ratios", ratio !== null);
  mark("clips", clipped !== null);
  mark("actions", turn.actions !== null);
  mark("tokens", tokens.length > 0);
  mark(
    "logprobs",
    tokens.some(({ logprob, oldLogprob }) => logprob !== null && oldLogprob !== null),
  );
  mark(
    "clips",
    tokens.some(({ clipped }) => clipped !== undefined),
  );
  mark(
    "entropy",
    tokens.some(({ entropy }) => entropy !== null),
  );
}
