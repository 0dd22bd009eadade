import { describe, expect, it } from "vitest";
import { jsonMembers } from "../../../src/env/webshop/jsonMembers.ts";
import { textSource } from "./sources.ts";

const BAD = "is not valid JSON";
const AFTER = "is text after the end of the JSON";
const CUT = "is cut off: the file ends early";

/** The value of each member, or what is wrong with it. */
async function read(text: string, chunk: number): Promise<unknown[]> {
  const members: unknown[] = [];
  for await (const { value, problem } of jsonMembers(textSource("a.json", text, chunk))) {
    members.push(problem ?? value);
  }
  return members;
}

describe("brackets that close nothing, and text after the end", () => {
  it.each<[string, unknown[]]>([
    ['[{"a":1}, {"b":2}]\n', [{ a: 1 }, { b: 2 }]],
    ['[{"a":1}}, {"b":2}]', [BAD, { b: 2 }]],
    ['[}, {"b":2}]', [BAD, { b: 2 }]],
    ['[{"a":1}}}}, {"b":2}}]', [BAD, BAD]],
    ['[{"a":[1}]}, {"b":2}]', [BAD, { b: 2 }]],
    ['[{"a":]}, {"b":2}]', [BAD, { b: 2 }]],
    ['{"a":{"c":1}], "b":2}', [BAD, 2]],
    ['[{"a":"}]"}, {"b":2}]', [{ a: "}]" }, { b: 2 }]],
    ['[{"a":1}] trailing {"b":2}', [{ a: 1 }, AFTER]],
    ['[{"a":1}], {"b":2}]', [{ a: 1 }, AFTER]],
    ['{"a":1}\n{"b":2}', [1, AFTER]],
    ["[] x", [AFTER]],
    ['[{"a":1}, {"b":2', [{ a: 1 }, CUT]],
    ['[{"a":1}}', [CUT]],
  ])("are told of %s", async (text, expected) => {
    for (const chunk of [1, 3, 1000]) expect(await read(text, chunk)).toEqual(expected);
  });
});
