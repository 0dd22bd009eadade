/** How long the self-check at an engine's start takes. */
import type { Engine } from "../../src/engine/engine.ts";
import { refereeNumbers, refusalOf, selfCheck } from "../../src/engine/selfCheck.ts";
import { createTfjsEngine } from "../../src/engine/tfjs/createTfjsEngine.ts";

/** Milliseconds. */
export interface CheckTimes {
  /** Starting the referee and computing its numbers: once, for all engines. */
  referee: number;
  /** Starting an engine, and checking it: the first of this process, which compiles its kernels. */
  start: number;
  first: number;
  /** Checking another engine beside it. */
  again: number;
}

/** @throws the refusal, where the numbers are not the referee's. */
export async function checkTimes(open: () => Promise<Engine>): Promise<CheckTimes> {
  const referee = await createTfjsEngine({ backend: "cpu" });
  const computing = await timed(() => refereeNumbers(referee));
  const start = await timed(open);
  const first = await checkOnce(start.result, referee);
  const second = await open();
  const again = await checkOnce(second, referee);
  for (const engine of [start.result, second, referee]) engine.dispose();
  return { referee: computing.milliseconds, start: start.milliseconds, first, again };
}

async function checkOnce(engine: Engine, referee: Engine): Promise<number> {
  const check = await selfCheck(engine, referee);
  const refusal = refusalOf(check);
  if (refusal) throw refusal;
  return check.milliseconds;
}

async function timed<T>(body: () => Promise<T>): Promise<{ result: T; milliseconds: number }> {
  const begin = performance.now();
  const result = await body();
  return { result, milliseconds: performance.now() - begin };
}
