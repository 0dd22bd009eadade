import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { words } from "../../src/interchange/import/words.ts";
import type { IterationEvent } from "../../src/record/runEvent.ts";
import { DetailStore } from "../../src/reading/log/iterationDetails.ts";
import { leftOut } from "../../src/reading/log/leftOut.ts";
import { memberRanges, textAt } from "../../src/reading/log/lineScan.ts";
import { readRecording } from "../../src/reading/log/recording.ts";
import { indexRecording } from "../../src/reading/log/recordingIndex.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording, syntheticRun } from "../fixtures/syntheticRun.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const scan = (text: string) => {
  const bytes = encode(text);
  return memberRanges(bytes, { start: 0, end: bytes.length })?.map(({ name, value }) => [
    name,
    textAt(bytes, value),
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

  it("finds the end of long texts, whatever is escaped where", () => {
    for (let length = 55; length < 75; length++)
      for (const end of ["", '"', "\\", '\\"', "\\\\", '"'.repeat(90)]) {
        const value = { long: "x".repeat(length) + end, next: 1 };
        const bytes = new TextEncoder().encode(JSON.stringify(value));
        const members = memberRanges(bytes, { start: 0, end: bytes.length })!;
        expect(members.map(({ value: range }) => JSON.parse(textAt(bytes, range)))).toEqual([
          value.long,
          1,
        ]);
        const open = bytes.subarray(0, length);
        expect(memberRanges(open, { start: 0, end: open.length })).toBeNull();
      }
  });

  it("refuses anything but a whole object", () => {
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

  it("keeps the episodes that fit, and says where and why others do not", async () => {
    const lines = text.trimEnd().split("\n");
    const at = lines.findIndex((line) => line.includes('"type":"iteration"'));
    const damaged = (change: (event: IterationEvent) => void) => {
      const event = JSON.parse(lines[at]!) as IterationEvent;
      change(event);
      return lines.with(at, JSON.stringify(event)).join("\n");
    };
    const broken = damaged(({ episodes }) => {
      Object.assign(episodes[1]!.turns[1]!, { reward: "much" });
      Object.assign(episodes[2]!, { task: undefined });
      Object.assign(episodes[3]!.turns[0]!, {
        tokens: [{ id: 1, text: "a", advantage: 0, value: null }, { id: 1.5 }],
      });
      Object.assign(episodes[5]!.turns[0]!, { actions: ["Up", 7] });
    });
    const { algorithm, iteration, episodes } = JSON.parse(lines[at]!) as IterationEvent;
    const { log } = (await readRecording(broken))!;
    const kept = log.episodes(algorithm, iteration).map(({ trajectory }) => trajectory);
    expect(kept).toEqual([0, 4, 6, 7].filter((n) => n < episodes.length));
    const told = async (changed: string) => {
      const bytes = encode(changed);
      return leftOut(bytes, (await indexRecording(bytes)).events);
    };
    const line = `line ${at + 1}`;
    expect(await told(broken)).toEqual([
      "4 episodes of the recording could not be read and are left out: " +
        `${line}, episode 2, turn 2: reward is "much", it must be a number or null; ` +
        `${line}, episode 3: task is missing, it must be a text; ` +
        `${line}, episode 4, turn 1, token 2: id is 1.5, it must be a whole number; and 1 more.`,
    ]);
    expect(await told(text)).toEqual([]);
    const lists = damaged((event) => Object.assign(event, { episodes: 5, updates: "x" }));
    expect(await told(lists)).toEqual([
      "2 lists of episodes or optimiser steps could not be read: " +
        `${line}: episodes is 5, it must be a list; ${line}: updates is "x", it must be a list.`,
    ]);
    const cut = lines.with(at, lines[at]!.replace('"trajectory":', '"trajectory"'));
    expect((await told(cut.join("\n")))[0]).toContain(`: ${line} (${words.noObject}).`);
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
