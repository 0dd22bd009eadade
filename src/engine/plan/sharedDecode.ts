/**
 * A decode session whose rows are distributed to threads round-robin; each thread keeps its rows'
 * KV cache.
 */
import type { DecodeSession, GenerateRequest, GenerateResult } from "../engine.ts";
import { sizeBucket } from "./batches.ts";
import type { DecodePool } from "./decodePool.ts";
import { checkRequest, neededTokens } from "../decodeRequest.ts";
import { PlanDecodeSession, SESSION_DISPOSED } from "./decodeSession.ts";
import { nextNumber, type RemoteReplica } from "./remote.ts";

/** The kernels compute four rows at a time: giving a thread fewer saves no time. */
const ROWS_AT_LEAST = 4;

export class SharedDecodeSession implements DecodeSession {
  #held: number[];
  readonly #here: PlanDecodeSession;
  readonly #there: RemotePart[];
  /** The thread of row r is r mod parts, so that finished rows reduce the work of all threads. */
  readonly #parts: number;
  /** Why it can generate no more. */
  #ended: string | null = null;
  readonly #pool: DecodePool;
  readonly #ready: (parts: number) => Promise<unknown>;
  readonly #batch: number;
  readonly #capacity: number;

  /** `ready` updates the parameters of the first parts - 1 remotes. */
  constructor(
    pool: DecodePool,
    model: number,
    remotes: readonly RemoteReplica[],
    ready: (parts: number) => Promise<unknown>,
    batch: number,
    capacity: number,
  ) {
    this.#pool = pool;
    this.#ready = ready;
    this.#batch = batch;
    this.#capacity = capacity;
    this.#held = new Array<number>(batch).fill(0);
    this.#parts = Math.max(1, Math.min(remotes.length + 1, Math.ceil(batch / ROWS_AT_LEAST)));
    const rowsOf = (part: number) => Math.ceil((batch - part) / this.#parts);
    pool.check(rowsOf(0), sizeBucket(capacity));
    this.#here = new PlanDecodeSession(pool, rowsOf(0), capacity);
    this.#there = remotes
      .slice(0, this.#parts - 1)
      .map((remote, i) => new RemotePart(remote, model, rowsOf(i + 1), capacity));
  }

  get lengths(): readonly number[] {
    return this.#held;
  }

  async generate(request: GenerateRequest): Promise<GenerateResult> {
    if (this.#ended) throw new Error(this.#ended);
    checkRequest(request, this.#pool.requests);
    neededTokens(request, this.lengths, this.#capacity);
    try {
      return await this.#generateParts(request);
    } catch (error) {
      // Some parts may have continued and others not: the rows' contents are unknown.
      this.#ended ??= "the session has failed before; open another";
      throw error;
    }
  }

  async #generateParts(request: GenerateRequest): Promise<GenerateResult> {
    await this.#ready(this.#parts);
    const away = this.#there.map((part, i) => part.generate(this.#shareOf(request, i + 1)));
    // Awaited later: an earlier failure must not go unhandled.
    for (const one of away) one.catch(() => undefined);
    const result = await this.#here.generate(this.#shareOf(request, 0));
    const others = await Promise.all(away);
    const all = [{ result, lengths: this.#here.lengths }, ...others];
    this.#held = this.#held.map((_, row) => all[this.#partOf(row)]!.lengths[this.#placeOf(row)]!);
    return this.#together(all.map(({ result }) => result));
  }

  #partOf(row: number): number {
    return row % this.#parts;
  }

  #placeOf(row: number): number {
    return Math.floor(row / this.#parts);
  }

  #shareOf(request: GenerateRequest, part: number): GenerateRequest {
    const mine = <T>(list: readonly T[]) => list.filter((_, row) => this.#partOf(row) === part);
    const { prompts, key, legal } = request;
    const own = { ...key, trajectory: mine(key.trajectory), step: mine(key.step) };
    return { ...request, prompts: mine(prompts), key: own, ...(legal && { legal: mine(legal) }) };
  }

  #together(parts: GenerateResult[]): GenerateResult {
    const rows = Array.from({ length: this.#batch }, (_, row) => row);
    const pick = <T>(of: (result: GenerateResult) => ArrayLike<T>) =>
      rows.map((row) => of(parts[this.#partOf(row)]!)[this.#placeOf(row)]!);
    const ids = pick(({ ids }) => ids);
    const logprobs = pick(({ logprobs }) => logprobs);
    if (!parts[0]!.value) return { ids, logprobs };
    return { ids, logprobs, value: Float32Array.from(pick(({ value }) => value!)) }; // [B]
  }

  clear(): void {
    this.#here.clear();
    for (const part of this.#there) part.clear();
    this.#held.fill(0);
  }

  dispose(): void {
    this.#ended = SESSION_DISPOSED;
    this.#here.dispose();
    for (const part of this.#there) part.dispose();
  }
}

/** The rows of one worker; its session is opened when first needed. */
class RemotePart {
  readonly #session = nextNumber();
  #opened: Promise<unknown> | null = null;
  readonly #remote: RemoteReplica;
  readonly #model: number;
  readonly #batch: number;
  readonly #capacity: number;

  constructor(remote: RemoteReplica, model: number, batch: number, capacity: number) {
    this.#remote = remote;
    this.#model = model;
    this.#batch = batch;
    this.#capacity = capacity;
  }

  async generate(request: GenerateRequest) {
    const opened = (this.#opened ??= this.#open());
    const answer = this.#remote.call("generate", { session: this.#session, request });
    const [value] = await Promise.all([answer, opened]);
    return value;
  }

  #open(): Promise<unknown> {
    const model = this.#model;
    const session = this.#session;
    const batch = this.#batch;
    const capacity = this.#capacity;
    return this.#remote.call("openSession", { model, session, batch, capacity });
  }

  clear(): void {
    if (this.#opened) this.#remote.worker.send("clearSession", { session: this.#session });
  }

  dispose(): void {
    if (this.#opened) this.#remote.worker.send("disposeSession", { session: this.#session });
    this.#opened = null;
  }
}
