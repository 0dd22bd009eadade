/** The worker's side of the reader's own model: opens a folder, plans, loads, samples and scores; see modelReport.ts. */
import type { Engine, EngineModel } from "../../engine/engine.ts";
import { EngineError } from "../../engine/errors.ts";
import type { OpenedModel } from "../../model/folder.ts";
import {
  loadOpened,
  parametersOf,
  readingConfig,
  type WeightForm,
} from "../../model/loadOpened.ts";
import {
  logitsDifference,
  rowLogits,
  type LogitsDifference,
} from "../../model/logitsDifference.ts";
import { measureSpeed } from "../../model/speed.ts";
import { scoreIds, speak } from "../../model/speak.ts";
import { blobOpener, hashFolder, openTextFolder, type TextFolder } from "../../model/textFolder.ts";
import { formatBytes } from "../../numeric/format.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { ExperimentSpec } from "../../spec/experiment.ts";
import { tokenPieces } from "../../text/tokenPieces.ts";
import { LARGE_MODEL } from "../modelReport.ts";
import type {
  ModelMessage,
  ModelPlan,
  ModelReport,
  ModelRequest,
  Prompt,
  SaidEnd,
  SaidToken,
  SayRequest,
  TurnToScore,
} from "../modelReport.ts";
import type { EngineReport } from "../protocol.ts";
import { factsOf, iterationTime, modelProblem, sizeOf } from "./modelFacts.ts";

/** Tokens of a row, if the model has positions for so many. */
const CONTEXT = 4096;
/** Milliseconds for each of the two speeds. */
const MEASURED = 5000;
/** Milliseconds between two messages of progress or tokens. */
const PACE = 100;
/** Tokens on which two forms of the weights are compared: each has a row of logits of the whole vocabulary, twice. */
const COMPARED = 64;
export interface ModelDeskHost {
  post(message: ModelMessage): void;
  /** `alone`: without threads that copy the model. */
  openEngine(
    backend: ExperimentSpec["engine"]["backend"],
    alone: boolean,
  ): Promise<{ engine: Engine; report: EngineReport }>;
  /** Of this device. */
  memoryBytes: number;
  now(): number;
  /** A turn of the event loop. */
  rest(): Promise<void>;
}

/** The reader has gone on to something else. */
class FolderClosed extends Error {}

interface Loaded {
  engine: Engine;
  model: EngineModel | null;
}

const EMPTY: ModelReport = {
  state: "empty",
  hashed: null,
  loaded: null,
  folder: null,
  plan: null,
  speed: null,
  problem: null,
};

export class ModelDesk {
  readonly #host: ModelDeskHost;
  #report = EMPTY;
  #folder: TextFolder | null = null;
  #form: WeightForm = "stored";
  #at: Loaded | null = null;
  /** Counts folders: work for an earlier one ends at its next step. */
  #turn = 0;
  #hushed = false;
  #posted = -Infinity;

  constructor(host: ModelDeskHost) {
    this.#host = host;
  }

  async receive(request: ModelRequest): Promise<void> {
    const { state } = this.#report;
    if (request.type === "hush") this.#hushed = true;
    else if (request.type === "closeFolder") this.#close();
    else if (request.type === "openFolder") await this.#open(request);
    else if (request.type === "loadFolder") {
      if (state === "read") await this.#load();
    } else if (request.type === "measureFolder") {
      if (state === "ready") await this.#measure();
    } else if (state === "ready") await this.#answer(request);
  }

  #close(): void {
    this.#turn++;
    this.#hushed = true;
    this.#at?.engine.dispose();
    [this.#at, this.#folder] = [null, null];
    this.#update(EMPTY);
  }

