/**
 * From operations on named temporaries to a plan: each temporary lives from its first write to its
 * last use, and temporaries that do not overlap in time share the arena's words.
 */
import { EngineError } from "../errors.ts";
import { MAY_COINCIDE, operands, type Op } from "./ops.ts";
import { ALIGN, PER_WORD, type BufferView } from "./ops/view.ts";

export interface PlanField {
  offset: number;
  size: number;
}

/** A fixed list of operations on fixed positions. Plain data. */
export interface Plan {
  name: string;
  ops: Op[];
  /** Words of the arena it needs. */
  arenaSize: number;
  /** Words uploaded before each run, and the offset of each field. */
  inputSize: number;
  inputs: Record<string, PlanField>;
  /** Words to read after a run. */
  outputSize: number;
  outputs: Record<string, PlanField>;
  /** Stores it uses that outlive the run, with the number of words needed of each. */
  stores: Record<string, number>;
}

export interface Limits {
  viewBytes: number;
  storeBytes: number;
}

/** For plans that are checked elsewhere, or never run. */
export const UNLIMITED: Limits = { viewBytes: Infinity, storeBytes: Infinity };

export const align = (words: number) => Math.ceil(words / ALIGN) * ALIGN;

const TEMPORARY = "temp:";

/** Collects operations; `finish` places the temporaries. */
export class PlanBuilder {
  readonly #ops: Op[] = [];
  readonly #sizes: number[] = [];
  readonly #inputs: Record<string, PlanField> = {};
  readonly #outputs: Record<string, PlanField> = {};
  #inputSize = 0;
  #outputSize = 0;
  readonly #name: string;

  constructor(name: string) {
    this.#name = name;
  }

  /** A temporary of this many words. */
  temp(size: number): BufferView {
    this.#sizes.push(align(size));
    return { store: `${TEMPORARY}${this.#sizes.length - 1}`, offset: 0, size };
  }

