/** Cosines and sines of position * theta^(-2i/d), in float64 with our own functions, then float32. */
import { cos, exp, log, sin } from "../../numeric/deterministic.ts";

/** Both [count, d/2]. Either half of a head turns by the same angle. */
export function ropeTables(theta: number, d: number, count: number) {
  const half = d / 2;
  const cosines = new Float32Array(count * half); // [count, d/2]
  const sines = new Float32Array(count * half); // [count, d/2]
  for (let i = 0; i < half; i++) {
    const frequency = exp((-2 * i * log(theta)) / d);
    for (let position = 0; position < count; position++) {
      cosines[position * half + i] = cos(position * frequency);
      sines[position * half + i] = sin(position * frequency);
    }
  }
  return { cosines, sines };
}
