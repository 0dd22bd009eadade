/** Figures on uncertainty: how precisely a true credit is known, how reliable a comparison is, and what shaping may change. */
import { formatBrief, formatSignedBrief } from "../../numeric/format.ts";
import { normals } from "../../numeric/rng.ts";
import { counted } from "../../numeric/counted.ts";
import { mean, tInterval } from "../../numeric/statistics.ts";
import { returnsToGo } from "../../method/credit/returnsToGo.ts";
import { turnShaping } from "../../method/credit/shaping.ts";
import { columnNumbers, handle, type Exploration } from "./exploration.ts";

/** The interval of a true credit shrinks with the square root of the number of continuations. */
export const truthFigure: Exploration = {
  title: "How well is the truth known?",
  needs: ["truth", "half", "branches"],
  handles: [handle("doublings", "continuations 2^", [2, 14, 1], 4)],
  show({ doublings = 8 }, { truth: known = [], half = [], branches: played = 1 }) {
    const branches = 2 ** doublings;
    const wide = half.map((x) => x * Math.sqrt(played / branches)); // [H]
    const sure = known.filter((x, h) => Math.abs(x) > wide[h]!).length;
    return {
      unit: "turn",
      columns: columnNumbers(known.length),
      rows: [{ name: "true credit", kind: "truth", values: known, half: wide }],
      says: `With ${counted(branches, "continuation")} per state the sign of ${sure} of ${known.length} turns is known.`,
    };
  },
};

/** Experiments of n seeds each, for two methods that differ by `gap`: how many intervals exclude zero? */
export const sureFigure: Exploration = {
  title: "How sure with n seeds?",
  handles: [
    handle("seeds", "seeds", [2, 30, 1], 5),
    handle("gap", "true difference in points", [0, 20, 1], 5),
    handle("spread", "spread over seeds", [1, 20, 1], 8),
  ],
  show({ seeds = 2, gap = 0, spread = 1 }) {
    const found = Array.from({ length: REPEATED }, (_, i) => {
      const key = { seed: 7, stream: "explore-sure", iteration: i, trajectory: 0, step: 0 };
      const differences = normals(key, seeds).map((z) => gap + spread * z); // [n]
      const { low, high } = tInterval(differences);
      return { value: mean(differences), half: (high - low) / 2 };
    });
    const clear = found.filter(({ value, half }) => Math.abs(value) > half).length;
    const wrong = found.filter(({ value, half }) => value < -half).length;
    return {
      columns: columnNumbers(REPEATED),
      rows: [
        {
          name: "difference, 95 %",
          kind: "truth",
          values: found.map(({ value }) => value),
          half: found.map(({ half }) => half),
        },
      ],
      says: `Of ${REPEATED} experiments with ${counted(seeds, "seed")} each, ${clear} can separate them${wrong > 0 ? `, ${wrong} of them wrongly` : ""}; the others leave it open.`,
    };
  },
};

const REPEATED = 12;

/** Two ways to play: straight to the goal, and back and forth first; the effect of a progress bonus on both. */
export const shapingFigure: Exploration = {
  title: "Pay for progress",
  handles: [
    handle("bonus", "pay for a step forward", [0, 5, 0.5], 2),
    handle("back", "back and forth", [0, 4, 1], 2),
  ],
  show({ bonus = 0, back = 0 }) {
    const ways = [wayOf(0), wayOf(back)].map((progress) => {
      const turns = progress.length - 1;
      const reward = Float64Array.from(
        { length: turns },
        (_, h) => (h === turns - 1 ? 10 : 0) - 0.1,
      );
      const start = Int32Array.of(0, turns);
      const plain = returnsToGo(reward, start, 1)[0]!;
      const forward = reward.map((r, h) => r + (progress[h + 1]! > progress[h]! ? bonus : 0)); // [H]
      const F = turnShaping({
        potential: Float64Array.from(progress.slice(0, turns), (x) => bonus * x),
        finalPotential: Float64Array.of(0),
        turnStart: start,
        gamma: 1,
      }); // [H]
      return {
        plain,
        paid: returnsToGo(forward, start, 1)[0]!,
        shaped: returnsToGo(
          reward.map((r, h) => r + F[h]!),
          start,
          1,
        )[0]!,
      };
    });
    const [straight, loitering] = ways as [(typeof ways)[0], (typeof ways)[0]];
    const of = (key: keyof typeof straight) => [
      straight[key],
      loitering[key],
      loitering[key] - straight[key],
    ];
    const gain = loitering.paid - straight.paid;
    return {
      columns: ["straight", "back and forth", "difference"],
      rows: [
        { name: "return, no bonus", kind: "credit", values: of("plain") },
        { name: "paid for each step forward", kind: "credit", values: of("paid") },
        { name: "shaped by a potential", kind: "credit", values: of("shaped") },
      ],
      says: `Going back and forth ${gain > 0 ? "pays" : "does not pay"} with the plain bonus (${formatSignedBrief(gain)}). The potential leaves the difference at ${formatBrief(loitering.shaped - straight.shaped)}, as it was without a bonus.`,
    };
  },
};

/** Progress before each turn and at the end: four steps to the goal, after `back` steps back and forth. */
function wayOf(back: number): number[] {
  const detour = Array.from({ length: back }, () => [1, 0]).flat();
  return [0, ...detour, 1, 2, 3, 4];
}
