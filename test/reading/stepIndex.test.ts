/** Files that are too large to be held: each step's episodes are read again from where they are, as they were read whole. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readLarge, readImport } from "../../src/reading/log/readImport.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { episodesOfStep, type LargeFile } from "../../src/reading/log/stepIndex.ts";
import { addPiece, stepPieces } from "../../src/reading/log/stepPieces.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const packed = readFileSync(join(import.meta.dirname, "../fixtures/trainers/runs.zip"));
const files = Object.entries(unzipSync(packed)).filter(([name]) => /[/].*[^/]$/.test(name));
const folders = [...new Set(files.map(([name]) => name.split("/")[0]!))];

/** Pieces are small, so that lines are in several. */
const PIECE = 1000;

function large(
  name: string,
  bytes: Bytes,
  onRead: (from: number, to: number) => void = () => {},
): LargeFile {
  return {
    name,
    size: bytes.length,
    *chunks(start = 0, end = bytes.length) {
      for (let at = start; at < end; at += PIECE) {
        onRead(at, Math.min(end, at + PIECE));
        yield bytes.slice(at, Math.min(end, at + PIECE));
      }
    },
  };
}

async function bothWays(chosen: { name: string; bytes: Bytes }[]) {
  const whole = await readImport(chosen);
  const log = logOf(whole.bytes, whole.index.events);
  const sources = chosen.map(({ name, bytes }) => large(name, bytes));
  const indexed = await readLarge(sources, {});
  return { whole, log, indexed, sources };
}

describe("an index of large files", () => {
  it.each(folders)("finds each step of %s as it is when all is held", async (folder) => {
    const chosen = files
      .filter(([name]) => name.startsWith(`${folder}/`))
      .map(([name, bytes]) => ({ name, bytes: bytes as Bytes }));
    const { whole, log, indexed, sources } = await bothWays(chosen);
    expect(indexed.facts).toEqual(whole.facts);
    expect(indexed.events.map(({ event }) => event)).toEqual(
      whole.index.events.map(({ event }) => event),
    );
    let steps = 0;
    for (const { event, step, hasEpisodes } of indexed.events) {
      if (event.type !== "iteration") continue;
      const { algorithm, iteration } = event;
      expect(hasEpisodes).toBe(log.hasEpisodes(algorithm, iteration));
      if (!step) continue;
      const own = new Map(step.parts.map(({ at }) => [at, sources[at]!]));
      const pieces = [...stepPieces(await episodesOfStep(own, step, {}))];
      const read: EpisodeRecord[] = [];
      for (const piece of structuredClone(pieces)) addPiece(read, piece);
      expect(read).toEqual(log.episodes(algorithm, iteration));
      steps++;
    }
    const withEpisodes = log.algorithms.flatMap((name) => log.iterationsWithEpisodes(name));
    expect(steps).toBe(withEpisodes.length);
  });

  it("reads only a step's own bytes of a file of lines, and a packed one up to them", async () => {
    const line = (step: number, i: number) =>
      `${JSON.stringify({
        messages: [
          { role: "user", content: `Task ${i} of ${step}` },
          { role: "assistant", content: "Yes. ".repeat(99) },
        ],
        reward: i % 2,
        group_id: `${step}-${i >> 1}`,
        step,
      })}\n`;
    const steps = [1, 2, 3, 4, 5].map((step) => [0, 1, 2, 3].map((i) => line(step, i)).join(""));
    const text = new TextEncoder().encode(steps.join(""));
    const from = new TextEncoder().encode(steps.slice(0, 3).join("")).length;
    const { events } = await readLarge([large("run.jsonl", text)], {});
    const step = events.find(
      ({ event }) => event.type === "iteration" && event.iteration === 4,
    )!.step!;
    const seen: [number, number][] = [];
    const plain = large("run.jsonl", text, (start, end) => seen.push([start, end]));
    const found = await episodesOfStep(new Map([[0, plain]]), step, {});
    expect(JSON.stringify(found).match(/Task \d of 4/g)).toHaveLength(4);
    expect(seen[0]![0]).toBe(from);
    expect(seen.at(-1)![1]).toBe(from + steps[3]!.length - 1);
    const zipped = large("run.jsonl.gz", gzipSync(text));
    const index = await readLarge([zipped], {});
    const same = index.events.find(
      ({ event }) => event.type === "iteration" && event.iteration === 4,
    )!;
    expect(await episodesOfStep(new Map([[0, zipped]]), same.step!, {})).toEqual(found);
  });
});
