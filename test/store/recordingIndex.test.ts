import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DetailStore } from "../../src/store/iterationDetails.ts";
import { membersOf, textOf } from "../../src/store/lineScan.ts";
import { readRecording } from "../../src/store/recording.ts";
import { indexRecording } from "../../src/store/recordingIndex.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording, syntheticRun } from "../fixtures/syntheticRun.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const scan = (text: string) => {
  const bytes = encode(text);
  return membersOf(bytes, { start: 0, end: bytes.length })?.map(({ name, value }) => [
    name,
    textOf(bytes, value),
  ]);
};

describe("membersOf", () => {
  it("finds every member of any object as JSON.parse does", () => {
    const object = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1), (value, indent) => {
        const read = scan(JSON.stringify(value, null, indent))!;
        const back = read.map(([name, text]) => [
          JSON.parse(`"${name}"`) as string,
          JSON.parse(text!) as unknown,
        ]);
        expect(back).toEqual(Object.entries(JSON.parse(JSON.stringify(value)) as object));
      }),
    );
  });

  it("refuses what is no whole object", () => {
    for (const text of ["", "[]", '{"a":', '{"a":1', '{"a":"}', '{"a":[1,2}', '{"a" 1}', "{a:1}"])
      expect(scan(text)).toBeUndefined();
    expect(scan('{"a":1} x')).toBeUndefined();
    expect(scan(' {"a" : "\\"}" } \r')).toEqual([["a", '"\\"}"']]);
  });
});

describe("a recording", () => {
  const text = syntheticRecording(shortRun());

  it("has its numbers at once and its episodes unread", async () => {
    const { events, refused } = await indexRecording(encode(text));
    expect(refused).toBe(0);
    const iterations = events.filter(({ event }) => event.type === "iteration");
    expect(iterations.every(({ line, hasEpisodes }) => line !== null && hasEpisodes)).toBe(true);
    const kept = iterations.map(({ event }) => (event.type === "iteration" ? event.episodes : []));
    expect(kept.flat()).toEqual([]);
  });

  it("gives the same episodes as its events, and the same list each time", async () => {
    const { log } = (await readRecording(text))!;
    for (const event of syntheticRun(shortRun())) {
      if (event.type !== "iteration") continue;
      const read = log.episodes(event.algorithm, event.iteration);
      expect(read).toEqual(event.episodes);
      expect(log.episodes(event.algorithm, event.iteration)).toBe(read);
    }
  });

  it("shows an iteration whose episodes are damaged with its numbers alone", async () => {
    const broken = text.replaceAll('"observation":', '"observed":');
    const { log } = (await readRecording(broken))!;
    expect(log.series("grpo", "sokoban/success").x).toHaveLength(20);
    expect(log.episodes("grpo", 3)).toEqual([]);
  });
});

describe("what is held of a file's iterations", () => {
  it("is a few of them, the last ones asked for", () => {
    const details = new DetailStore();
    const reads = new Map<string, number>();
    const keys = Array.from({ length: 40 }, (_, i) => `${i}`);
    for (const key of keys)
      details.keepUnread(key, {
        hasEpisodes: true,
        read: () => {
          reads.set(key, (reads.get(key) ?? 0) + 1);
          return { episodes: [], updates: null };
        },
      });
    expect(reads.size).toBe(0);
    const first = details.get("0");
    for (const key of keys.slice(1, 12)) details.get(key);
    expect(details.get("0")).toBe(first);
    expect(reads.get("0")).toBe(1);
    for (const key of keys.slice(12)) details.get(key);
    details.get("0");
    expect(reads.get("0")).toBe(2);
  });
});