  /** A field that is uploaded before each run. */
  input(name: string, size: number): BufferView {
    const field = { offset: this.#inputSize, size };
    this.#inputs[name] = field;
    this.#inputSize += align(size);
    return { store: "input", ...field };
  }

  /** A field that is read after a run. */
  output(name: string, size: number): BufferView {
    const field = { offset: this.#outputSize, size };
    this.#outputs[name] = field;
    this.#outputSize += align(size);
    return { store: "output", ...field };
  }

  add(op: Op): void {
    this.#ops.push(op);
  }

  /** Places every temporary. @throws EngineError if a view or the arena is larger than the limits allow. */
  finish(limits?: Limits): Plan {
    const needed = withoutUnread(this.#ops);
    const places = assignPlaces(lives(needed, this.#sizes));
    const ops = needed.map((op) => placed(op, places.offsets));
    const plan: Plan = {
      name: this.#name,
      ops,
      arenaSize: places.total,
      inputSize: this.#inputSize,
      inputs: this.#inputs,
      outputSize: this.#outputSize,
      outputs: this.#outputs,
      stores: outside(ops),
    };
    checkOperands(plan);
    if (limits) checkLimits(plan, limits);
    return plan;
  }
}

/** A part of a view; `offset` and `size` count numbers, of whole words if the view is packed. */
export function slice(view: BufferView, offset: number, size: number): BufferView {
  const perWord = view.packed ? PER_WORD[view.packed] : 1;
  return { ...view, offset: view.offset + offset / perWord, size: size / perWord };
}

/** When a temporary is in use, by index of operation. */
export interface Life {
  id: number;
  size: number;
  from: number;
  to: number;
}

/** Leaves out what writes only temporaries that nothing reads afterwards. */
function withoutUnread(ops: readonly Op[]): Op[] {
  const read = new Set<string>();
  return ops
    .toReversed()
    .filter((op) => {
      const all = operands(op);
      const isNeeded = all.some(
        ({ writes, view: { store } }) =>
          writes && (!store.startsWith(TEMPORARY) || read.has(store)),
      );
      if (isNeeded) for (const { view } of all) read.add(view.store);
      return isNeeded;
    })
    .toReversed();
}

function lives(ops: Op[], sizes: number[]): Life[] {
  const found = new Map<number, Life>();
  ops.forEach((op, at) => {
    for (const { view } of operands(op)) {
      if (!view.store.startsWith(TEMPORARY)) continue;
      const id = Number(view.store.slice(TEMPORARY.length));
      const life = found.get(id);
      if (life) life.to = at;
      else found.set(id, { id, size: sizes[id]!, from: at, to: at });
    }
  });
  return [...found.values()];
}

/** First fit, largest first: each gets the lowest offset at which it does not overlap another that lives at the same time. */
export function assignPlaces(all: Life[]): { offsets: Map<number, number>; total: number } {
  const offsets = new Map<number, number>();
  const done: { life: Life; offset: number }[] = []; // by offset
  let total = 0;
  for (const life of [...all].sort((a, b) => b.size - a.size || a.from - b.from)) {
    let offset = 0;
    for (const other of done) {
      if (other.life.to < life.from || life.to < other.life.from) continue;
      if (offset + life.size <= other.offset) break;
      offset = Math.max(offset, other.offset + other.life.size);
    }
    offsets.set(life.id, offset);
    done.push({ life, offset });
    done.sort((a, b) => a.offset - b.offset);
    total = Math.max(total, offset + life.size);
  }
  return { offsets, total };
}

function placed(op: Op, offsets: Map<number, number>): Op {
  const moved = operands(op).flatMap(({ field, view }) => {
    if (!view.store.startsWith(TEMPORARY)) return [];
    const base = offsets.get(Number(view.store.slice(TEMPORARY.length)))!;
    return [[field, { store: "arena", offset: base + view.offset, size: view.size }]];
  });
  return { ...op, ...(Object.fromEntries(moved) as object) };
}

function outside(ops: Op[]): Record<string, number> {
  const stores: Record<string, number> = {};
  for (const { view } of ops.flatMap(operands)) {
    if (["arena", "input", "output"].includes(view.store)) continue;
    stores[view.store] = Math.max(stores[view.store] ?? 0, view.offset + view.size);
  }
  return stores;
}

const overlap = (a: BufferView, b: BufferView) =>
  a.store === b.store && a.offset < b.offset + b.size && b.offset < a.offset + a.size;

const same = (a: BufferView, b: BufferView) =>
  a.store === b.store && a.offset === b.offset && a.size === b.size;

/** @throws Error if a view is not aligned, or an operation overwrites another of its operands. */
export function checkOperands({ name, ops }: Plan): void {
  ops.forEach((op, at) => {
    const all = operands(op);
    const where = `plan ${name}, operation ${at} (${op.op})`;
    for (const { field, view } of all) {
      if (view.offset % ALIGN !== 0) throw new Error(`${where}: ${field} is not aligned`);
    }
    for (const a of all) {
      for (const b of all) {
        if (a === b || !a.writes || !overlap(a.view, b.view)) continue;
        const allowed = MAY_COINCIDE[op.op]?.some(
          (pair) => pair.includes(a.field) && pair.includes(b.field),
        );
        if (!allowed || !same(a.view, b.view))
          throw new Error(`${where}: ${a.field} overlaps ${b.field}`);
      }
    }
  });
}

/** Bytes a plan needs besides the stores that outlive it. */
export function planBytes({ arenaSize, inputSize, outputSize }: Plan): number {
  return 4 * (arenaSize + inputSize + outputSize);
}

/** Words of the largest operand. */
export function largestView({ ops }: Plan): number {
  return ops.flatMap(operands).reduce((most, { view }) => Math.max(most, view.size), 0);
}

function checkLimits(plan: Plan, limits: Limits): void {
  const needs: [string, number, number][] = [
    ["one array", 4 * largestView(plan), limits.viewBytes],
    ["the working memory", 4 * plan.arenaSize, limits.storeBytes],
  ];
  for (const [what, needed, limit] of needs) {
    if (needed <= limit) continue;
    const share = Math.floor((100 * limit) / needed);
    throw new EngineError(
      "out-of-memory",
      `plan ${plan.name}: ${what} needs ${needed} bytes, the device allows ${limit}; about ${share} % of the tokens would fit`,
    );
  }
}
