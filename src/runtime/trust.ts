/** Whether an engine's numbers can be trusted here: a self-check at the first start on a device, remembered afterwards. */
import type { Engine, EngineInfo } from "../engine/engine.ts";
import { refusalOf, selfCheck, type SelfCheck } from "../engine/selfCheck.ts";
import { createTfjsEngine } from "../engine/tfjs/createTfjsEngine.ts";
import { browserCheckStore, type CheckStore, type KeptCheck } from "./checkStore.ts";

export interface TrustOptions {
  store: CheckStore;
  /** Brings the referee up. */
  openReferee: () => Promise<Engine>;
  /** What stands for the kernels' text; null where that is not known, and then nothing is remembered. */
  build: string | null;
  browser: string;
}

/** Says whether an engine may be used: null, or why its numbers could not be checked. Rejects with the refusal. */
export type Trust = (engine: Engine) => Promise<string | null>;

export class Trusted {
  readonly #options: TrustOptions;
  /** Checks of this worker's life. Refusals are kept nowhere else: a driver may be mended, a check may be unlucky. */
  readonly #known = new Map<string, KeptCheck>();
  #referee: Promise<Engine> | null = null;

  constructor(options: Partial<TrustOptions> = {}) {
    this.#options = { ...defaults(), ...options };
  }

  /** Checks the engine unless it has been checked before. @throws EngineError "wrong-numbers" */
  readonly trust: Trust = async (engine) => {
    if (isReferee(engine.info)) return null;
    const kept = await this.kept(engine.info);
    const check = kept?.check ?? (await this.check(engine));
    if (typeof check === "string") return check;
    const refusal = refusalOf(check);
    if (refusal) throw refusal;
    return null;
  };

  /** The check that was made of such an engine here, if any. */
  async kept(info: EngineInfo): Promise<KeptCheck | undefined> {
    const key = this.#key(info);
    const known = this.#known.get(key);
    if (known || this.#options.build === null) return known;
    return this.#options.store.get(key);
  }

  /** Checks now, and remembers. A sentence where the referee does not run here, so that there is nothing to compare with. */
  async check(engine: Engine): Promise<SelfCheck | string> {
    const key = this.#key(engine.info);
    let check: SelfCheck;
    try {
      this.#referee ??= this.#options.openReferee();
      check = await selfCheck(engine, await this.#referee);
    } catch (error) {
      this.#referee = null;
      const why = error instanceof Error ? error.message : String(error);
      return `The engine's numbers could not be checked: the referee does not run here (${why}).`;
    }
    await this.#keep(key, check);
    return check;
  }

  async #keep(key: string, check: SelfCheck): Promise<void> {
    const kept = { at: new Date().toISOString(), check };
    this.#known.set(key, kept);
    if (check.passed && this.#options.build !== null) await this.#options.store.set(key, kept);
  }

  #key({ engine, backend, adapter, workers = "" }: EngineInfo): string {
    const { browser, build } = this.#options;
    return JSON.stringify([engine, backend, adapter, workers, browser, build]);
  }
}

/** tfjs in plain JavaScript: what the others are compared with. */
export function isReferee({ engine, backend }: EngineInfo): boolean {
  return engine === "tfjs" && backend === "cpu";
}

function defaults(): TrustOptions {
  return {
    store: browserCheckStore(),
    openReferee: () => createTfjsEngine({ backend: "cpu" }),
    build: buildName(),
    browser: globalThis.navigator?.userAgent ?? "",
  };
}

/** The worker's own file: its name holds a hash over everything it loads. Served while being written, it has none. */
function buildName(): string | null {
  if (import.meta.env.DEV) return null;
  return globalThis.location?.pathname.split("/").at(-1) ?? null;
}
