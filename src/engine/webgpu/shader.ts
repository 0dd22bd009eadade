/**
 * A kernel before it becomes WGSL: bindings, numbers that differ between plans ("dims", read from a
 * uniform), and a body. Everything else is constant in the source, which is the key of compiled
 * pipelines.
 *
 * Bindings come in two kinds. "Direct" ones have a type of their own and are arrays: x[i]. "Words"
 * are accessed through functions, x(i), put_x(i, value) and bits_x(i): those of one store share a
 * binding that spans them all, so that an operation with a dozen operands stays within the eight
 * storage buffers that every device has, and may work in place.
 */
import { greatest, least } from "../../numeric/lists.ts";
import type { BufferView } from "../plan/ops/view.ts";
import { EngineError } from "../errors.ts";

type WgslWord = "f32" | "i32" | "u32";
type Direct =
  "array<f32>" | "array<i32>" | "array<u32>" | "array<vec2f>" | "array<vec2u>" | "array<vec4f>";

export interface Operand {
  name: string;
  type: WgslWord | Direct;
  view: BufferView;
  writes?: boolean;
  /** For f32 words: whether they are also read as raw bits, through bits_x(i). */
  bits?: boolean;
}

export interface Dispatch {
  /** For people: errors and profiles. */
  name: string;
  /** Either all direct or all words. */
  operands: Operand[];
  /** Whole numbers, u32. */
  dims: Record<string, number>;
  /** f32 */
  floats?: Record<string, number>;
  /** Declarations outside the entry point. */
  declarations?: string;
  /**
   * Of the entry point; `group` and `lid` are the indices of the workgroup and of the thread in it.
   */
  body: string;
  workgroup: number;
  /** Workgroups. */
  groups: number;
  /** Index of the first one, if earlier dispatches did others; absent: 0. */
  base?: number;
  /** Share of the operation's work; absent: equal to the others. */
  share?: number;
}

/** A range of one store, as bound. */
export interface BoundRange {
  view: BufferView;
  writes: boolean;
}

export interface Shader {
  code: string;
  /** Access of each binding after the uniform. */
  ranges: BoundRange[];
  /** Contents of the uniform buffer. */
  uniform: ArrayBuffer;
}

const isWord = (type: Operand["type"]): type is WgslWord => !type.startsWith("array");

const MOST_GROUPS = 32768;

/** Workgroups in two dimensions, since one dimension is limited to 65535. */
export function grid(groups: number): [number, number] {
  if (groups <= MOST_GROUPS) return [groups, 1];
  return [MOST_GROUPS, Math.ceil(groups / MOST_GROUPS)];
}

/**
 * The same work in dispatches of at most this many parts, as equal as workgroups allow. A part that
 * needs a second row of its grid has whole rows, so that it ends where the next one begins: a
 * workgroup in both would do its work twice.
 */
export function partsOf(dispatch: Dispatch, parts: number): Dispatch[] {
  const even = Math.ceil(dispatch.groups / Math.max(1, parts));
  const [width, height] = grid(even);
  const size = width * height;
  const count = Math.ceil(dispatch.groups / size);
  return Array.from({ length: count }, (_, i) => ({
    ...dispatch,
    name: i === 0 ? dispatch.name : `${dispatch.name}, part ${i + 1}`,
    base: i * size,
    groups: Math.min(size, dispatch.groups - i * size),
  }));
}

/** Matches calls that only devices with the feature support. */
const SUBGROUPS = /\bsubgroup[A-Z]/;

