import { readFileSync } from "node:fs";
import { strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { Chain } from "../../src/train/chain.ts";
import { ChainCheck, type Integrity } from "../../src/train/integrity.ts";
import { checkSeal, seal } from "../../src/train/sealedZip.ts";

type Line = Record<string, unknown>;

function logOf(count: number): Line[] {
  const chain = new Chain();
  const evaluation = (iteration: number) =>
    chain.seal({
      type: "eval",
      algorithm: "grpo",
      iteration,
      levels: 4,
      metrics: { x: iteration },
    });
  const events = Array.from({ length: count }, (_, i) => evaluation(i));
  events.push(chain.seal({ type: "end", iterations: count }));
  return JSON.parse(JSON.stringify(events)) as Line[];
}

function check(events: readonly unknown[]): Integrity {
  const checking = new ChainCheck();
  events.forEach((event, i) => checking.take(event, i + 1));
  return checking.result;
}

describe("the chain of a log", () => {
  test("an unaltered log is intact, whole or cut short; clock readings do not count", () => {
    const events = logOf(3);
    const fingerprint = events.at(-1)!["chain"];
    expect(check(events)).toEqual({ state: "intact", events: 4, fingerprint, ended: true });
    expect(check(events.slice(0, 2))).toMatchObject({ state: "intact", events: 2, ended: false });
    events[1]!["time"] = { at: "another day" };
    expect(check(events).state).toBe("intact");
  });

  test("a changed number, a doubled, missing or moved event, and an event after the end", () => {
    const [a, b, c, end] = logOf(3) as [Line, Line, Line, Line];
    const changed = { ...b, metrics: { x: 0.99 } };
    expect(check([a, changed, c, end])).toMatchObject({ state: "altered", line: 2 });
    expect(check([a, b, b, c])).toMatchObject({ state: "altered", line: 3 });
    expect(check([a, c, end])).toMatchObject({ state: "altered", line: 2 });
    expect(check([b, a])).toMatchObject({ state: "altered", line: 1 });
    expect(check([a, b, c, end, a])).toMatchObject({ state: "altered", line: 5 });
    expect(check([a, { ...b, chain: 7 }])).toMatchObject({ state: "altered", line: 2 });
    expect(check([a, null])).toMatchObject({ state: "altered", line: 2 });
    expect(check([{ ...a, chain: undefined }, b])).toMatchObject({ state: "altered", line: 1 });
  });

  test("a log without chains has none; nothing at all has none", () => {
    expect(check([{ type: "eval" }, { type: "end" }, 3, null])).toEqual({ state: "none" });
    expect(check([])).toEqual({ state: "none" });
  });

  test("a line that cannot be read, and a fingerprint that is another's", () => {
    const events = logOf(2);
    const broken = new ChainCheck();
    broken.take(events[0], 2);
    broken.refuse(3, "it is not JSON");
    expect(broken.result).toEqual({ state: "altered", line: 3, why: "it is not JSON" });
    const closed = new ChainCheck();
    events.forEach((event, i) => closed.take(event, i + 1));
    closed.close(String(events.at(-1)!["chain"]), 4);
    expect(closed.result.state).toBe("intact");
    closed.close("00", 5);
    expect(closed.result).toMatchObject({ state: "altered", line: 5 });
  });

  test("the shipped recording is intact", () => {
    const file = new URL("../../public/runs/nano.jsonl", import.meta.url);
    const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
    const values = lines.map((line) => JSON.parse(line) as Line);
    const { fingerprint } = values.pop()!;
    expect(check(values)).toMatchObject({ state: "intact", fingerprint, ended: true });
  });
});

describe("a sealed zip", () => {
  const zip = zipSync({ "a.txt": strToU8("hello"), "b.bin": new Uint8Array(300) }, { level: 0 });

  test("can be unpacked as before, and is whole", async () => {
    const sealed = await seal(zip);
    expect(unzipSync(sealed)["a.txt"]).toEqual(strToU8("hello"));
    expect(await checkSeal(sealed)).toBe("whole");
    expect(await checkSeal(zip)).toBe("none");
  });

  test("every single bit counts, and so does its length", async () => {
    const sealed = await seal(zip);
    for (let bit = 0; bit < 8 * sealed.length; bit++) {
      const damaged = sealed.slice();
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect(await checkSeal(damaged)).toBe("broken");
    }
    for (let length = 0; length < sealed.length; length++)
      expect(await checkSeal(sealed.subarray(0, length))).toBe("broken");
  });
});
