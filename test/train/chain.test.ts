import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { Chain, nextChain } from "../../src/train/chain.ts";

const hash = (text: string) => createHash("sha256").update(text, "utf8").digest("hex");

test("the chain is SHA-256 of the previous chain and the canonical JSON without chain and time", () => {
  const event = { type: "end", iterations: 2, chain: "old", time: { at: "now" } };
  const first = nextChain("", event);
  expect(first).toBe(hash('{"iterations":2,"type":"end"}'));
  expect(nextChain(first, event)).toBe(hash(first + '{"iterations":2,"type":"end"}'));
});

test("characters outside ASCII are hashed as UTF-8", () => {
  expect(nextChain("", { board: "√" })).toBe(hash('{"board":"√"}'));
});

test("sealing the same events at another hour gives the same chain", () => {
  const seal = (at: string) => {
    const chain = new Chain("", () => new Date(at));
    chain.seal({ type: "end", iterations: 1, time: { seconds: at.length } });
    return chain.last;
  };
  expect(seal("2026-01-01")).toBe(seal("2027-05-05T05:00"));
});