export function toShader(dispatch: Dispatch): Shader {
  const { operands } = dispatch;
  const written = new Set(operands.filter((o) => o.writes).map((o) => o.view.store));
  const words = operands.every(({ type }) => isWord(type));
  if (!words && operands.some(({ type }) => isWord(type)))
    throw new Error(`kernel ${dispatch.name} mixes words and arrays`);
  const { ranges, text, offsets } = words
    ? bindWords(operands, written)
    : bindArrays(operands, written);
  const dims = { base: dispatch.base ?? 0, ...dispatch.dims, ...offsets };
  const floats = dispatch.floats ?? {};
  const code = [
    SUBGROUPS.test(dispatch.declarations ?? "") ? "enable subgroups;" : "",
    `struct Dims { ${fields(dims, "u32")} ${fields(floats, "f32")} }`,
    `@group(0) @binding(0) var<uniform> d: Dims;`,
    text,
    dispatch.declarations ?? "",
    `@compute @workgroup_size(${dispatch.workgroup})`,
    `fn main(@builtin(workgroup_id) wid: vec3u, @builtin(num_workgroups) count: vec3u,`,
    `  @builtin(local_invocation_index) lid: u32) {`,
    `  let group = d.base + wid.y * count.x + wid.x;`,
    dispatch.body,
    `}`,
  ].join("\n");
  return { code, ranges, uniform: packDims(dims, floats) };
}

const fields = (numbers: Record<string, number>, type: string) =>
  Object.keys(numbers)
    .map((name) => `${name}: ${type},`)
    .join(" ");

function packDims(dims: Record<string, number>, floats: Record<string, number>): ArrayBuffer {
  const [whole, real] = [Object.values(dims), Object.values(floats)];
  const bytes = new ArrayBuffer(4 * (whole.length + real.length));
  new Uint32Array(bytes, 0, whole.length).set(whole);
  new Float32Array(bytes, 4 * whole.length).set(real);
  return bytes;
}

interface BoundOperands {
  ranges: BoundRange[];
  text: string;
  /** Offset of words in their range; of dims too. */
  offsets: Record<string, number>;
}

/** The access mode follows the store: one buffer may not be bound for reading and for writing in one dispatch. */
const declare = (binding: number, name: string, type: string, writes: boolean) =>
  `@group(0) @binding(${binding}) var<storage, ${writes ? "read_write" : "read"}> ${name}: ${type};`;

function bindArrays(operands: Operand[], written: Set<string>): BoundOperands {
  const ranges = operands.map(({ view }) => ({ view, writes: written.has(view.store) }));
  const text = operands.map(({ name, type, view }, i) =>
    declare(i + 1, name, type, written.has(view.store)),
  );
  return { ranges, text: text.join("\n"), offsets: {} };
}

function bindWords(operands: Operand[], written: Set<string>): BoundOperands {
  const stores = [...new Set(operands.map(({ view }) => view.store))];
  const ranges = stores.map((store) => ({
    view: span(operands.map(({ view }) => view).filter((view) => view.store === store)),
    writes: written.has(store),
  }));
  const lines = ranges.map(({ writes }, i) => declare(i + 1, `words${i}`, "array<u32>", writes));
  const offsets: Record<string, number> = {};
  for (const { name, type, view, writes, bits } of operands) {
    const i = stores.indexOf(view.store);
    offsets[`at_${name}`] = view.offset - ranges[i]!.view.offset;
    const at = `words${i}[d.at_${name} + i]`;
    lines.push(`fn ${name}(i: u32) -> ${type} { return bitcast<${type}>(${at}); }`);
    if (bits) lines.push(`fn bits_${name}(i: u32) -> u32 { return ${at}; }`);
    if (writes) lines.push(`fn put_${name}(i: u32, x: ${type}) { ${at} = bitcast<u32>(x); }`);
  }
  return { ranges, text: lines.join("\n"), offsets };
}

function span(views: BufferView[]): BufferView {
  const offset = least(views.map((view) => view.offset));
  const end = greatest(views.map((view) => view.offset + view.size));
  return { store: views[0]!.store, offset, size: end - offset };
}

/** @throws EngineError if the kernel needs more storage buffers than the device has. */
export function checkBindings({ ranges }: Shader, name: string, most: number): void {
  if (ranges.length <= most) return;
  const needs = `kernel ${name} needs ${ranges.length} storage buffers, this device has ${most}`;
  throw new EngineError("backend-failed", `${needs}; use the wasm backend`);
}
