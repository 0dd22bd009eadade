/**
 * Sampling with a KV cache. Tokens are sampled where the cache is; every few steps the host reads
 * the results and removes finished rows.
 */
import type { DecodeSession, GenerateRequest, GenerateResult } from "../engine.ts";
import { checkRequest, neededTokens, rowsOf } from "../decodeRequest.ts";
import { NotFiniteError } from "../errors.ts";
import { sizeBucket } from "./batches.ts";
import type { DecodeMemory, DecodePool } from "./decodePool.ts";
import { prefillPlan, stepPlan, type StepKind } from "./decode.ts";
import { stateWords, type Active } from "./decodeState.ts";
import type { Runnable } from "./executor.ts";
import { legalBits, legalWords } from "../sample.ts";
import { countBucket } from "../sequences.ts";
import { PendingReads } from "./reads.ts";

/** Results of several steps being read back: an id and a log-prob per row. [steps, width] */
interface Look {
  steps: number;
  width: number;
  words: Promise<Float32Array>;
}

/** A token to feed to the cache. */
interface Feed {
  row: number;
  position: number;
  id: number;
}

export const SESSION_DISPOSED = "the session has been disposed of";

export class PlanDecodeSession implements DecodeSession {
  #held: DecodeMemory | null = null;
  #disposed = false;
  /** Tokens whose keys are cached. [B] */
  readonly #cached: number[];
  /** The last token of a row, which the network has not seen yet. [B][0 or 1] */
  readonly #pending: number[][];
  readonly #pool: DecodePool;
  readonly #batch: number;
  readonly #capacity: number;

  constructor(pool: DecodePool, batch: number, capacity: number) {
    this.#pool = pool;
    this.#batch = batch;
    this.#capacity = capacity;
    this.#cached = new Array<number>(batch).fill(0);
    this.#pending = Array.from({ length: batch }, () => []);
  }

  get lengths(): readonly number[] {
    return this.#cached.map((n, row) => n + this.#pending[row]!.length);
  }

