/** Figures on thoughts: what one earns by the answer that follows it, and one ratio for many tokens. */
import type { ChartMark } from "../../figures/figure.ts";
import { log } from "../../numeric/deterministic.ts";
import { formatBrief, formatSignedBrief } from "../../numeric/format.ts";
import { handle, type Exploration } from "./exploration.ts";

/** chances: to solve after an answer that follows a sound thought, an unsound one, and none. rewards: of a solved and a failed episode. */
export const worthFigure: Exploration = {
  title: "What a thought earns",
  needs: ["chances", "rewards"],
  handles: [
    handle("follows", "answer follows the thought", [0, 1, 0.1], 1),
    handle("sound", "share of sound thoughts", [0.1, 0.9, 0.1], 0.2),
    handle("price", "price of the thought", [0, 3, 0.1], 0),
  ],
  show({ follows = 1, sound = 0, price = 0 }, { chances = [], rewards = [] }) {
    const [good = 0, bad = 0, without = 0] = chances;
    const [solved = 0, failed = 0] = rewards;
    const earns = (chance: number) => failed + chance * (solved - failed);
    const solves = [good, bad].map((chance) => follows * chance + (1 - follows) * without); // [2]
    const expected = [...solves.map((p) => earns(p) - price), earns(without)]; // [3]
    const mean = sound * expected[0]! + (1 - sound) * expected[1]!;
    const credit = expected.slice(0, 2).map((x) => x - mean); // [2]
    const gain = mean - expected[2]!;
    return {
      columns: ["sound", "unsound", "no thought"],
      rows: [
        { name: "chance to solve", kind: "share", values: [...solves, without] },
        { name: "expected reward", kind: "amount", values: expected },
        { name: "credit of the thought", kind: "credit", values: [...credit, null] },
      ],
      says: `A sound thought earns ${formatBrief(expected[0]! - expected[1]!)} more than an unsound one. Thinking at all changes the reward by ${formatSignedBrief(gain)}.`,
    };
  },
};

/** E |x| of a normal variable of spread 1. */
const MEAN_SIZE = Math.sqrt(2 / Math.PI);
const MOST = 128;

/** Size of a turn's log-ratio by its tokens, if they move independently. measured: tokens, product, mean. */
export const lengthFigure: Exploration = {
  title: "One ratio for a whole thought",
  needs: ["measured"],
  handles: [
    handle("tokens", "tokens of the turn", [4, MOST, 4], 28),
    handle("spread", "spread of a token’s log-ratio", [0.02, 0.4, 0.02], 0.18),
    handle("eps", "limit ε", [0.02, 0.5, 0.02], 0.2),
  ],
  show({ tokens = 1, spread = 0, eps = 0 }, { measured = [] }) {
    const sizes = (n: number) => {
      const product = MEAN_SIZE * spread * Math.sqrt(n);
      return { product, mean: product / n };
    };
    const { product, mean } = sizes(tokens);
    const limit = log(1 + eps);
    const line = (of: "product" | "mean", look?: "dashed"): ChartMark => ({
      as: "line",
      ...(look && { look }),
      points: Array.from({ length: MOST / 2 }, (_, i) => ({
        x: 2 * i + 2,
        y: sizes(2 * i + 2)[of],
      })),
    });
    const is = (size: number) => (size > limit ? "outside" : "inside");
    const says = `With ${tokens} tokens the product’s log-ratio is ${formatBrief(product)} in size, ${is(product)} the limit of ${formatBrief(limit)}. The mean’s is ${formatBrief(mean)}, ${is(mean)}.`;
    return {
      columns: ["product", "geometric mean"],
      rows: [
        { name: "size of the log-ratio", kind: "amount", values: [product, mean] },
        { name: "times the limit", kind: "amount", values: [product / limit, mean / limit] },
      ],
      drawing: {
        kind: "chart",
        id: "thought-lengths",
        title: "",
        hint: "Solid: product. Dashed: mean. Level: the limit. Dots: measured.",
        says,
        note: "",
        x: { name: "tokens of the turn", domain: [0, MOST], ticks: [0, 32, 64, 96, MOST] },
        y: { domain: [0, 2.5] },
        marks: [
          { as: "level", y: 0 },
          { as: "level", y: limit, isLimit: true },
          line("product"),
          line("mean", "dashed"),
          {
            as: "dots",
            dots: measured.flatMap(([x, ...both]) => both.map((y) => ({ x, y }))),
          },
        ],
      },
      says,
    };
  },
};
