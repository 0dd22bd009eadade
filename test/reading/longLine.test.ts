/** Long lines read in slices: the same episodes as reading them at once, and the page is asked to wait meanwhile. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runWhole } from "../../src/numeric/sliced.ts";
import { readDetails } from "../../src/reading/log/episodeSchema.ts";
import { readLongLine } from "../../src/reading/log/recordingIndex.ts";
import { readRecording } from "../../src/reading/log/recording.ts";
import { emptyEpisodes, EMPTY_EPISODE, longEpisode } from "../fixtures/longRun.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** What both make of a line. */
function both(text: string) {
  const bytes = bytesOf(text);
  const sliced = runWhole(readLongLine(bytes, { start: 0, end: bytes.length }));
  return { sliced, atOnce: readDetails(JSON.parse(text)) };
}

test("every iteration of the shipped run is read the same", () => {
  const lines = readFileSync("test/fixtures/runs/nano.jsonl", "utf8").trim().split("\n");
  const iterations = lines.filter((line) => line.includes('"type":"iteration"'));
  expect(iterations.length).toBeGreaterThan(10);
  for (const line of iterations.slice(0, 12)) {
    const { sliced, atOnce } = both(line);
    expect(sliced).toEqual(atOnce);
  }
});

const turn = {
  ...{ observation: "", text: "", actions: null, reward: null, formatPenalty: 0, value: null },
  ...{ advantage: null, return: null, ratio: null, clipped: null, tokens: [{ id: 1 }] },
};
const episode = { ...(JSON.parse(EMPTY_EPISODE) as object), origin: "fork" };

test.each([
  ["nothing", {}],
  ["no list", { episodes: {}, updates: 3 }],
  ["an empty list", { episodes: [], updates: [] }],
  ["other values", { episodes: [1, null, "x", [], {}, [[]], { turns: 1 }] }],
  ["an episode without turns", { episodes: [episode] }],
  ["turns that do not fit", { episodes: [episode, { ...episode, turns: [turn] }, episode] }],
  ["a turn that fits", { episodes: [{ ...episode, turns: [{ ...turn, tokens: [] }] }] }],
  ["turns that are no list", { episodes: [{ ...episode, turns: "[]" }] }],
  ["no whole number", { episodes: [{ ...episode, trajectory: 1.5 }] }],
  ["brackets in texts", { episodes: [{ ...episode, task: '}],{"\\', turns: [] }], updates: [{}] }],
])("%s is read the same", (_what, line) => {
  const { sliced, atOnce } = both(JSON.stringify(line, null, 1));
  expect(sliced).toEqual(atOnce);
});

test("a long line has no episodes until it has been read, and says when it has", async () => {
  const { log } = (await readRecording(longEpisode(4000)))!;
  let read = () => {};
  const over = new Promise<void>((resolve) => (read = resolve));
  log.onRead = read;
  expect(log.hasEpisodes("turn-ppo", 1)).toBe(true);
  expect(log.isReading("turn-ppo", 1)).toBe(false);
  expect(log.episodes("turn-ppo", 1)).toEqual([]);
  expect(log.peekEpisodes("turn-ppo", 1)).toBeNull();
  expect(log.isReading("turn-ppo", 1)).toBe(true);
  await over;
  const episodes = log.episodes("turn-ppo", 1);
  expect(episodes.map(({ turns }) => turns.length).at(-1)).toBe(4000);
  expect(log.episodes("turn-ppo", 1)).toBe(episodes);
  expect(log.peekEpisodes("turn-ppo", 1)).toBe(episodes);
});

test("a million episodes that are none cost less than a second, a slice at a time", () => {
  const text = emptyEpisodes(1_000_000, "{}").split("\n")[1]!;
  const bytes = bytesOf(text);
  const job = readLongLine(bytes, { start: 0, end: bytes.length });
  const before = process.cpuUsage();
  let longest = 0;
  for (let began = performance.now(), next = job.next(); ; next = job.next()) {
    longest = Math.max(longest, performance.now() - began);
    if (next.done) {
      expect(next.value.episodes).toHaveLength(1);
      break;
    }
    began = performance.now();
  }
  const { user } = process.cpuUsage(before);
  // 12 s where each says why it is none; on a busy machine everything takes longer.
  expect(user / 1e6).toBeLessThan(6);
  expect(longest).toBeLessThan(1000);
});