  async generate(request: GenerateRequest): Promise<GenerateResult> {
    const batch = this.#batch;
    const pool = this.#pool;
    if (this.#disposed) throw new Error(SESSION_DISPOSED);
    checkRequest(request, pool.requests);
    const needed = neededTokens(request, this.lengths, this.#capacity).reduce(
      (a, b) => Math.max(a, b),
      1,
    );
    const result: GenerateResult = { ids: rowsOf(batch), logprobs: rowsOf(batch) };
    if (request.value) result.value = new Float32Array(batch).fill(NaN); // [B]
    this.#held = pool.fit(this.#held, batch, needed, this.#cached);
    const active = await this.#prefill(request);
    if (active.length > 0) await this.#sampleRows(active, request, result);
    return result;
  }

  /** @throws Error if the session has been disposed of, even midway. */
  get #memory(): DecodeMemory {
    if (!this.#held) throw new Error(SESSION_DISPOSED);
    return this.#held;
  }

  /** Feeds all new tokens except each row's last, which the first step feeds. */
  async #prefill({ prompts, continues }: GenerateRequest): Promise<Active[]> {
    const active: Active[] = [];
    const feed: Feed[] = [];
    prompts.forEach((prompt, row) => {
      const fresh = [...this.#pending[row]!, ...prompt];
      if (prompt.length === 0 && !(continues && fresh.length > 0)) return;
      const token = fresh.pop()!;
      fresh.forEach((id) => feed.push({ row, position: this.#cached[row]!++, id }));
      this.#pending[row] = [token];
      active.push({ row, token, position: this.#cached[row]! });
    });
    const most = this.#pool.executor.tuning.tokensPerPass;
    for (let at = 0; at < feed.length; at += most) await this.#feed(feed.slice(at, at + most));
    return active;
  }

  async #feed(tokens: Feed[]): Promise<void> {
    const { plans } = this.#pool;
    const { shape, stores } = this.#memory;
    const R = sizeBucket(tokens.length);
    const key = `prefill ${R} ${shape.B} ${shape.C}`;
    const plan = await plans.get(
      key,
      (m, limits, tokens) => prefillPlan(m, shape, tokens, limits),
      stores,
      R,
    );
    const [ids, position, row] = [-1, 0, -1].map((x) => new Int32Array(R).fill(x)); // [R]
    tokens.forEach((token, i) => {
      ids![i] = token.id;
      position![i] = token.position;
      row![i] = token.row;
    });
    plans.run(plan, { ids: ids!, position: position!, row: row! });
  }

  /** Samples up to maxNewTokens for each active row. */
  async #sampleRows(
    active: Active[],
    request: GenerateRequest,
    result: GenerateResult,
  ): Promise<void> {
    if (request.maxNewTokens === 0) return this.#readValues(active, request, result);
    if (request.legal) this.#writeLegal(request.legal);
    const values = new PendingReads();
    await this.#drawAll(active, request, result, values);
    await values.all();
  }

  async #drawAll(
    active: Active[],
    request: GenerateRequest,
    result: GenerateResult,
    values: PendingReads,
  ): Promise<void> {
    const { stepsPerRead, looksAhead = 0 } = this.#pool.executor.tuning;
    const { maxNewTokens, stopIds } = request;
    // Without stop tokens the results do not affect the next steps.
    const stride = looksAhead > 0 && stopIds.length === 0 ? maxNewTokens : stepsPerRead;
    const looks: Look[] = [];
    const wait = async (most: number) => {
      while (looks.length > most && active.length > 0)
        active = await this.#takeIn(looks.shift()!, active, result, stopIds);
    };
    let R = Infinity;
    for (let tick = 0; active.length > 0 && tick < maxNewTokens; tick += stride) {
      if (this.#rowsFor(active) < R) {
        await wait(0); // only then are the rows' states known here
        if (active.length === 0) break;
        this.#writeState(active, request, tick);
      }
      R = Math.min(R, this.#rowsFor(active));
      const steps = Math.min(stride, maxNewTokens - tick);
      const kind = { value: tick === 0 && result.value !== undefined, legal: !!request.legal };
      await this.#runSteps(R, steps, active, kind, result, values);
      looks.push(this.#look(tick, steps));
      await wait(tick + steps < maxNewTokens ? looksAhead : 0);
    }
  }

  /** Number of rows of a step for this many active ones. */
  #rowsFor(active: Active[]): number {
    return Math.min(this.#batch, countBucket(active.length));
  }

  /** V without sampling: a step's own sample is ignored, and the next step feeds the token again. */
  async #readValues(active: Active[], request: GenerateRequest, result: GenerateResult) {
    if (!result.value) return;
    const values = new PendingReads();
    this.#writeState(active, request, 0);
    const kind = { value: true, legal: false };
    await this.#runSteps(this.#rowsFor(active), 1, active, kind, result, values);
    await values.all();
  }

  async #runSteps(
    R: number,
    steps: number,
    active: Active[],
    { value, legal }: StepKind,
    result: GenerateResult,
    reads: PendingReads,
  ) {
    const { executor, plans } = this.#pool;
    for (let i = 0; i < steps; i++) {
      const withValue = value && i === 0;
      const step = await this.#step(R, { value: withValue, legal });
      plans.run(step, {});
      if (!withValue) continue;
      const rows = active.map(({ row }) => row);
      const read = executor.readOutput(step); // [R]
      reads.add(read.then((all) => rows.forEach((row, at) => (result.value![row] = all[at]!))));
    }
  }

  #step(R: number, kind: StepKind): Promise<Runnable> {
    const { shape, stores } = this.#memory;
    const key = `step ${R} ${shape.B} ${shape.C} ${kind.value} ${kind.legal}`;
    return this.#pool.plans.get(
      key,
      (m, limits, rows) => stepPlan(m, shape, rows, kind, limits),
      stores,
      R,
    );
  }

  /** Writes to the device which ids each row may sample. */
  #writeLegal(legal: NonNullable<GenerateRequest["legal"]>): void {
    const { vocabSize: V } = this.#pool.plans.shape.config;
    const words = new Int32Array(this.#batch * legalWords(V)).fill(-1); // [B, words]: all
    legal.forEach((ids, row) => ids && words.set(legalBits(ids, V), row * legalWords(V)));
    this.#pool.executor.write(this.#memory.stores.get("legal")!, 0, words);
  }

  /** Starts reading the results of the last steps. */
  #look(tick: number, steps: number): Look {
    const width = 2 * this.#memory.shape.B;
    const store = this.#memory.stores.get("drawn")!;
    const words = this.#pool.executor.read(store, tick * width, steps * width);
    words.catch(() => undefined); // whoever awaits it gets the error
    return { steps, width, words };
  }

  /** Processes the results of steps; returns the rows that continue. */
  async #takeIn(
    { steps, width, words }: Look,
    active: Active[],
    result: GenerateResult,
    stopIds: number[],
  ): Promise<Active[]> {
    const drawn = await words;
    const ids = new Int32Array(drawn.buffer, drawn.byteOffset, drawn.length); // [steps, B, 2]
    return active.filter((entry) => {
      for (let i = 0; i < steps; i++) {
        const at = i * width + 2 * entry.row;
        if (!this.#take(entry, ids[at]!, drawn[at + 1]!, result, stopIds)) return false;
      }
      return true;
    });
  }

  /** Processes one sampled token of one row; false if it is the last. */
  #take(
    entry: Active,
    id: number,
    logprob: number,
    result: GenerateResult,
    stopIds: number[],
  ): boolean {
    const { row } = entry;
    if (id < 0) throw new NotFiniteError("the logits are not finite");
    result.ids[row]!.push(id);
    result.logprobs[row]!.push(logprob);
    this.#cached[row]!++; // the token that was fed; the sampled one is still to come
    this.#pending[row] = [id];
    entry.token = id;
    entry.position++;
    return !stopIds.includes(id);
  }

  /** Writes to the device which rows continue. */
  #writeState(active: Active[], request: GenerateRequest, tick: number): void {
    const words = stateWords(this.#memory.shape.B, active, request, tick);
    this.#pool.executor.write(this.#memory.stores.get("state")!, 0, words);
  }

  clear(): void {
    // Stale slots need no clearing: a token sees only slots up to its own.
    this.#cached.fill(0);
    for (let row = 0; row < this.#batch; row++) this.#pending[row] = [];
  }

  dispose(): void {
    this.#disposed = true;
    this.#release();
    this.clear();
  }

  #release(): void {
    if (this.#held) this.#pool.release(this.#held);
    this.#held = null;
  }
}
