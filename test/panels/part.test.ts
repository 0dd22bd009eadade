import { readSources } from "../bench/sizes.mjs";
import { describe, expect, it } from "vitest";
import { createPart, parts, PAUSES, retryWhenOnline } from "../../src/ui/parts/part.ts";
import { PartError } from "../../src/ui/parts/partFiles.ts";
import { words } from "../../src/ui/parts/words.ts";

/** A part whose files come as told, one outcome for each try; the last one stays. */
function partOf(outcomes: (Error | "comes")[]) {
  const paused: number[] = [];
  let tries = 0;
  const part = createPart("it", () => Promise.resolve("it"), {
    withFiles: async (_name, use) => {
      const outcome = outcomes[Math.min(tries++, outcomes.length - 1)]!;
      if (outcome !== "comes") throw outcome;
      return use();
    },
    pause: (ms) => Promise.resolve(void paused.push(ms)),
  });
  const seen: string[] = [];
  part.subscribe(() => seen.push(part.get().state));
  const settled = async () => {
    for (let i = 0; i < 50; i++) await Promise.resolve();
    return seen;
  };
  return { part, paused, settled, tries: () => tries };
}

const DOWN = new PartError("unreachable");

describe("a part of the page", () => {
  it("is loaded once, however often it is asked for", async () => {
    const { part, settled, tries } = partOf(["comes"]);
    part.load();
    part.load();
    expect(await settled()).toEqual(["loading", "ready"]);
    part.load();
    expect(await part.warm()).toBe(true);
    expect(tries()).toBe(1);
    expect(part.get()).toEqual({ state: "ready", value: "it" });
  });

  it("is tried again after growing pauses, and then comes", async () => {
    const { part, paused, settled } = partOf([DOWN, DOWN, "comes"]);
    part.load();
    expect(await settled()).toEqual(["loading", "ready"]);
    expect(paused).toEqual(PAUSES.slice(0, 2));
    expect([...PAUSES].sort((a, b) => a - b)).toEqual(PAUSES);
  });

  it("says why it did not come, and comes when it is asked for again", async () => {
    const { part, settled, tries } = partOf([...Array(4).fill(DOWN), "comes"]);
    part.load();
    expect(await settled()).toEqual(["loading", "failed"]);
    expect(tries()).toBe(PAUSES.length + 1);
    expect(part.get()).toEqual({ state: "failed", why: words.trouble.unreachable });
    part.load();
    expect(await settled()).toEqual(["loading", "failed", "loading", "ready"]);
  });

  it("has one sentence for whatever else went wrong", async () => {
    const { part, settled } = partOf([new TypeError("http://host/x.js")]);
    part.load();
    await settled();
    expect(part.get()).toEqual({ state: "failed", why: words.trouble.broken });
  });

  it("fails quietly where it was only fetched beforehand", async () => {
    const { part, settled } = partOf([DOWN, "comes"]);
    expect(await part.warm()).toBe(false);
    expect(await settled()).toEqual([]);
    expect(await part.warm()).toBe(true);
    expect(await settled()).toEqual(["ready"]);
  });

  it("comes by itself when the network is back", async () => {
    const { part, settled } = partOf([...Array(4).fill(DOWN), "comes"]);
    const network = new EventTarget();
    retryWhenOnline(network);
    part.load();
    await settled();
    network.dispatchEvent(new Event("online"));
    expect((await settled()).at(-1)).toBe("ready");
  });

  it("is in the list of all parts", () => {
    const { part } = partOf(["comes"]);
    expect(parts).toContain(part);
  });
});

it("has the name of its file, by which the page knows what to fetch for it", () => {
  const texts = readSources().map(({ text }) => text);
  const named = /(?:lazyPart|createPart|ofFigure)\(\s*"(\w+)",[^"]*?import\(\s*"([^"]+)"/g;
  const parts = texts.flatMap((text) => [...text.matchAll(named)]);
  expect(parts.length).toBeGreaterThan(60);
  const wrong = parts.filter(([, name, path]) => !new RegExp(`/${name}\\.tsx?$`).test(path!));
  expect(wrong.map(([all]) => all)).toEqual([]);
});
