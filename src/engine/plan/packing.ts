/**
 * Matrices that are not trained, in fewer bytes than float32: BF16, or int8 with a float32 scale for each row (an output channel),
 * scale = max |w| / 127 ("absmax"; Dettmers et al. 2022, "LLM.int8()", section 2.1). Rows are whole words.
 */
import { fromBfloats, toBfloats } from "../../numeric/bfloat.ts";
import type { WeightPiece } from "../engine.ts";
import type { Packing } from "../modelConfig.ts";
import { PER_WORD } from "./ops/view.ts";

/** A tensor in the parameters' buffer. */
export interface Tensor {
  shape: number[];
  /** In words. */
  offset: number;
  /** In numbers. */
  size: number;
  packed?: Packing;
  /** Of int8: the word of its first row's scale. */
  scales?: number;
}

/** Words that belong at an offset of the parameters' buffer. */
export interface PackedWords {
  offset: number;
  words: Float32Array;
}

const widthOf = ({ shape }: Tensor) => shape.at(-1)!;

/** Whole rows of a packed tensor, from row `first`. */
export function packMatrixRows(tensor: Tensor, first: number, data: Float32Array): PackedWords[] {
  const width = widthOf(tensor);
  const perWord = PER_WORD[tensor.packed!];
  const words = new Float32Array(data.length / perWord);
  const offset = tensor.offset + (first * width) / perWord;
  if (tensor.packed === "bf16") {
    toBfloats(data, new Uint16Array(words.buffer));
    return [{ offset, words }];
  }
  const scales = new Float32Array(data.length / width);
  const bytes = new Int8Array(words.buffer);
  for (let r = 0, at = 0; r < scales.length; r++, at += width) {
    let most = 0;
    for (let i = at; i < at + width; i++) most = Math.max(most, Math.abs(data[i]!));
    scales[r] = most / 127;
    const inverse = most > 0 ? 127 / most : 0;
    for (let i = at; i < at + width; i++) bytes[i] = Math.round(data[i]! * inverse);
  }
  return [
    { offset, words },
    { offset: tensor.scales! + first, words: scales },
  ];
}

/** All numbers of a packed tensor. `flat`: the parameters from word `from` on. */
export function unpackMatrix(tensor: Tensor, flat: Float32Array, from: number): Float32Array {
  const { size, offset, packed, scales } = tensor;
  const at = flat.byteOffset + 4 * (offset - from);
  if (packed === "bf16") return fromBfloats(new Uint16Array(flat.buffer, at, size));
  const [bytes, width] = [new Int8Array(flat.buffer, at, size), widthOf(tensor)];
  return Float32Array.from(bytes, (q, i) => q * flat[scales! - from + Math.floor(i / width)]!);
}

/** Packs tensors that arrive in pieces: a row that is not whole yet waits for its rest. */
export class PiecePacker {
  readonly #rests = new Map<string, { at: number; data: Float32Array }>();

  /** @throws Error if a piece begins in the middle of a row and does not follow the one before. */
  pack(tensor: Tensor, { name, at, data }: WeightPiece): PackedWords[] {
    const rest = this.#rests.get(name);
    const follows = rest !== undefined && rest.at + rest.data.length === at;
    const width = widthOf(tensor);
    if (!follows && at % width !== 0)
      throw new Error(`weight ${name}: the piece from number ${at} does not follow another`);
    const all = follows && rest.data.length > 0 ? joined(rest.data, data) : data;
    const start = at + data.length - all.length;
    const whole = all.length - (all.length % width);
    this.#rests.set(name, { at: start + whole, data: all.slice(whole) });
    return whole === 0 ? [] : packMatrixRows(tensor, start / width, all.subarray(0, whole));
  }
}

function joined(a: Float32Array, b: Float32Array): Float32Array {
  const all = new Float32Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}
