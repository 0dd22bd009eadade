/** A plan prepared for the device: dispatches with their bindings, their shares of the work, and their dimensions. */
import { greatest } from "../../numeric/lists.ts";
import type { Runnable, Store } from "../plan/executor.ts";
import type { Op } from "../plan/ops.ts";
import type { Plan } from "../plan/planner.ts";
import { workOf, type OpWork } from "../plan/work.ts";
import type { DevicePace } from "./pace.ts";
import type { Compiled } from "./pipelines.ts";
import { partsOf, type BoundRange, type Dispatch, type Shader } from "./shader.ts";

/** Approximate FLOPs of one dispatch: 50 ms of a device at the initial speed of `pace.ts`. */
const DISPATCH_FLOPS = 2e9;
/** The maximum multiple of that, however fast a device seems: it may be slower later, and plans are compiled once. */
const FASTEST = 8;

/**
 * Maximum FLOPs of a dispatch; larger ones are split by workgroups. Parts run one after the other,
 * and each should fill the device: a fast one gets more at once.
 */
export const longestDispatch = ({ budget }: DevicePace): number =>
  Math.min(FASTEST * DISPATCH_FLOPS, Math.max(DISPATCH_FLOPS, budget));

/**
 * Uniforms are at multiples of this many bytes, WebGPU's largest minUniformBufferOffsetAlignment.
 */
const UNIFORM_STRIDE = 256;

/** Approximate bytes of a bind group in the browser and in the driver, which do not report it. */
const BIND_GROUP_BYTES = 512;

/** Memory shared by all plans of an executor, each as large as the largest plan needs. */
export type SharedBufferName = "arena" | "input" | "output" | "scratch";

/** One dispatch, with everything needed to bind and run it. */
export interface EncodedStep extends Compiled, OpWork {
  name: string;
  ranges: BoundRange[];
  /** Offset and length in the uniform buffer, in bytes. */
  uniform: [number, number];
  groups: [number, number];
  bindGroup: GPUBindGroup | null;
}

export class GpuRunnable implements Runnable {
  /** Shared buffers that the bind groups use; empty until they are created. */
  bound = new Map<SharedBufferName, GPUBuffer>();

  constructor(
    readonly plan: Plan,
    readonly stores: ReadonlyMap<string, Store>,
    readonly steps: EncodedStep[],
    readonly uniforms: GPUBuffer,
    readonly dispose: () => void,
  ) {}

  get bytes(): number {
    return this.uniforms.size + BIND_GROUP_BYTES * this.steps.length;
  }
}

/** The dispatches of an operation, split if they exceed `longest` FLOPs, with their shares of its work. */
export function partsWithWork(
  op: Op,
  dispatches: Dispatch[],
  longest: number,
): { dispatch: Dispatch; work: OpWork }[] {
  const { fixed, perPair } = workOf(op);
  const rows = "R" in op ? op.R : 0;
  const most = fixed + (perPair * rows * (rows + 1)) / 2;
  return dispatches.flatMap((whole) => {
    const { share: own = 1 / dispatches.length, groups } = whole;
    return partsOf(whole, Math.ceil((own * most) / longest)).map((dispatch) => {
      const share = (own * dispatch.groups) / groups;
      return { dispatch, work: { fixed: share * fixed, perPair: share * perPair } };
    });
  });
}

/** Words that dispatches of one operation pass to each other. */
export function scratchSize(dispatches: Dispatch[]): number {
  const views = dispatches.flatMap(({ operands }) => operands.map(({ view }) => view));
  return greatest([
    0,
    ...views.filter(({ store }) => store === "scratch").map(({ offset, size }) => offset + size),
  ]);
}

/** The dims of all dispatches in one buffer, without duplicates; and the offset of each. */
export function uniformsOf(shaders: Shader[]) {
  const known = new Map<string, number>();
  const parts: Uint8Array[] = [];
  const places = shaders.map(({ uniform }): [number, number] => {
    const bytes = new Uint8Array(uniform);
    const key = bytes.join();
    const at = known.get(key) ?? parts.push(bytes) - 1;
    known.set(key, at);
    return [at * UNIFORM_STRIDE, align16(bytes.length)];
  });
  const words = new Uint8Array(Math.max(1, parts.length) * UNIFORM_STRIDE);
  parts.forEach((bytes, i) => words.set(bytes, i * UNIFORM_STRIDE));
  return { words, places };
}

const align16 = (bytes: number) => Math.ceil(bytes / 16) * 16;
