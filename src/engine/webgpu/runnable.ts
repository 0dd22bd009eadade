/** A plan as the device runs it: dispatches with what each needs to be bound, their shares of the work, and their numbers. */
import { greatest } from "../../numeric/lists.ts";
import type { Runnable, Store } from "../plan/executor.ts";
import type { Op } from "../plan/ops.ts";
import type { Plan } from "../plan/planner.ts";
import { workOf, type OpWork } from "../plan/work.ts";
import type { DevicePace } from "./pace.ts";
import type { Compiled } from "./pipelines.ts";
import { partsOf, type BoundRange, type Dispatch, type Shader } from "./shader.ts";

/** FLOPs of one dispatch, about: 50 ms of a device as slow as `pace.ts` first takes it to be. */
const DISPATCH_FLOPS = 2e9;
/** So many times that is the most, however fast a device is taken to be: it may be slower later, and plans are compiled once. */
const FASTEST = 8;

/**
 * FLOPs of a dispatch; what is more is cut between its workgroups. Parts run one after the other, and each should fill the device: one that
 * is known to be fast is given more at once.
 */
export const longestDispatch = ({ budget }: DevicePace): number =>
  Math.min(FASTEST * DISPATCH_FLOPS, Math.max(DISPATCH_FLOPS, budget));

/** Uniforms lie at multiples of this many bytes, WebGPU's largest minUniformBufferOffsetAlignment. */
const UNIFORM_STRIDE = 256;

/** Of a bind group, about, in the browser and in the driver: neither says. */
const BIND_GROUP_BYTES = 512;

/** Memory that all plans of an executor share, each as large as the largest of them needs. */
export type SharedBufferName = "arena" | "input" | "output" | "scratch";

/** One dispatch, with what it needs to be bound and run. */
export interface EncodedStep extends Compiled, OpWork {
  name: string;
  ranges: BoundRange[];
  /** Offset and length in the uniform buffer, in bytes. */
  uniform: [number, number];
  groups: [number, number];
  bindGroup: GPUBindGroup | null;
}

export class GpuRunnable implements Runnable {
  /** Shared buffers that the bind groups name; empty until they are made. */
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

/** The dispatches of an operation, cut where they have more than `longest` FLOPs, with their shares of its work. */
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

/** Words that dispatches of one operation leave to each other. */
export function scratchSize(dispatches: Dispatch[]): number {
  const views = dispatches.flatMap(({ operands }) => operands.map(({ view }) => view));
  return greatest([
    0,
    ...views.filter(({ store }) => store === "scratch").map(({ offset, size }) => offset + size),
  ]);
}

/** The dims of all dispatches in one buffer, equal ones once; where each lies. */
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
