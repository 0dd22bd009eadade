import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAction } from "../../../src/env/webshop/parseAction.ts";

describe("parseAction", () => {
  it.each([
    ["search[red shoes]", { name: "search", argument: "red shoes" }],
    ["click[Next >] please", { name: "click", argument: "next >" }],
    ["click[a] click[b]", null],
    ["search[ ]", { name: "search", argument: " " }],
    ["search[]]", { name: "search", argument: "]" }],
    ["search[[]", { name: "search", argument: "[" }],
    ["search[x] or [y]", null],
    ["search[", null],
    ["search[]", null],
    ["[x]", null],
    ["Search[x]", null],
    [" search[x]", null],
    ["Action: click[x]", null],
    ["buy[x]", null],
    ["search[a[b]]", null],
    ["search[one\ntwo]", null],
    ["search[one]\nclick[two]", { name: "search", argument: "one" }],
    ["search[a\r\u2028b]", { name: "search", argument: "a\r\u2028b" }],
    ["", null],
  ])("reads %j", (text, expected) => {
    expect(parseAction(text)).toEqual(expected);
  });

  it("agrees with the pattern (.+)\\[(.+)\\] on any text", () => {
    const piece = fc.constantFrom("search", "click", "[", "]", "a", " ", "\n", "\r", "É", "𝒳");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join("");
        // Python's dot stops at line feeds only.
        const match = /^([^\n]+)\[([^\n]+)\]/.exec(text);
        const known = match && ["search", "click"].includes(match[1]!);
        const expected = known ? { name: match[1], argument: match[2]!.toLowerCase() } : null;
        expect(parseAction(text)).toEqual(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("takes no longer than the text is long", () => {
    const start = performance.now();
    parseAction(`search${"[".repeat(300_000)}${"]".repeat(300_000)}`);
    parseAction("[".repeat(600_000));
    expect(performance.now() - start).toBeLessThan(500);
  });
});
