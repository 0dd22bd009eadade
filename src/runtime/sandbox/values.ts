/** How values enter and leave a sandbox: as JSON and one list of doubles, never as functions or live objects. */
import { streamHash } from "../../numeric/rng.ts";
import type { DrawArgument } from "../../record/definitions.ts";

interface Packed {
  text: string;
  numbers: Float64Array;
}

/**
 * Lists of numbers (typed or not) are packed together. Functions and other live objects are
 * refused.
 */
export function packValues(value: unknown): Packed {
  const chunks: ArrayLike<number>[] = [];
  let count = 0;
  const list = (numbers: ArrayLike<number>) => {
    const from = count;
    chunks.push(numbers);
    count += numbers.length;
    return { $n: [from, numbers.length] };
  };
  const text = JSON.stringify(packed(value, list));
  const numbers = new Float64Array(count);
  let at = 0;
  for (const chunk of chunks) {
    numbers.set(chunk, at);
    at += chunk.length;
  }
  return { text, numbers };
}

function packed(value: unknown, list: (numbers: ArrayLike<number>) => unknown): unknown {
  if (typeof value === "number") return packedNumber(value);
  if (isDraw(value)) return packedDraw(value);
  if (ArrayBuffer.isView(value)) return list(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) {
    const numeric = value.length > 0 && value.every((x) => typeof x === "number");
    return numeric ? list(value as number[]) : value.map((item) => packed(item, list));
  }
  if (typeof value === "function") throw new Error("a function cannot enter a sandbox");
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, part]) => [key.startsWith("$") ? `$${key}` : key, packed(part, list)] as const,
  );
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
}

function packedNumber(x: number): unknown {
  if (Number.isFinite(x) && !Object.is(x, -0)) return x;
  return { $x: Object.is(x, -0) ? "-0" : String(x) };
}

function isDraw(value: unknown): value is DrawArgument {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "drawKey");
}

function packedDraw({ drawKey }: DrawArgument): unknown {
  const { seed, stream, iteration, trajectory } = drawKey;
  const [low, high] = [seed >>> 0, Math.floor(seed / 4294967296)];
  return { $draw: [low, high, streamHash(stream), iteration, trajectory] };
}

const SPECIAL: Readonly<Record<string, number | undefined>> = {
  NaN,
  Infinity,
  "-Infinity": -Infinity,
  "-0": -0,
};

/** Unpacks a sandbox's result; lists of numbers are Float64Arrays. Objects have no prototype. */
export function unpackValues(value: unknown, numbers: Float64Array): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => unpackValues(item, numbers));
  const { $n, $x } = value as { $n?: unknown; $x?: unknown };
  if (Array.isArray($n)) {
    const [from, length] = $n as [number, number];
    return numbers.slice(from, from + length);
  }
  if (typeof $x === "string") return SPECIAL[$x];
  const result = Object.create(null) as Record<string, unknown>;
  for (const [key, part] of Object.entries(value))
    result[key.startsWith("$$") ? key.slice(1) : key] = unpackValues(part, numbers);
  return result;
}
