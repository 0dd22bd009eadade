/** Whether the derivatives that a row's own ratio and clip rule return are those of their values, by finite differences. */
import { InputError } from "../numeric/inputError.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { ownClip, ownRatio } from "./ownObjective.ts";

/** Step of a difference. */
const H = 1e-5;
/** Of the derivative, beside differences whose own error is about H. */
const TOLERANCE = 1e-3;

/** No usual bound of a range is among them, nor is a bend. */
const RATIOS = [0.31, 0.57, 0.823, 0.937, 1.0613, 1.173, 1.37, 1.91, 3.3];
const ADVANTAGES = [-1.7, -0.43, 0.61, 2.3];
/** Log-ratios of tokens. */
const UNITS = [[0.031], [-0.27], [0.0417, -0.023, 0.113], [-0.31, 0.17], [0.43, 0.29]];

/** @throws InputError naming the code, the place, and both numbers. */
export function checkDerivatives(config: AlgorithmConfig): void {
  if (config.own?.clip !== undefined) checkClip(config);
  if (config.own?.ratio !== undefined) checkRatio(config);
}

function checkClip(config: AlgorithmConfig): void {
  const points = RATIOS.flatMap((w) => ADVANTAGES.map((A) => [w, A] as const)); // [P]
  const adv = Float64Array.from(points, ([, A]) => A); // [P]
  const at = (move: number) =>
    ownClip(config)(
      Float64Array.from(points, ([w]) => w + move),
      adv,
    ); // [P]
  const [below, here, above] = [at(-H), at(0), at(H)];
  for (const [p, [w, A]] of points.entries()) {
    const sides: [number, number] = [
      (here.value[p]! - below.value[p]!) / H,
      (above.value[p]! - here.value[p]!) / H,
    ];
    const place = `at ratio ${w} and advantage ${A}`;
    compare(`${config.own!.clip!}: clip`, place, here.derivative[p]!, sides);
  }
}

function checkRatio(config: AlgorithmConfig): void {
  const of = ownRatio(config);
  const needsOne = config.ratio === "token";
  for (const d of UNITS.filter(({ length }) => !needsOne || length === 1)) {
    const at = (t: number, move: number) =>
      of(
        Float64Array.from(d, (x, i) => (i === t ? x + move : x)),
        Int32Array.of(0, d.length),
      );
    const here = at(0, 0);
    for (const t of d.keys()) {
      const [below, above] = [at(t, -H).value[0]!, at(t, H).value[0]!];
      const sides: [number, number] = [(here.value[0]! - below) / H, (above - here.value[0]!) / H];
      const place = `by log-ratio ${t + 1} of [${d.join(", ")}]`;
      compare(`${config.own!.ratio!}: ratio`, place, here.derivative[t]!, sides);
    }
  }
}

/** At a bend any slope between those of both sides will do. */
function compare(
  who: string,
  place: string,
  given: number,
  [a, b]: readonly [number, number],
): void {
  const [low, high] = [Math.min(a, b), Math.max(a, b)];
  const slack = TOLERANCE * Math.max(1, Math.abs(low), Math.abs(high));
  if (given >= low - slack && given <= high + slack) return;
  const found = ((low + high) / 2).toPrecision(4);
  throw new InputError(
    `${who} returned the derivative ${given.toPrecision(4)} ${place}; it must be ${found}, as finite differences of its values give`,
  );
}
