/**
 * What was made at 31665594 opens and reproduces: links, the runs behind them, class codes and notebooks. The fixture is never edited.
 * It was written at that commit by this file: `TURNBOOK_LANDED=1 npx vitest run --project unit test/train/landed.test.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseNotebook } from "../../src/notebook/document.ts";
import { definitionsIn } from "../../src/notebook/cell.ts";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { codeOfRun, readCode, setupOf } from "../../src/reading/classroom/resultCode.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import { canonicalJson } from "../../src/spec/canonical.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { learnerNames } from "../../src/spec/preference.ts";
import { specHash } from "../../src/spec/specHash.ts";
import { runSpec } from "./support.ts";
import { some } from "../every.ts";

interface LandedRun {
  link: string;
  /** Of the link's spec, as canonical JSON. */
  spec: string;
  /** The run's last chain. */
  fingerprint: string;
  /** Handed in by a seat that predicted option 1; null where no held-out curve is sent. */
  code: string | null;
}

interface Landed {
  runs: LandedRun[];
  /** By file: hashes of the specs of the experiments. */
  notebooks: Record<string, string[]>;
}

const folder = join(import.meta.dirname, "..", "fixtures", "landed");
const file = join(folder, "31665594.json");
const NOTEBOOKS = ["first", "shop", "estimator", "class", "table", "clinic"];

const SMALL =
  "iterations=1&optimisation.tasksPerIteration=2&optimisation.groupSize=4&optimisation.minibatch=4&optimisation.epochs=1" +
  "&critic.warmup=0&critic.epochs=1&evaluation.levels=2&evaluation.every=1&backend=wasm";

const nano = (changes: string) => `#v1/nano?${SMALL}&environment.maxTurns=3&${changes}`;

function linksToMake(): string[] {
  const rows = algorithmNames.map((name) => nano(`algorithms=${name}`));
  const seeds = [0, 1, 1000, 1001, 2002, 123_456_789].map((seed) =>
    nano(`algorithms=grpo,turn-ppo&seed=${seed}`),
  );
  const presets = [
    ...["frozenlake", "frozenlake-4x4", "bandit", "webshop-class", "nano-qwen2", "nano-think"],
    ...["nano-process", "webshop-progress"],
  ].map((preset) => `#v1/${preset}?${SMALL}`);
  const clone = nano("algorithms=grpo&model.warmStart=clone&clone.levels=4&clone.steps=2");
  return [...rows, ...seeds, ...presets, clone];
}

async function made(link: string): Promise<LandedRun> {
  const { spec, warnings } = decodeLink(link);
  expect(warnings).toEqual([]);
  const { events, fingerprint } = await runSpec(spec);
  const log = new RunLog();
  for (const event of events) log.append(event);
  return {
    link: encodeLink(spec),
    spec: canonicalJson(spec),
    fingerprint,
    code: codeOfRun(log, "heldout", 1),
  };
}

function hashesOf(name: string): string[] {
  const { notebook } = parseNotebook(readFileSync(join(folder, "notebooks", `${name}.md`), "utf8"));
  const definitions = definitionsIn(notebook.cells);
  return notebook.cells.flatMap((cell) =>
    cell.type === "experiment" ? [specHash(readExperiment(cell.body, definitions).spec)] : [],
  );
}

if (process.env["TURNBOOK_LANDED"])
  it("is written", async () => {
    const runs: LandedRun[] = [];
    for (const link of linksToMake()) runs.push(await made(link));
    const notebooks = Object.fromEntries(NOTEBOOKS.map((name) => [name, hashesOf(name)]));
    writeFileSync(file, `${JSON.stringify({ runs, notebooks } satisfies Landed, null, 1)}\n`);
  });

const landed = JSON.parse(readFileSync(file, "utf8")) as Landed;

describe("a link made at 31665594", () => {
  // Cloning on the large lake takes as long as all the others together; a smaller lake is the same path.
  it.each(some(landed.runs, ({ link }) => !link.startsWith("#v1/frozenlake?")))(
    "reproduces: $link",
    async ({ link, spec: wanted, fingerprint, code }) => {
      const { spec, warnings } = decodeLink(link);
      expect(warnings).toEqual([]);
      expect(canonicalJson(spec)).toBe(wanted);
      expect(encodeLink(spec)).toBe(link);
      const run = await made(link);
      expect(run.fingerprint).toBe(fingerprint);
      expect(run.code).toBe(code);
      if (code)
        expect(readCode(code, learnerNames(spec).length)).toMatchObject({
          setup: setupOf(spec),
          prediction: 1,
        });
    },
  );
});

describe("a notebook made at 31665594", () => {
  it.each(NOTEBOOKS)("opens with the same experiments: %s", (name) => {
    expect(hashesOf(name)).toEqual(landed.notebooks[name]);
  });
});
