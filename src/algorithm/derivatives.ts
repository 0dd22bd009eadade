/** Whether the derivatives that a row's own ratio, clip rule and regulariser return are those of their values, by finite differences. */
import { InputError } from "../numeric/inputError.ts";
import type { AlgorithmConfig } from "../spec/algorithms.ts";
import { ownClip, ownRatio, ownRegulariser } from "./ownObjective.ts";

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
  if (config.own?.regulariser !== undefined) checkRegulariser(config);
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

/** A token's log-prob and entropy, and how much likelier it was under the old and the first policy. */
const TOKENS = [-0.043, -0.37, -1.13, -2.9, -7.1].flatMap((p) =>
  [0.23, -0.11, 0.017].flatMap((o) =>
    [0.61, -0.29].map((r) => ({ p, H: 0.31 + 0.4 * r - 0.1 * p, old: p - o, ref: p - r })),
  ),
); // [P]

/** Each token's value has to change by its own log-prob and entropy alone, as its derivatives say. */
function checkRegulariser(config: AlgorithmConfig): void {
  const who = `${config.own!.regulariser!}: regularise`;
  const column = (of: (token: (typeof TOKENS)[number], i: number) => number) =>
    Float64Array.from(TOKENS, of);
  const at = (logprob: number, entropy = 0, every = 1) => {
    const move = (step: number, i: number) => (i % every === 0 ? step : 0);
    return ownRegulariser(config)({
      logprobs: column(({ p }, i) => p + move(logprob, i)),
      old: column(({ old }) => old),
      reference: column(({ ref }) => ref),
      entropies: column(({ H }, i) => H + move(entropy, i)),
    });
  };
  const here = at(0);
  const others = at(H, H, 2).value;
  const sidesOf = (below: Float64Array, above: Float64Array, i: number): [number, number] => [
    (here.value[i]! - below[i]!) / H,
    (above[i]! - here.value[i]!) / H,
  ];
  const [low, high] = [at(-H).value, at(H).value];
  const [lowH, highH] = [at(0, -H).value, at(0, H).value];
  const placeOf = (i: number) =>
    `at log-prob ${TOKENS[i]!.p} and entropy ${TOKENS[i]!.H.toPrecision(3)}`;
  const swayed = here.value.findIndex((x, i) => i % 2 === 1 && x !== others[i]);
  if (swayed >= 0)
    throw new InputError(
      `${who} returned a value ${placeOf(swayed)} that changes with other tokens; it must depend on its own token alone`,
    );
  for (const i of TOKENS.keys()) {
    const place = placeOf(i);
    compare(who, `by the log-prob ${place}`, here.derivative[i]!, sidesOf(low, high, i));
    const byEntropy = here.entropyDerivative[i]!;
    compare(who, `by the entropy ${place}`, byEntropy, sidesOf(lowH, highH, i));
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
