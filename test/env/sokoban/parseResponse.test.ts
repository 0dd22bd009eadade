import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { strip } from "../../../src/env/pythonSpace.ts";
import { parseResponse, type ParsedResponse } from "../../../src/env/sokoban/parseResponse.ts";

/** As it was written first: plain patterns, which try every beginning against every end. */
const SPACE =
  "[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const EDGES = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");
const THINK_ANSWER = new RegExp(`<think>(.*?)</think>${SPACE}*<answer>(.*?)</answer>`, "s");
const ANSWER = /<answer>(.*?)<\/answer>/s;
const TAGS = ["<think>", "</think>", "<answer>", "</answer>", "<|im_start|>", "<|im_end|>"];

function reference(text: string, think: boolean, maxActions: number): ParsedResponse {
  const bare = (part: string) => part.replace(EDGES, "");
  const clean = (part: string) => TAGS.reduce((rest, tag) => bare(rest.replaceAll(tag, "")), part);
  const match = (think ? THINK_ANSWER : ANSWER).exec(text);
  if (!match) return { names: [], stored: text };
  const thought = think ? clean(match[1]!) : "";
  let answer = clean(match[think ? 2 : 1]!);
  let names = answer.split("||").map(bare).filter(Boolean);
  if (names.length > maxActions) {
    names = names.slice(0, maxActions);
    answer = names.join(" || ");
  }
  const block = `<answer>${answer}</answer>`;
  return { names, stored: think ? `<think>${thought}</think>${block}` : block };
}

const piece = fc.constantFrom(
  ...[...TAGS, "<answer", "think>", "||", "|", "Right", "x", " ", "\n", "\u3000", "\ufeff", "<"],
);
const response = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));

describe("parseResponse", () => {
  it("gives what the plain patterns give", () => {
    fc.assert(
      fc.property(response, fc.boolean(), fc.integer({ min: 1, max: 3 }), (text, think, most) => {
        expect(parseResponse(text, think, most)).toEqual(reference(text, think, most));
      }),
      { numRuns: 20_000, seed: 1 },
    );
  });

  it("strips as Python does", () => {
    fc.assert(
      fc.property(response, (text) => {
        expect(strip(text)).toBe(text.replace(EDGES, ""));
      }),
      { numRuns: 5000, seed: 2 },
    );
  });

  it.each([
    ["<think>...<answer>", "<think>a</think><answer>"],
    ["beginnings without an end", "<think>"],
    ["thoughts that end and are not followed by an answer", "<think></think> "],
    ["answers without an end", "<answer>"],
    ["white space inside an answer", " "],
    ["separators", "||"],
  ])("takes no more than its length's time for %s", (_, unit) => {
    const started = performance.now();
    const text = unit.repeat(Math.ceil(2_000_000 / unit.length));
    for (const whole of [text, `<think>x</think><answer>a${text}b</answer>`])
      for (const think of [true, false]) parseResponse(whole, think, 5);
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
