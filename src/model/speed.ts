/** How fast a loaded model writes and reads. */
import type { EngineModel } from "../engine/engine.ts";
import { scoreIds, speak } from "./speak.ts";

export interface ModelSpeed {
  /** Tokens a second that it writes, one after another. */
  writes: number;
  /** Tokens a second that it reads in one pass. */
  reads: number;
}

/** Tokens of the text that is read, if the model has positions for so many. */
const READ = 256;
const WRITTEN = 64;

interface MeasuringHost {
  /** Milliseconds for each of the two. */
  budget: number;
  now: () => number;
  /** Between steps; may throw to end it. */
  rest: () => Promise<void>;
}

/** Measures both, each for at least one step after a first that is not counted. */
export async function measureSpeed(model: EngineModel, timing: MeasuringHost): Promise<ModelSpeed> {
  const { vocabSize, maxPositions } = model.config;
  const length = Math.min(READ, maxPositions - WRITTEN);
  const ids = Array.from({ length }, (_, t) => (t * 7919) % vocabSize);
  await scoreIds(model, ids);
  const reads = await rate(timing, async () => {
    await scoreIds(model, ids);
    return length;
  });
  const asked = { ids: ids.slice(0, 8), maxTokens: WRITTEN, stopIds: [], temperature: 0, topP: 1 };
  const written = speak(model, { ...asked, seed: 1 }, 1);
  await written.next();
  const writes = await rate(timing, async () => {
    const { value, done } = await written.next();
    return done ? null : value.length;
  });
  await written.return(undefined);
  return { writes, reads };
}

/** Units a second of work that is repeated until its time is up, or it has no more. */
async function rate(
  { budget, now, rest }: MeasuringHost,
  step: () => Promise<number | null>,
): Promise<number> {
  const begun = now();
  let [units, spent] = [0, 0];
  while (spent < budget) {
    const some = await step();
    if (some === null) break;
    units += some;
    spent = now() - begun;
    await rest();
  }
  return units / (Math.max(1, spent) / 1000);
}
