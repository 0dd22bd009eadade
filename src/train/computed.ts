/** Which engine has computed a run so far, and whether another one can continue it with the same numbers. */
import type { EngineInfo } from "../engine/engine.ts";

/** As stored in a checkpoint. */
export interface Computed {
  engine: string;
  backend: string;
  adapter: string;
}

export function computedBy({ engine, backend, adapter }: EngineInfo): Computed {
  return { engine, backend, adapter };
}

export function sameNumbers(before: Computed, now: EngineInfo): boolean {
  if (before.engine !== now.engine || before.backend !== now.backend) return false;
  return now.reproducible === "everywhere" || before.adapter === now.adapter;
}
