import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { paid } from "../../src/algorithm/recordedBatch.ts";
import { words } from "../../src/interchange/import/words.ts";
import { isFork } from "../../src/record/forkedEpisode.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { readRecording } from "../../src/reading/log/recording.ts";
import { resolveChoice } from "../../src/store/turnChoice.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";

const nano = presetSpec("nano");
const spec = {
  ...nano,
  recordEpisodes: 1,
  optimisation: { ...nano.optimisation, iterations: 2 },
};
const text = syntheticRecording(spec);

describe("readRecording", () => {
  it("reads the command and every event", async () => {
    const read = (await readRecording(text))!;
    expect(read.warnings).toEqual([]);
    expect(read.command).toContain("turnbook -- train");
    expect(read.log.version).toBe(text.trim().split("\n").length - 1);
    expect(read.log.finishedIterations).toBe(2);
  });

  it("takes train's own output, without a header and with its closing line", async () => {
    const lines = text.trim().split("\n").slice(1);
    const read = (await readRecording([...lines, '{"fingerprint":"ab","time":{}}'].join("\n")))!;
    expect(read).toMatchObject({ command: "", warnings: [] });
  });

  it("leaves out broken lines and says how many and where", async () => {
    const read = (await readRecording(`${text}\n{"type":"iteration"}\nrubbish\n`))!;
    // A blank line before them counts too, as it does in an editor.
    const last = text.trimEnd().split("\n").length;
    const [event, object] = [`(${words.noEvent})`, `(${words.noObject})`];
    expect(read.warnings).toEqual([
      `2 lines of the recording could not be read: line ${last + 2} ${event}, line ${last + 3} ${object}.`,
    ]);
    const five = (await readRecording(`${text}a\nb\nc\nd\ne\n`))!;
    expect(five.warnings[0]).toMatch(/^5 lines .*: line .*, line .*, line .*, and 2 more\.$/);
  });

  it("takes a web page, an empty file and rubbish for no recording", async () => {
    for (const odd of ["", "<!doctype html>", "[]", "null\nnull", '{"command":"x"}'])
      expect(await readRecording(odd)).toBeNull();
  });

  it("takes no file's word for a fork, nor an absent process reward for none", async () => {
    const { log } = (await readRecording(
      text
        .replaceAll('"trajectory":', '"origin":"fork","boards":[1],"trajectory":')
        .replaceAll('"reward":', '"processReward":null,"reward":'),
    ))!;
    const name = log.algorithms[0]!;
    const [episode] = log.episodes(name, 1);
    expect(text).toContain('"trajectory":');
    expect(isFork(episode)).toBe(false);
    expect(episode!.turns[0]!.processReward).toBeNaN();
    expect(paid(episode!.turns[0]!)).toBeNaN();
  });

  it("gives panels nothing they choke on, whatever the file holds", async () => {
    const edit = fc.record({
      at: fc.nat(text.length),
      cut: fc.nat(40),
      insert: fc.string({ maxLength: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(edit, async ({ at, cut, insert }) => {
        const read = await readRecording(text.slice(0, at) + insert + text.slice(at + cut));
        for (const algorithm of read?.log.algorithms ?? []) {
          const choice = { algorithm, iteration: null, episode: 0, turn: 0, token: null };
          const { episodes } = resolveChoice(read!.log, choice);
          expect(episodes.every(({ turns }) => Array.isArray(turns))).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
