/** Set-up of tests: equal typed arrays are found equal at once. By itself `expect` makes a list of their indices, for seconds. */
import { expect } from "vitest";

const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

expect.addEqualityTesters([
  (a: unknown, b: unknown) => {
    if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return undefined;
    if (a.constructor !== b.constructor) return undefined;
    // What differs is left to `expect`, which says where.
    return bytesOf(a).equals(bytesOf(b)) || undefined;
  },
]);