  async #open({ name, files, backend, weights }: Extract<ModelRequest, { type: "openFolder" }>) {
    this.#close();
    const turn = this.#turn;
    this.#form = weights;
    this.#update({ state: "opening" });
    try {
      const open = blobOpener(files);
      const folder = await openTextFolder(open, [...files.keys()]);
      this.#check(turn);
      this.#folder = folder;
      this.#update({ folder: factsOf(name, folder, files) });
      const plan = await this.#plan(folder, backend, turn);
      this.#update({ plan, state: "read" });
      await this.#hash(folder, files, turn);
    } catch (error) {
      this.#fail(error, turn, { state: this.#report.plan ? this.#report.state : "empty" });
    }
  }

  #check(turn: number): void {
    if (turn !== this.#turn) throw new FolderClosed();
  }

  #fail(error: unknown, turn: number, more: Partial<ModelReport>): void {
    if (turn !== this.#turn || error instanceof FolderClosed) return;
    this.#update({ ...more, hashed: null, loaded: null, problem: modelProblem(error) });
  }

  /** Opens the engine and says what the model takes on it. @throws EngineError if it does not fit */
  async #plan(
    { opened }: TextFolder,
    backend: ExperimentSpec["engine"]["backend"],
    turn: number,
  ): Promise<ModelPlan> {
    const alone = 4 * parametersOf(opened) >= LARGE_MODEL;
    const first = await this.#host.openEngine(backend, alone);
    try {
      this.#check(turn);
      return this.#planOn(first, opened);
    } catch (error) {
      first.engine.dispose();
      const isTooLarge = error instanceof EngineError && error.kind === "out-of-memory";
      if (!isTooLarge || backend !== "auto" || first.report.backend === "wasm") throw error;
      const other = await this.#host.openEngine("wasm", alone);
      const why = `Not used: ${first.report.backend}: ${error.message}.`;
      return { ...this.#planOn(other, opened), fallback: why };
    }
  }

  #planOn(
    { engine, report }: { engine: Engine; report: EngineReport },
    opened: OpenedModel,
  ): ModelPlan {
    const config = readingConfig(opened, this.#form);
    const context = Math.min(CONTEXT, config.maxPositions);
    const parts = engine.memoryPlan?.(config, "none", context, "text") ?? {};
    const sum = Object.values(parts).reduce((a, b) => a + b, 0);
    const { memoryBytes } = this.#host;
    if (sum > memoryBytes)
      throw new EngineError(
        "out-of-memory",
        `the model needs ${formatBytes(sum)}, and this device has ${formatBytes(memoryBytes)}`,
      );
    this.#at = { engine, model: null };
    const { adapter, fallback } = report;
    return { engine: report.engine, backend: report.backend, adapter, fallback, parts, context };
  }

  async #hash(folder: TextFolder, blobs: ReadonlyMap<string, Blob>, turn: number) {
    const total = sizeOf(folder.files, blobs);
    const { hash, files } = await hashFolder(blobOpener(blobs), folder.files, async (done) => {
      this.#check(turn);
      this.#progress({ hashed: { done, total } });
      await this.#host.rest();
    });
    this.#check(turn);
    const facts = this.#report.folder!;
    this.#update({ hashed: null, folder: { ...facts, hash, files } });
  }

  async #load(): Promise<void> {
    const turn = this.#turn;
    const [folder, at] = [this.#folder!, this.#at!];
    this.#update({ state: "loading", problem: null });
    try {
      at.model = await loadOpened(at.engine, this.#watched(folder.opened, turn), this.#form);
      this.#check(turn);
      this.#update({ state: "ready", loaded: null });
    } catch (error) {
      this.#fail(error, turn, { state: "read" });
    }
  }

  async #measure(): Promise<void> {
    const turn = this.#turn;
    this.#update({ state: "busy", problem: null });
    try {
      const speed = await measureSpeed(this.#at!.model!, {
        budget: MEASURED,
        now: () => this.#host.now(),
        rest: async () => {
          await this.#host.rest();
          this.#check(turn);
        },
      });
      this.#update({ state: "ready", speed: { ...speed, ...iterationTime(speed, this.#folder!) } });
    } catch (error) {
      this.#fail(error, turn, { state: "ready" });
    }
  }

  /** The same pieces, with progress; they end once another folder is opened. */
  #watched(opened: OpenedModel, turn: number): OpenedModel {
    const total = parametersOf(opened);
    const [check, rest] = [() => this.#check(turn), () => this.#host.rest()];
    const tell = (done: number) => this.#progress({ loaded: { done, total } });
    async function* pieces() {
      let done = 0;
      for await (const piece of opened.pieces()) {
        check();
        yield piece;
        tell((done += piece.data.length));
        await rest();
      }
    }
    return { ...opened, pieces };
  }

  async #answer(request: Extract<ModelRequest, { id: number }>): Promise<void> {
    const turn = this.#turn;
    const { id } = request;
    this.#hushed = false;
    this.#update({ state: "busy", problem: null });
    const started = this.#host.now();
    let promptTokens = 0;
    const end = (why: SaidEnd["why"], more: Pick<SaidEnd, "difference"> = {}) => {
      const seconds = (this.#host.now() - started) / 1000;
      const ended = { why, promptTokens, seconds, ...more };
      this.#host.post({ type: "said", id, tokens: [], ended });
    };
    try {
      if (request.type === "scoreTurns") end(await this.#scoreTurns(request.turns, id, turn));
      else {
        let ids = this.#idsOf(request.prompt, request.type === "say");
        if (request.type === "compareStored") ids = ids.slice(0, COMPARED);
        promptTokens = ids.length;
        if (request.type === "say") end(await this.#say(ids, request, turn));
        else if (request.type === "compareStored")
          end("compared", { difference: await this.#compare(ids, turn) });
        else end(await this.#score(ids, id));
      }
      this.#update({ state: "ready" });
    } catch (error) {
      if (turn !== this.#turn) return;
      end("failed");
      this.#fail(error, turn, { state: "ready" });
    }
  }

  /** @throws InputError if they are more than the plan has room for, or none. */
  #idsOf(prompt: Prompt, answers: boolean): number[] {
    const { template, tokenizer } = this.#folder!;
    const ids = tokenizer.encode(
      "text" in prompt
        ? prompt.text
        : template!(prompt.messages, {
            addGenerationPrompt: answers,
            ...(prompt.thinks !== undefined && { enableThinking: prompt.thinks }),
          }),
    );
    this.#checkLength(ids, "the text");
    return ids;
  }

  #checkLength({ length }: readonly number[], what: string): void {
    const most = this.#report.plan!.context;
    if (length < 1 || length > most)
      throw new InputError(`${what} has ${length} tokens; it must have from 1 to ${most}`);
  }

  /** Each turn after its own messages, as they stood then. */
  async #scoreTurns(
    turns: readonly TurnToScore[],
    id: number,
    current: number,
  ): Promise<SaidEnd["why"]> {
    const { tokenizer, template } = this.#folder!;
    for (const [turn, { messages, response }] of turns.entries()) {
      const text = messages.map(({ content }) => content).join("\n");
      const before = this.#idsOf(template ? { messages } : { text }, true);
      const ids = [...before, ...tokenizer.encode(response)];
      this.#checkLength(ids, `turn ${turn + 1}`);
      const scored = (await scoreIds(this.#at!.model!, ids)).slice(before.length);
      const piece = tokenPieces(tokenizer);
      const tokens = scored.map((token): SaidToken => ({ ...token, turn, text: piece(token.id) }));
      this.#host.post({ type: "said", id, tokens, ended: null });
      await this.#host.rest();
      this.#check(current);
      if (this.#hushed) return "hushed";
    }
    return "scored";
  }

  async #say(ids: number[], request: SayRequest, turn: number): Promise<SaidEnd["why"]> {
    const { stopIds, tokenizer } = this.#folder!;
    const room = this.#report.plan!.context - ids.length;
    const maxTokens = Math.min(request.maxTokens, room);
    if (maxTokens < 1) throw new InputError(`the prompt has ${ids.length} tokens; none is left`);
    const { temperature, topP, seed } = request;
    const piece = tokenPieces(tokenizer);
    const asked = { ids, maxTokens, stopIds, temperature, topP, seed };
    const look = this.#report.plan!.backend === "webgpu" ? 4 : 1;
    let waiting: SaidToken[] = [];
    let sent = this.#host.now();
    const send = () => {
      this.#host.post({ type: "said", id: request.id, tokens: waiting, ended: null });
      [waiting, sent] = [[], this.#host.now()];
    };
    let last = -1;
    for await (const tokens of speak(this.#at!.model!, asked, look)) {
      this.#check(turn);
      for (const token of tokens) waiting.push({ ...token, text: piece((last = token.id)) });
      if (this.#host.now() - sent >= PACE) send();
      await this.#host.rest();
      if (this.#hushed) break;
    }
    send();
    if (stopIds.includes(last)) return "stop";
    return this.#hushed ? "hushed" : "limit";
  }

  /** With the stored weights, for which these make room; afterwards these are loaded again. */
  async #compare(ids: number[], turn: number): Promise<LogitsDifference> {
    const [{ opened }, at] = [this.#folder!, this.#at!];
    const load = (form: WeightForm) => loadOpened(at.engine, this.#watched(opened, turn), form);
    const actual = await rowLogits(at.model!, ids);
    at.model!.dispose();
    at.model = null;
    try {
      const stored = await load("stored");
      const expected = await rowLogits(stored, ids);
      stored.dispose();
      return logitsDifference(expected, actual);
    } finally {
      if (turn === this.#turn) at.model = await load(this.#form);
      this.#update({ loaded: null });
    }
  }

  async #score(ids: number[], id: number): Promise<SaidEnd["why"]> {
    const piece = tokenPieces(this.#folder!.tokenizer);
    const scored = await scoreIds(this.#at!.model!, ids);
    const tokens = scored.map((token): SaidToken => ({ ...token, text: piece(token.id) }));
    this.#host.post({ type: "said", id, tokens, ended: null });
    return "scored";
  }

  /** At most ten times a second. */
  #progress(news: Partial<ModelReport>): void {
    const isDue = this.#host.now() - this.#posted >= PACE;
    if (isDue) this.#update(news);
  }

  #update(news: Partial<ModelReport>): void {
    this.#report = { ...this.#report, ...news };
    this.#posted = this.#host.now();
    this.#host.post({ type: "model", report: this.#report });
  }
}
