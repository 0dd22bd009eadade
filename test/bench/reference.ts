/** Losses and tokens that every contender has to reproduce: of our wasm engine in Node, before anything is timed. */
import { createWasmEngine } from "../../src/engine/wasm/createWasmEngine.ts";
import { nodeKernels } from "../../src/engine/wasm/node.ts";
import { engineContender } from "./contenders/engines.ts";
import type { Cell } from "./measure.ts";
import { batchOf, decoding, type Workload } from "./workload.ts";

export interface Reference {
  losses: number[];
  ids: number[][];
}

const STEPS = 4;

export async function referenceOf(workload: Workload): Promise<Reference> {
  const contender = engineContender(await createWasmEngine(nodeKernels()));
  if (workload === "decode-64") {
    const decoder = await contender.decoder();
    return { losses: [], ids: await decoder.generate(decoding.tokens) };
  }
  const trainer = await contender.trainer(batchOf(workload));
  const losses: number[] = [];
  for (let i = 0; i < STEPS; i++) {
    losses.push(await trainer.loss!());
    await trainer.step();
  }
  return { losses, ids: [] };
}

/** Three decimals. */
const LOSS_TOLERANCE = 1e-3;
/** Near ties of the likeliest token fall differently where sums are rounded differently. */
const IDS_AGREEING = 0.95;

export interface Agreement {
  ok: boolean;
  words: string;
}

/** Whether a contender computed what the reference did, and how close it came. */
export function agreementOf({ losses, ids }: Cell, reference: Reference): Agreement {
  if (reference.ids.length > 0) return tokenAgreement(ids, reference.ids);
  const gaps = losses.map((loss, i) => Math.abs(loss - reference.losses[i]!));
  const worst = Math.max(...gaps);
  const ok = losses.length >= 2 && worst <= LOSS_TOLERANCE;
  const shown = losses.map((loss) => loss.toFixed(4)).join(" ");
  return { ok, words: `losses ${shown} (off by ${worst.toExponential(0)} at most)` };
}

function tokenAgreement(ids: number[][], reference: number[][]): Agreement {
  const all = reference.flatMap((row, b) => row.map((id, t) => id === ids[b]?.[t]));
  const share = all.filter(Boolean).length / all.length;
  return { ok: share >= IDS_AGREEING, words: `${(100 * share).toFixed(1)} % of the tokens` };
}
