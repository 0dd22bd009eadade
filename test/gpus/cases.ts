/** The operations' cases, and those that were added because a kernel without one of its barriers or bounds passed all others. */
import {
  cachedCase,
  matmulCase,
  opCase,
  ropeBackwardCase,
  sampleCase,
  WIDE,
  type Make,
  type OpCase,
} from "../../src/engine/check/opMakers.ts";
import { opCases } from "../engine/plan/opCases.ts";

/** Keys that a cache has room for, and the one among them whose score is another. */
const KEYS = 150;
const FAR_KEY = 50;

/**
 * More keys than lanes, with scores that are whole numbers about -140, but for one of -48 in a late lane: only the true maximum may
 * be taken off before exp().
 */
const farScores: Make = (m) => {
  const op = cachedCase(11, WIDE, KEYS)(m);
  const isFar = (i: number) => Math.floor(i / WIDE.d) % KEYS === FAR_KEY;
  const key = (i: number) => (isFar(i) ? -1 : -2 - (((i * i) % 7) % 3));
  m.data["qkv"] = Float32Array.from(m.data["qkv"]!, (_, i) => 1 + (i % 2));
  m.data["keys"] = Float32Array.from(m.data["keys"]!, (_, i) => key(i));
  m.data["position"] = Int32Array.from(m.data["position"]!, (_, r) => (r * 29) % KEYS);
  return { ...op, scale: 1 } as typeof op;
};

/** Few different logits, so that cuts fall among equal ones. */
const ties =
  (rule: Parameters<typeof sampleCase>[0]): Make =>
  (m) => {
    const op = sampleCase(rule, 77)(m);
    m.data["logits"] = Float32Array.from(m.data["logits"]!, (z) => Math.round(z / 2));
    return op;
  };

const makers: Record<string, Make> = {
  "matmul NN, edges": matmulCase("NN", 11, 18, 21),
  "matmul TN, edges": matmulCase("TN", 11, 18, 22),
  "ropeBackward with norms, 16 lanes": ropeBackwardCase(9, WIDE, true, false),
  "cachedAttention, far scores": farScores,
  "sample, ties, top k": ties({ temperature: 1, topK: 23 }),
  "sample, ties, nucleus": ties({ temperature: 2, topP: 0.55 }),
  "sample, greedy among many": sampleCase({ temperature: 0, legal: true }, 200),
};

export const moreCases: readonly OpCase[] = Object.entries(makers).map(([name, make], i) =>
  opCase(name, make, 3000 + i),
);

export const allCases: readonly OpCase[] = [...moreCases, ...opCases];
