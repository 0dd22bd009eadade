/** Steps that are read again from their files: one at a time, the newest asked first, and what a log says of a run that does not fit. */
import { afterEach, expect, it, vi } from "vitest";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import type { IndexedStep } from "../../src/reading/log/recordingIndex.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { Tracks } from "../../src/reading/story/tracks.ts";
import { stepOfFiles, type StepRequest } from "../../src/store/stepFiles.ts";

afterEach(() => vi.unstubAllGlobals());

const step = (iteration: number): IndexedStep => ({
  ...{ run: "verl", iteration, parts: [], tasks: "[]", bytes: 1 },
});

function fakeWorker() {
  const asked: StepRequest[] = [];
  const listeners: Record<string, (event: object) => void> = {};
  vi.stubGlobal(
    "Worker",
    class {
      addEventListener(type: string, listener: (event: object) => void) {
        listeners[type] = listener;
      }
      postMessage(request: StepRequest) {
        asked.push(request);
      }
      terminate() {}
    },
  );
  const say = (data: object) => listeners["message"]!({ data: { id: asked.at(-1)!.id, ...data } });
  const part = (episode: object) => say({ type: "piece", piece: { episodes: [episode] } });
  const answer = (episode: object) => {
    part(episode);
    say({ type: "step", read: 1 });
  };
  return { asked, part, answer, fail: (message: string) => listeners["error"]!({ message }) };
}

it("answers the newest question first, one at a time, and all when the worker breaks", async () => {
  const { asked, part, answer, fail } = fakeWorker();
  const iterations = () => asked.map((one) => one.step.iteration);
  const found = [1, 2, 3, 4].map((n) => stepOfFiles([], step(n), {}));
  const failed = Promise.allSettled([found[1]!, found[2]!]);
  expect(iterations()).toEqual([1]);
  answer({ trajectory: 1 });
  expect(iterations()).toEqual([1, 4]);
  expect(await found[0]).toEqual([{ trajectory: 1 }]);
  answer({ trajectory: 4 });
  expect(iterations()).toEqual([1, 4, 3]);
  fail("out of memory");
  expect((await failed).map((one) => one.status)).toEqual(["rejected", "rejected"]);
  // The next one starts another.
  const again = stepOfFiles([], step(5), {});
  part({ trajectory: 5 });
  answer({ trajectory: 6 });
  expect(await again).toEqual([{ trajectory: 5 }, { trajectory: 6 }]);
});

it("a story opens few steps of a run that does not fit in memory, and all of one that does", () => {
  const openedOf = (bytes: number) => {
    const log = new RunLog();
    const opened: number[] = [];
    for (let iteration = 1; iteration <= 20; iteration++) {
      const rest = { metrics: {}, time: { seconds: {} }, episodes: [], chain: "" };
      const event = { type: "iteration", algorithm: "verl", iteration, ...rest } as const;
      const load = async () => (opened.push(iteration), { episodes: [], updates: null });
      const read = () => ({ episodes: [] as EpisodeRecord[], updates: null });
      log.append(event as never, { hasEpisodes: true, read, load, bytes });
    }
    new Tracks(log, "verl").recorded("n", () => null, 30);
    return () => opened.length;
  };
  const [small, large] = [openedOf(100), openedOf(2_000_000)];
  return Promise.all([expect.poll(small).toBe(20), expect.poll(large).toBe(5)]);
});
