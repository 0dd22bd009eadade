/** Whether an engine's numbers can be trusted here: a self-check at the first start on a device, remembered afterwards. */
import type { Engine, EngineInfo } from "../engine/engine.ts";
import { refereeNumbers, refusalOf, selfCheck, type SelfCheck } from "../engine/selfCheck.ts";
import { createTfjsEngine } from "../engine/tfjs/createTfjsEngine.ts";
import { gpuTraits } from "./machineFacts.ts";
import { openDB, type IDBPDatabase } from "idb";

export interface TrustOptions {
  /** Null: nothing is remembered beyond this object's lifetime. */
  store: CheckStore | null;
  /** Starts the referee. */
  openReferee: () => Promise<Engine>;
  /** Identifies the kernels' source and the browser. */
  build: string;
  browser: string;
  /** What the graphics adapter reports about itself: another driver may report something else. Never rejects. */
  traits: () => Promise<string>;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Whether an engine may be used: null, or why its numbers could not be checked. Rejects with the reason if it may not. */
export type Trust = (engine: Engine) => Promise<string | null>;

/** Milliseconds for which a check is valid: a browser does not report most driver changes. */
const LIFETIME = 30 * 24 * 3600 * 1000;

export class Trusted {
  readonly #options: TrustOptions;
  /**
   * Checks during this worker's lifetime. Refusals are stored nowhere else: a driver may be fixed,
   * a check may have bad luck. A check that did not finish (device lost, out of memory, no answer)
   * is not stored.
   */
  readonly #known = new Map<string, KeptCheck>();
  #referee: Promise<Engine> | null = null;

  constructor(options: TrustOptions) {
    this.#options = options;
  }

  /** Checks the engine unless it has been checked before. @throws EngineError "wrong-numbers", or as selfCheck does. */
  readonly trust: Trust = async (engine) => {
    if (isReferee(engine.info)) return null;
    const kept = await this.kept(engine.info);
    if (kept?.speed) engine.pace?.expect(kept.speed);
    const check = kept?.check ?? (await this.check(engine));
    if (typeof check === "string") return check;
    const refusal = refusalOf(check);
    if (refusal) throw refusal;
    return null;
  };

  /** An earlier check of such an engine here, if recent enough. */
  async kept(info: EngineInfo): Promise<KeptCheck | undefined> {
    const key = await this.#key(info);
    const kept = this.#known.get(key) ?? (await this.#options.store?.get(key));
    if (!kept) return undefined;
    const age = this.#options.now() - Date.parse(kept.at);
    return Math.abs(age) < LIFETIME ? kept : undefined;
  }

  /**
   * Checks now, and remembers. Returns a sentence if the referee does not run here, so that there
   * is nothing to compare with.
   * @throws EngineError if the engine fails other than by wrong numbers; see selfCheck.
   */
  async check(engine: Engine): Promise<SelfCheck | string> {
    const referee = await this.#readyReferee();
    if (typeof referee === "string") return referee;
    const check = await selfCheck(engine, referee);
    await this.#keep(engine, check);
    return check;
  }

  /** Stores the measured speed of the engine's device with its check: the next engine on it starts with that. */
  async keepSpeed(engine: Engine): Promise<void> {
    const kept = await this.kept(engine.info);
    if (kept && engine.pace?.shown) await this.#keep(engine, kept.check, kept.at);
  }

  /** The referee with its numbers ready, or why there is none. */
  async #readyReferee(): Promise<Engine | string> {
    try {
      this.#referee ??= this.#options.openReferee();
      const referee = await this.#referee;
      await refereeNumbers(referee);
      return referee;
    } catch (error) {
      this.#referee = null;
      const why = error instanceof Error ? error.message : String(error);
      return `The engine's numbers could not be checked: the referee does not run here (${why}).`;
    }
  }

  async #keep({ info, pace }: Engine, check: SelfCheck, at?: string): Promise<void> {
    const key = await this.#key(info);
    const speed = pace?.shown ?? (await this.kept(info))?.speed;
    const now = new Date(this.#options.now()).toISOString();
    const kept: KeptCheck = { at: at ?? now, check, ...(speed && { speed }) };
    this.#known.set(key, kept);
    if (check.passed) await this.#options.store?.set(key, kept);
  }

  async #key({ engine, backend, adapter, workers = "" }: EngineInfo): Promise<string> {
    const { browser, build, traits } = this.#options;
    const gpu = backend === "webgpu" ? await traits() : "";
    return JSON.stringify([engine, backend, adapter, workers, browser, build, gpu]);
  }
}

/** tfjs in plain JavaScript: the one that the others are compared with. */
export function isReferee({ engine, backend }: EngineInfo): boolean {
  return engine === "tfjs" && backend === "cpu";
}

/** The trust options of a page's worker. */
export function browserTrust(): TrustOptions {
  const build = buildName();
  return {
    store: build === null ? null : browserCheckStore(),
    openReferee: () => createTfjsEngine({ backend: "cpu" }),
    build: build ?? "",
    browser: globalThis.navigator.userAgent,
    traits: () => gpuTraits(),
    now: () => Date.now(),
  };
}

/** The worker's own file: its name contains a hash over everything it loads. On the development server it has none. */
function buildName(): string | null {
  if (import.meta.env.DEV) return null;
  return globalThis.location?.pathname.split("/").at(-1) ?? null;
}

// Passed self-checks, kept in the browser so that the next start can skip them. If storage fails, it acts as if empty.

export interface KeptCheck {
  /** ISO time. */
  at: string;
  check: SelfCheck;
  /** FLOPs per millisecond measured on the graphics card; absent before a measurement. */
  speed?: number;
}

export interface CheckStore {
  /** Undefined if nothing is stored. Never rejects. */
  get(key: string): Promise<KeptCheck | undefined>;
  /** Never rejects. */
  set(key: string, kept: KeptCheck): Promise<void>;
}

/** A separate database, versioned alone. */
const DATABASE = "turnbook-machine";
const STORE = "self-checks";
/** Milliseconds after which a database that does not answer counts as failed; private windows can be slow. */
const TIME_LIMIT = 1000;

export function browserCheckStore(): CheckStore {
  let opened: Promise<IDBPDatabase> | null = null;
  const database = () => (opened ??= open());
  return {
    get: (key) => tried(async () => (await database()).get(STORE, key) as Promise<KeptCheck>),
    set: (key, kept) => tried(async () => void (await (await database()).put(STORE, kept, key))),
  };
}

function open(): Promise<IDBPDatabase> {
  return openDB(DATABASE, 1, { upgrade: (database) => void database.createObjectStore(STORE) });
}

/** The body's result, or undefined if it fails or takes too long. */
async function tried<T>(body: () => Promise<T>): Promise<T | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, TIME_LIMIT));
  return Promise.race([body(), late]).catch(() => undefined);
}
