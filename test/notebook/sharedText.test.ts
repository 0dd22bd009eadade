import { deflateSync, strFromU8 } from "fflate";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bookAddressOf, bookHash, experimentInAddress } from "../../src/app/book/bookAddress.ts";
import { notebookFromWord, notebookToWord } from "../../src/notebook/sharedText.ts";
import { InputError } from "../../src/numeric/inputError.ts";

describe("a notebook in an address", () => {
  it("is the same text, in letters that addresses keep", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2000 }), (text) => {
        const word = notebookToWord(text);
        expect(word).toMatch(/^[\w-]*$/);
        expect(notebookFromWord(word)).toBe(text);
      }),
    );
  });

  it("is found in the address, with an experiment and a place behind it", () => {
    const word = notebookToWord("# A title\n");
    const address = { kind: "text", word } as const;
    expect(bookAddressOf(bookHash(address))).toEqual(address);
    const hash = `${bookHash(address)}/first?view=lens&at=grpo,1,1,1`;
    expect(bookAddressOf(hash)).toEqual(address);
    expect(experimentInAddress(hash)).toBe("first");
  });

  it("is refused in a sentence where it is damaged, cut short, or expands to too much", () => {
    const word = notebookToWord(
      "# A title\n\nand some more of it, so that it is long enough to be cut\n",
    );
    for (const broken of [word.slice(0, -6), `${word.slice(0, 4)}!!${word.slice(4)}`, "", "x"])
      expect(() => notebookFromWord(broken)).toThrow(InputError);
    expect(() => notebookFromWord("A".repeat(64_001))).toThrow(
      /has 64001 characters; at most 64000 are read/,
    );
    const bomb = deflateSync(new Uint8Array(12_000_000), { level: 9 });
    expect(bomb.length).toBeLessThan(16_000);
    expect(() => notebookFromWord(btoa(strFromU8(bomb, true)))).toThrow(
      /larger than 3000000 bytes/,
    );
  });

  it("is never taken for one, whatever an address says", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (rest) => {
        for (const head of ["#book/", "#lesson/", "#text/", "#"])
          expect(["opening", "own", "served", "text"]).toContain(bookAddressOf(head + rest).kind);
      }),
    );
    for (const hash of [
      "#book/../x",
      "#lesson/a/b/c",
      "#lesson/..%2f",
      "#book/ABC",
      "#text/",
      "#v1/nano",
      "#url=",
    ])
      expect(bookAddressOf(hash)).toEqual({ kind: "opening" });
  });
});
