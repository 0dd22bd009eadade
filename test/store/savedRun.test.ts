import "fake-indexeddb/auto";
import { strToU8, unzipSync, zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { encodeEvents } from "../../src/record/eventLines.ts";
import { browserRuns, type KeptRun } from "../../src/runtime/shelf/keptRuns.ts";
import type { FromFiles, RunToSave } from "../../src/store/filesWorker.ts";
import { saveKept } from "../../src/store/saveRun.ts";
import { packRun, unpackRun, type SavedRun } from "../../src/store/savedRun.ts";
import { packModels } from "../../src/store/savedModels.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { encodeMarker } from "../../src/train/runFiles.ts";
import { seal } from "../../src/train/sealedZip.ts";
import { host, tinySpec } from "../train/support.ts";

const spec = tinySpec({ algorithms: [{ name: "grpo", set: {} }], evaluation: { levels: 0 } });

let lines: Uint8Array<ArrayBuffer>;
let checkpoint: Uint8Array;
let zip: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  const experiment = await Experiment.open(spec, await host());
  const events = [...(await experiment.advance()), ...(await experiment.advance())];
  checkpoint = await experiment.save();
  experiment.dispose();
  lines = encodeEvents(events);
  zip = (await packRun({ spec, lines, checkpoint, fromFile: false })) as typeof zip;
});

const refusal = (bytes: Uint8Array<ArrayBuffer>) =>
  unpackRun(bytes).then(
    () => "opened",
    (error: Error) => error.message,
  );

/** The same files, some of them others, sealed again: damage that no seal shows. */
async function resealed(changes: Record<string, Uint8Array | null>) {
  const files = Object.entries({ ...unzipSync(zip), ...changes }).filter(([, file]) => file);
  return (await seal(
    zipSync(Object.fromEntries(files) as Record<string, Uint8Array>),
  )) as typeof zip;
}

describe("a saved run", () => {
  it("comes back as it was", async () => {
    const run = (await unpackRun(zip)) as SavedRun;
    expect(run.spec).toEqual(spec);
    expect(run.log).toEqual(lines);
    expect(run.checkpoint).toMatchObject({ iteration: 1, bytes: checkpoint });
  });

  it("of a recording leaves its command and its closing line out", async () => {
    const recorded = Buffer.concat([
      strToU8('{"command":"train nano"}\n'),
      lines,
      strToU8(`${JSON.stringify({ fingerprint: lastChain(), time: {} })}\n`),
    ]);
    const bytes = new Uint8Array(recorded);
    const packed = await packRun({ spec, lines: bytes, checkpoint: null, fromFile: true });
    expect((await unpackRun(packed as typeof zip))!.log).toEqual(lines);
  });

  it("is not made of a log that was altered", async () => {
    const text = new TextDecoder().decode(lines).replace(/"reward":-?[\d.]+/, '"reward":99');
    const altered = packRun({ spec, lines: encode(text), checkpoint: null, fromFile: true });
    await expect(altered).rejects.toThrow(/the log is altered from line \d+/);
  });

  it("is refused wherever a bit has flipped", async () => {
    const step = Math.floor(zip.length / 60);
    for (let at = 7; at < zip.length; at += step) {
      const damaged = zip.slice();
      damaged[at]! ^= 1 << (at % 8);
      expect(await refusal(damaged), `byte ${at}`).toMatch(/^This saved run is damaged: .*\.$/);
    }
    expect(await refusal(zip.slice(0, -1000))).toMatch(/^This saved run is damaged/);
  });

  it("is refused where its parts do not belong together, seal or not", async () => {
    const wrong = async (changes: Record<string, Uint8Array | null>) =>
      refusal(await resealed(changes));
    const text = new TextDecoder().decode(lines).replace(/"reward":-?[\d.]+/, '"reward":99');
    expect(await wrong({ "events.jsonl": encode(text) })).toMatch(/altered from line \d/);
    expect(await wrong({ "events.jsonl": firstLine() })).toContain("does not belong to its log");
    const other = strToU8(encodeMarker({ ...spec, seed: 99 }));
    expect(await wrong({ "turnbook-run.json": other })).toContain("another experiment");
    expect(await wrong({ "turnbook-run.json": strToU8("{}") })).toContain("the format");
    expect(await wrong({ "events.jsonl": null })).toContain("no events.jsonl");
    const broken = checkpoint.slice();
    broken[5000]! ^= 4;
    expect(await wrong({ "checkpoint.zip": broken })).toContain("checkpoint");
  });

  it("says its limit where a file in it is larger, before that is unpacked", async () => {
    const bomb = zipSync({
      "turnbook-run.json": new Uint8Array(1_000_001),
      "events.jsonl": lines,
    });
    expect(await refusal(bomb as typeof zip)).toContain("larger than 1 MB");
  });

  it("is not what another program's archive is", async () => {
    expect(await unpackRun(zipSync({ "a.txt": strToU8("a") }) as typeof zip)).toBeNull();
    expect(await unpackRun(lines)).toBeNull();
  });
});

const encode = (text: string) => new Uint8Array(Buffer.from(text));
const firstLine = () => lines.subarray(0, lines.indexOf(10) + 1);

function lastChain(): string {
  const last = new TextDecoder().decode(lines).trim().split("\n").at(-1)!;
  return (JSON.parse(last) as { chain: string }).chain;
}

describe("a run that the browser keeps", () => {
  /** In this thread: there are no workers here. */
  const pack = async ({ lines: all, ...rest }: RunToSave): Promise<FromFiles> =>
    packRun({ ...rest, lines: new Uint8Array(await all.arrayBuffer()) }).then(
      (bytes) => ({ bytes: bytes as Uint8Array<ArrayBuffer> }),
      (error: Error) => ({ refused: error.message }),
    );
  const records = browserRuns("test-saved-runs");
  const run: KeptRun = {
    id: "k3x9",
    place: "#/first",
    spec,
    state: "paused",
    iteration: 1,
    bytes: 0,
    begun: "",
    changed: new Date().toISOString(),
  };

  it("is saved as the file of an open one is: its lines in their order, and its checkpoint", async () => {
    const half = lines.indexOf(0x0a) + 1;
    const portions = [lines.subarray(0, half), lines.subarray(half)];
    await records.write({
      run,
      lines: portions.map((bytes) => ({ bytes, events: 1 })),
      from: 0,
      checkpoint: { bytes: checkpoint, iteration: 1, events: 2 },
    });
    const { name, content } = await saveKept("k3x9", records, pack);
    expect(name).toBe(`${spec.preset}-seed-${spec.seed}.turnbook.zip`);
    expect(content.type).toBe("application/zip");
    const saved = (await unpackRun(new Uint8Array(await content.arrayBuffer()))) as SavedRun;
    expect(saved.spec).toEqual(spec);
    expect(saved.log).toEqual(lines);
    expect(saved.checkpoint).toMatchObject({ iteration: 1, bytes: checkpoint });
  });

  it("is refused in a sentence where it is gone, or cannot be packed", async () => {
    await expect(saveKept("gone", records, pack)).rejects.toThrow(
      "This run is no longer in the browser's storage.",
    );
    const refuse = async () => ({ refused: "the log is altered from line 2" });
    await expect(saveKept("k3x9", records, refuse)).rejects.toThrow(
      "The log is altered from line 2.",
    );
  });
});

it("the models of a damaged checkpoint are not written", async () => {
  const damaged = checkpoint.slice();
  damaged[5000]! ^= 4;
  await expect(packModels(damaged)).rejects.toThrow(/checkpoint is damaged/);
});
