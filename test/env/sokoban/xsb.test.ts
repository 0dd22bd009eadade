import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderBoard } from "../../../src/env/sokoban/board.ts";
import { parseXsb, parseXsbLevel } from "../../../src/env/sokoban/xsb.ts";
import { InputError } from "../../../src/numeric/inputError.ts";
import { golden } from "./golden.ts";

const boardOf = (text: string, index = 0) => renderBoard(parseXsbLevel(text, index));

describe("parseXsb", () => {
  it.each(golden.xsb_parse)("reads $id", ({ xsb, expected_ragen, boxes }) => {
    const board = parseXsbLevel(xsb.join("\n"));
    expect(renderBoard(board)).toBe(expected_ragen.join("\n"));
    expect(board.boxes.length).toBe(boxes);
  });

  it("pads ragged rows and turns what lies outside into wall", () => {
    const text = "  ####\n###  #\n#@ $.#\n#  ###\n####";
    expect(boardOf(text)).toBe("######\n###__#\n#P_XO#\n#__###\n######");
  });

  it("keeps enclosed floor that the player cannot reach, with its goals and boxes", () => {
    expect(boardOf("########\n#@$.# .#\n#   #*$#\n########")).toBe(
      "########\n#PXO#_O#\n#___#√X#\n########",
    );
  });

  it("reads - and _ as floor, a player on a goal, and drops a decoration outside", () => {
    expect(boardOf("--#####\n-*#+$-#\n--#_$.#\n--#####")).toBe(
      "#######\n###SX_#\n###_XO#\n#######",
    );
  });

  it("takes several levels between titles, comments and blank lines, with any line end", () => {
    const text =
      "\ufeff; 0\r\n#####\r\n#@$.#\r\n#####\r\nTitle: one\r\n\r\nLevel 2 (by x)\r\n#####\r\n#.$@#  \r\n#####";
    expect(parseXsb(text).map(renderBoard)).toEqual(["#####\n#PXO#\n#####", "#####\n#OXP#\n#####"]);
    expect(boardOf(text, 1)).toBe("#####\n#OXP#\n#####");
  });

  it("reads one level of a file whose other levels are broken", () => {
    const text = "#####\n#@$.#\n#####\n\n###\n#@#\n###";
    expect(boardOf(text, 0)).toBe("#####\n#PXO#\n#####");
    expect(() => parseXsb(text)).toThrow("the level at line 5 has no box");
  });

  it.each([
    ["", "no Sokoban level"],
    ["only prose here\n", "no Sokoban level"],
    ["#####\n# $.#\n#####", "the level at line 1 has no player"],
    ["\n\n######\n#@$.@#\n######", "the level at line 3 has 2 players"],
    ["######\n#@$..#\n######", "as many boxes (1) as goals (2)"],
    ["####\n#@ #\n####", "has no box"],
    ["#####\n#@$. \n#####", "open at row 1, column 4"],
    ["#####\n @$.#\n#####", "open at row 1, column 0"],
    ["#####\n#@$.#\n## ##", "open at row 2, column 2"],
    ["#####  \n#@$.# $\n#####  ", "box or goal outside its walls at row 1, column 6"],
    ["#####\n#@x.#\n#####", 'line 2 has the unknown symbol "x"'],
    ["#####\n#@$.\t\n#P$.!\n#####", 'line 3 has the unknown symbol "P"'],
    [`${"#".repeat(65)}\n#@$.#\n#####`, "larger than 64x64"],
    ["#@$.#\n".repeat(300_000), "larger than 64x64"],
  ])("refuses %j", (text, message) => {
    expect(() => parseXsb(text)).toThrow(InputError);
    expect(() => parseXsb(text)).toThrow(message);
  });

  it.each([1, -1, 0.5])("refuses index %s of a file with one level", (index) => {
    expect(() => parseXsbLevel("#####\n#@$.#\n#####", index)).toThrow("index 0 to 0");
  });

  it("never fails but with an InputError on mutated levels, and only accepts playable ones", () => {
    const base = "; 0\n#######\n#@ $. #\n#  *  #\n#######\nTitle: t\n\n#####\n#+$ #\n#####\n";
    const edit = fc.tuple(
      fc.nat(base.length - 1),
      fc.constantFrom("", "#", " ", ".", "$", "*", "@", "+", "\n", "x", "\t", "é", "##"),
    );
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
        const symbols = [...base];
        for (const [at, symbol] of edits) symbols[at] = symbol;
        try {
          for (const board of parseXsb(symbols.join(""))) {
            expect(renderBoard(board).split("\n").length).toBe(board.rows);
            expect(board.fixed.filter((kind) => kind === 2).length).toBe(board.boxes.length);
          }
        } catch (error) {
          if (!(error instanceof InputError)) throw error;
        }
      }),
      { numRuns: 500 },
    );
  });
});
