import { describe, expect, it } from "vitest";
import { FLOOR, TARGET, parseBoard, renderBoard } from "../../../src/env/sokoban/board.ts";
import { generateLevel } from "../../../src/env/sokoban/generate.ts";
import { pythonRandom } from "../../../src/env/random/pythonRandom.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import { golden } from "./golden.ts";
import { numpyRandint } from "../../../src/env/random/mt19937.ts";

const reproducible = golden.generated_levels.filter((level) => !level.retry);
const retried = golden.generated_levels.filter((level) => level.retry);
const optionsOf = (level: (typeof reproducible)[number]) => ({
  size: level.dim,
  boxes: level.num_boxes,
  searchDepth: level.search_depth,
});
const small = { size: [6, 6], boxes: 1, searchDepth: 300 } as const;

describe("generateLevel", () => {
  it.each(reproducible)("makes RAGEN's level of seed $seed, $dim, $num_boxes boxes", (expected) => {
    const { board, seed } = generateLevel(expected.seed, optionsOf(expected));
    expect(renderBoard(board)).toBe(expected.level.join("\n"));
    expect(seed).toBe(expected.seed);
    const fixed = Array.from(board.fixed, (kind) => ({ [FLOOR]: "_", [TARGET]: "O" })[kind] ?? "#");
    expect(fixed.join("")).toBe(expected.fixed.join(""));
  });

  it("has all the golden levels of both kinds", () => {
    expect([reproducible.length, retried.length]).toEqual([29, 2]);
  });

  it.each(retried)("goes on from seed $seed, where RAGEN fails, by our fixed rule", (expected) => {
    const options = optionsOf(expected);
    const { board, seed } = generateLevel(expected.seed, options);
    expect(seed).not.toBe(expected.seed);
    const attempts = Array.from({ length: 200 }, (_, n) =>
      Number((BigInt(expected.seed) * 1000003n + BigInt(n + 1)) % 2n ** 32n),
    );
    expect(attempts).toContain(seed);
    // The retry is itself a level that RAGEN makes from the seed reported.
    expect(renderBoard(generateLevel(seed, options).board)).toBe(renderBoard(board));
  });

  it.each([
    [-1, small, "seed is -1"],
    [1.5, small, "seed is 1.5"],
    [2 ** 32, small, "from 0 to 4294967295"],
    [1, { ...small, size: [2, 6] }, "size rows is 2"],
    [1, { ...small, size: [6, 21] }, "size columns is 21"],
    [1, { ...small, size: [3, 3] }, "no room"],
    [1, { ...small, boxes: 0 }, "boxes in 6x6 is 0"],
    [1, { ...small, boxes: 15 }, "from 1 to 14"],
    [1, { ...small, searchDepth: 1 }, "search depth is 1"],
    [1, { ...small, searchDepth: 2 }, "no level"],
  ] as const)("refuses seed %s with %o", (seed, options, message) => {
    expect(() => generateLevel(seed, options)).toThrow(InputError);
    expect(() => generateLevel(seed, options)).toThrow(message);
  });

  it("gives boards that read back", () => {
    for (let seed = 0; seed < 50; seed++) {
      const { board } = generateLevel(seed, { size: [7, 8], boxes: 2, searchDepth: 30 });
      expect(parseBoard(renderBoard(board))).toEqual(board);
    }
  });
});

// The first draws after random.seed(42) in CPython 3.11 and np.random.seed(42) in NumPy.
describe("generators", () => {
  it("draws CPython's numbers", () => {
    const random = pythonRandom(42);
    expect([random.random(), random.random()]).toEqual([0.6394267984578837, 0.025010755222666936]);
  });

  it("draws NumPy's numbers", () => {
    const randint = numpyRandint(42);
    expect(Array.from({ length: 5 }, () => randint(100))).toEqual([51, 92, 14, 71, 60]);
    expect(randint(1)).toBe(0);
  });
});
