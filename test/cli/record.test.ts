/** `record`: a tiny run trained and packed, with weights and true values; and lines packed without. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readColumnar } from "../../src/reading/log/columnar.ts";
import { ofEpisodes, type IterationPart } from "../../src/interchange/columnar/content.ts";
import { decodeManifest, encodeManifest } from "../../src/interchange/columnar/manifest.ts";
import { decodePart, encodePart } from "../../src/interchange/columnar/part.ts";
import { sha256Hex } from "../../src/numeric/sha256.ts";
import type { EventDraft } from "../../src/record/runEvent.ts";
import { Chain } from "../../src/train/chain.ts";
import { falls, madeEpisode, plantedEvents } from "../fixtures/plantedLog.ts";
import { readSeeds } from "../../src/store/seeds.ts";
import { truthKey } from "../../src/reading/truths.ts";
import { turnbook } from "./cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-record-"));
const [spec, recorded, work] = ["spec.json", "recorded", "work"].map((name) => join(folder, name));

const words = ["--branches", "4", "--truths", "1", "--every", "2", "--workers", "1"];
beforeAll(async () => {
  const small = { tasksPerIteration: 2, groupSize: 2, minibatch: 4, iterations: 3 };
  const algorithms = ["grpo", "turn-ppo"].map((name) => ({ name, set: {} }));
  const evaluation = { levels: 2, every: 2 };
  writeFileSync(
    spec!,
    JSON.stringify({
      preset: "nano",
      algorithms,
      evaluation,
      recordEpisodes: 4,
      optimisation: small,
    }),
  );
  const said = await turnbook(
    "record",
    "train",
    spec!,
    "--out",
    recorded!,
    "--work",
    work!,
    ...words,
  );
  expect([said.code, said.progress.at(-1)]).toEqual([0, expect.any(String)]);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = () =>
  readColumnar(readFileSync(join(recorded!, "recording.json"), "utf8"), (name) =>
    Promise.resolve(new Uint8Array(readFileSync(join(recorded!, name)))),
  );

describe("record train", () => {
  it("keeps the command, the full run's fingerprint, and the weights at the middle and the end", async () => {
    const { log, source } = await open();
    const made = `npm run -s turnbook -- record train ${spec!} --out ${recorded!}`;
    expect(source.command).toBe([made, ...words].join(" "));
    const events = readFileSync(join(work!, "events.jsonl"), "utf8").trim().split("\n");
    const last = JSON.parse(events.at(-1)!) as { chain: string };
    expect(source.check.fingerprint).toBe(last.chain);
    expect(log.version).toBe(events.length);
    expect(source.checkpoints).toEqual([0, 1, 3]);
    const weights = await source.weights(3);
    const names = new Set([...weights.keys()].map((name) => name.split("/")[0]));
    expect(names).toEqual(new Set(["grpo:actor", "turn-ppo:actor"]));
    // 16 bits a number, of 102,849 with the value head.
    const size = readFileSync(join(recorded!, "weights-3.safetensors")).length;
    expect(size).toBeGreaterThan(4 * 102_000);
    expect(size).toBeLessThan(4 * 110_000);
  });

  it("knows the true values of the first episodes by the policies that played them", async () => {
    const { log, source } = await open();
    expect(log.iterationsWithEpisodes("grpo")).toEqual([1, 2, 3]);
    for (const iteration of [1, 2, 3])
      for (const name of ["grpo", "turn-ppo"]) {
        log.episodes(name, iteration);
        await vi.waitFor(() => expect(log.isReading(name, iteration)).toBe(false));
        const [first] = log.episodes(name, iteration);
        const truth = source.truths[truthKey(name, iteration, first!.trajectory)];
        expect(truth?.turns.length).toBe(first!.turns.length);
        expect(truth?.found).toMatchObject({ trained: iteration - 1, branches: 4 });
      }
  });

  it("computes true values again, to the same bytes, and adds what they lacked", async () => {
    const file = (name: string) => join(recorded!, name);
    const [part, manifest] = ["iteration-3.bin", "recording.json"];
    const before = [part, manifest].map((name) => readFileSync(file(name!)));
    const { methods } = (await decodePart(new Uint8Array(before[0]!), 1e8)) as IterationPart;
    for (const { truths } of Object.values(methods))
      for (const { turns } of Object.values(truths)) for (const turn of turns) delete turn.solved;
    const poorer = encodePart({ methods }, ofEpisodes);
    const listed = decodeManifest(before[1]!.toString("utf8"));
    const entry = { name: part!, bytes: poorer.length, sha256: await sha256Hex(poorer) };
    const parts = listed.parts.map((one) => (one.name === part ? entry : one));
    writeFileSync(file(part!), poorer);
    writeFileSync(file(manifest!), encodeManifest({ ...listed, parts }));
    const said = await turnbook("record", "truths", recorded!, "--iteration", "3");
    expect(said.code).toBe(0);
    expect([part, manifest].map((name) => readFileSync(file(name!)))).toEqual(before);
  });

  it("is verified file by file", async () => {
    const whole = await turnbook("verify", recorded!);
    expect(whole.code).toBe(0);
    expect(whole.json.length).toBe(readdirSync(recorded!).length);
    const part = join(recorded!, "turns-1.bin");
    const bytes = readFileSync(part);
    bytes[20] = bytes[20]! ^ 1;
    writeFileSync(part, bytes);
    const { code, json } = await turnbook("verify", recorded!);
    bytes[20] = bytes[20]! ^ 1;
    writeFileSync(part, bytes);
    expect(code).toBe(1);
    expect(
      (json as { file: string; state: string }[]).filter(({ state }) => state !== "intact"),
    ).toMatchObject([{ file: "turns-1.bin", state: "altered" }]);
  });

  it("sums up seeds in one file", async () => {
    const sweep = join(folder, "sweep");
    for (const seed of ["5", "6"])
      await turnbook(
        ...["train", spec!, "--seed", seed, "--iterations", "2", "--workers", "1"],
        ...["--out", join(sweep, "runs", `seed${seed}`)],
      );
    const file = join(folder, "made", "seeds.json");
    const { code, json } = await turnbook("record", "seeds", sweep, "--out", file);
    expect([code, json[0]]).toMatchObject([
      0,
      {
        runs: 2,
        methods: [
          { method: "grpo", seeds: 2, crashed: 0, collapsed: 0 },
          { method: "turn-ppo", seeds: 2 },
        ],
      },
    ]);
    const { seeds, seedsCommand } = await readSeeds(readFileSync(file, "utf8"));
    expect(seeds.map(({ start }) => start!.spec.seed)).toEqual([5, 6]);
    expect(seedsCommand).toContain("record seeds");
    const again = await turnbook("record", "seeds", sweep, "--out", file);
    expect([again.code, again.progress.at(-1)]).toEqual([
      2,
      expect.stringContaining("exists; add --force"),
    ]);
    const twice = await turnbook(
      "record",
      "seeds",
      sweep,
      join(sweep, "runs", "seed5"),
      "--out",
      `${file}2`,
    );
    expect([twice.code, twice.progress.at(-1)]).toEqual([
      2,
      expect.stringContaining("grpo with seed 5 appears twice"),
    ]);
  });

  it("stores the weights of the end alone where that is asked", async () => {
    const out = join(folder, "one-weights");
    const args = ["--out", out, "--weights", "1", "--truths", "0", "--workers", "1"];
    expect((await turnbook("record", "pack", work!, ...args)).code).toBe(0);
    const stored = readdirSync(out).filter((name) => name.startsWith("weights-"));
    expect(stored).toEqual(["weights-3.safetensors"]);
  });

  it("keeps each iteration around the onset of a likely cause where that is asked", async () => {
    const log = join(folder, "falling.jsonl");
    const plant = { heldOut: falls, train: () => ({ "actor/entropy": 0.05 }) };
    const events = plantedEvents({ ...plant, episodes: (i) => [madeEpisode(i)] });
    const chain = new Chain();
    const drafts = [...events, { type: "end", iterations: 40 }] as EventDraft[];
    writeFileSync(log, drafts.map((event) => `${JSON.stringify(chain.seal(event))}\n`).join(""));
    const kept = async (...words: string[]) => {
      const out = mkdtempSync(join(folder, "dense-"));
      await turnbook("record", "pack", log, "--out", out, ...words);
      const { iterations } = decodeManifest(readFileSync(join(out, "recording.json"), "utf8"));
      return iterations.map(({ iteration }) => iteration);
    };
    const thin = [1, 10, 20, 21, 30, 40];
    expect(await kept()).toEqual(thin);
    const dense = await kept("--around", "2");
    expect(dense).toEqual(expect.arrayContaining([...thin, 17, 18, 19, 22]));
    expect(dense.length).toBeLessThan(16);
  });

  it("refuses what it cannot do, in a line", async () => {
    const refusals: [string[], RegExp][] = [
      [["record"], /record needs one of pack, train, seeds/],
      [["record", "pack"], /record pack takes one run folder, log or recording/],
      [["record", "pack", work!], /record pack needs --out DIR/],
      [["record", "pack", work!, "--out", recorded!], /must be a new or an empty folder/],
      [["record", "truths", recorded!], /record truths needs --iteration N/],
      [
        ["record", "truths", recorded!, "--iteration", "3", "--policy", "x"],
        /option --policy is "x"; allowed: grpo, turn-ppo/,
      ],
    ];
    for (const [words, why] of refusals) {
      const { code, progress } = await turnbook(...words);
      expect([code, progress.join("\n")]).toEqual([2, expect.stringMatching(why)]);
    }
  });
});
