/** Trust without a browser, for tests. */
import { createTfjsEngine } from "../../src/engine/tfjs/createTfjsEngine.ts";
import type { CheckStore, KeptCheck } from "../../src/runtime/trust.ts";
import { Trusted, type TrustOptions } from "../../src/runtime/trust.ts";

export function memoryStore(): CheckStore & { kept: Map<string, KeptCheck> } {
  const kept = new Map<string, KeptCheck>();
  return {
    kept,
    get: async (key) => kept.get(key),
    set: async (key, check) => void kept.set(key, structuredClone(check)),
  };
}

/** Remembers in `store`; `referees` counts how often the referee was brought up. */
export function trusting(options: Partial<TrustOptions> = {}) {
  let referees = 0;
  const openReferee = () => {
    referees++;
    return createTfjsEngine({ backend: "cpu" });
  };
  const store = memoryStore();
  const trusted = new Trusted({
    ...{ store, build: "b1", browser: "c1", openReferee },
    ...{ traits: async () => "t1", now: () => Date.now() },
    ...options,
  });
  return { trusted, store, referees: () => referees };
}
