/** What code cells show, as tables to be saved. */
import { expect, it } from "vitest";
import { numbersOfColumns, numbersOfPlot } from "../../src/app/book/cells/code/cellNumbers.ts";

it("has all rows of a table, with other values as text", () => {
  const columns = [
    { name: "x", values: [0.1 + 0.2, Infinity] },
    { name: "turns", values: [[1, 2], "two"] },
  ];
  expect(numbersOfColumns(columns)).toEqual({
    head: ["x", "turns"],
    rows: [
      [0.30000000000000004, "[1,2]"],
      [null, "two"],
    ],
  });
});

it("has the rows of each mark of a plot, with what was worked out of them", () => {
  const marks = [
    { mark: "lineY", data: [{ iteration: 1, reward: 2.5 }], options: { x: "iteration", y: [2.5] } },
    { mark: "ruleY", data: Float64Array.of(0), options: {} },
    { mark: "frame", data: null, options: {} },
  ];
  expect(numbersOfPlot({ options: {}, marks })).toEqual({
    head: ["mark", "kind", "iteration", "reward", "y channel", "value"],
    rows: [
      [1, "lineY", 1, 2.5, 2.5, null],
      [2, "ruleY", null, null, null, 0],
    ],
  });
});
