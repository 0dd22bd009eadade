import { readFileSync } from "node:fs";
import { strToU8, unzipSync, zipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { Chain } from "../../src/train/chain.ts";
import { sha256Hex } from "../../src/numeric/sha256.ts";
import { ChainCheck, checkRecording, type Integrity } from "../../src/train/integrity.ts";
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
    const why = "the run's first events are missing";
    expect(check([b, a])).toEqual({ state: "altered", line: 1, why });
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
});

describe("a recording's file", () => {
  const bytes = (...lines: unknown[]) =>
    new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const events = logOf(2);
  const fingerprint = events.at(-1)!["chain"];
  const header = { command: "train" };

  test("may have a header, blank lines and a closing line", async () => {
    const intact = { state: "intact", events: 3, fingerprint, ended: true };
    expect(await checkRecording(bytes(...events))).toEqual(intact);
    expect(await checkRecording(bytes(header, ...events, { fingerprint }))).toEqual(intact);
    const spaced = bytes(header, ...events).map((byte) => byte);
    expect(await checkRecording(new Uint8Array([...spaced, 0x0a, 0x20, 0x0a]))).toEqual(intact);
    expect(await checkRecording(bytes(header))).toEqual({ state: "none" });
    expect(await checkRecording(new Uint8Array())).toEqual({ state: "none" });
  });

  test("doubled, put together of two, closed by another's fingerprint, cut in a line", async () => {
    const [a, b, end] = events;
    const altered = (line: number) => ({ state: "altered", line });
    expect(await checkRecording(bytes(header, a, a, b, end))).toMatchObject(altered(3));
    const twice = bytes(header, a, b, header, a, b);
    expect(await checkRecording(twice)).toMatchObject(altered(4));
    expect(await checkRecording(bytes(a, b, { fingerprint }))).toMatchObject(altered(3));
    expect(await checkRecording(bytes(a, b, end).slice(0, -20))).toMatchObject(altered(3));
  });

  test("with a SHA-256 in its closing line covers clock readings too", async () => {
    const before = bytes(header, ...events);
    const closing = bytes({ fingerprint, sha256: await sha256Hex(before) });
    const whole = new Uint8Array([...before, ...closing]);
    expect(await checkRecording(whole)).toMatchObject({ state: "intact" });
    const year = new TextDecoder().decode(whole).indexOf('"at":"') + 6;
    const later = whole.map((byte, i) => (i === year ? byte ^ 1 : byte));
    expect(await checkRecording(later)).toMatchObject({ state: "altered", line: 5 });
  });

  test("of a fork has no chain", async () => {
    const unchained = events.map((event) => ({ ...event, chain: "" }));
    expect(await checkRecording(bytes(header, ...unchained))).toEqual({ state: "none" });
  });

  test("the shipped one is intact", async () => {
    const file = new URL("../fixtures/runs/nano.jsonl", import.meta.url);
    const shipped = readFileSync(file);
    const said = await checkRecording(shipped);
    expect(said).toMatchObject({ state: "intact", ended: true });
    const text = shipped.toString();
    const falsified = text.replace(
      '"val-env/sokoban/success":0.203125',
      '"val-env/sokoban/success":0.99',
    );
    expect(falsified).not.toBe(text);
    const altered = await checkRecording(new TextEncoder().encode(falsified));
    expect(altered.state).toBe("altered");
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
