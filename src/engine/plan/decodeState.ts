/** The words of the "state" store: the state of each row being sampled, and its sampling rule. */
import { streamHash } from "../../numeric/rng.ts";
import type { GenerateRequest } from "../engine.ts";
import { STATE_FIELDS, stateSize } from "./decode.ts";
import { SAMPLE_RULE } from "./ops/sample.ts";
import { align } from "./planner.ts";

/** A row being sampled: the input of its next step. */
export interface Active {
  row: number;
  token: number;
  position: number;
}

/** Which of B rows continue, and at which of the request's new tokens. [stateSize(B)] */
export function stateWords(
  B: number,
  active: readonly Active[],
  request: GenerateRequest,
  tick: number,
): Int32Array {
  const words = new Int32Array(stateSize(B));
  const rows = STATE_FIELDS.map((_, i) => words.subarray(i * align(B), i * align(B) + B));
  const [token, position, row, ticks, trajectory, firstStep, slot] = rows; // [B] each
  row!.fill(-1);
  active.forEach((entry, at) => {
    token![at] = entry.token;
    position![at] = entry.position;
    row![at] = slot![at] = entry.row;
    ticks![at] = tick;
    trajectory![at] = request.key.trajectory[entry.row]!;
    firstStep![at] = request.key.step[entry.row]!;
  });
  writeRule(words.subarray(words.length - SAMPLE_RULE), request);
  return words;
}

/** The sampling rule as words; see ops.ts, Sample. rule [SAMPLE_RULE] */
function writeRule(rule: Int32Array, request: GenerateRequest): void {
  const floats = new Float32Array(rule.buffer, rule.byteOffset, 2);
  floats[0] = request.temperature;
  floats[1] = request.topP ?? 1;
  const { seed, iteration, stream } = request.key;
  rule[2] = request.topK ?? 0;
  rule[3] = seed >>> 0;
  rule[4] = Math.floor(seed / 4294967296);
  rule[5] = iteration;
  rule[6] = streamHash(stream);
  rule[7] = request.maxNewTokens;
  rule[8] = request.stopIds.length;
  rule.set(request.stopIds, 16);
}
