/** The work folder of a long cloning: its state, replaced as a whole now and then, so that a stopped one goes on. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { WeightMap } from "../engine/engine.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { readSafetensors, writeSafetensors } from "../model/safetensors.ts";
import { canonicalJson } from "../spec/canonical.ts";
import type { ExperimentSpec } from "../spec/experiment.ts";
import { parseJsonObject } from "../spec/jsonText.ts";
import type { CloneKeeper, CloneState } from "../train/warmStart.ts";
import { onFiles } from "./fileError.ts";
import { replaceFile } from "./wholeFile.ts";

const FILE = "clone.safetensors";
const PARTS = ["weight", "m", "v"] as const;
/** Milliseconds between two states: what a stop loses at most. */
const BETWEEN = 60_000;

/**
 * @param say reports where an earlier cloning stopped
 * @throws InputError if the folder belongs to another spec
 */
export function cloneWork(
  folder: string,
  spec: ExperimentSpec,
  say: (line: string) => void,
): CloneKeeper {
  const path = join(folder, FILE);
  const { clone, environment, model, context, seed } = spec;
  const about = canonicalJson({ clone, environment, model, context, seed });
  const found = existsSync(path) ? readState(path, about) : null;
  if (found) say(`going on after step ${found.step} of ${clone.steps}`);
  onFiles(`${folder} cannot be made`, () => mkdirSync(folder, { recursive: true }));
  let kept = Date.now();
  return {
    found,
    afterStep: async (step, read) => {
      if (step < clone.steps && Date.now() - kept < BETWEEN) return;
      const bytes = stateBytes(await read(), about);
      onFiles(`${path} cannot be written`, () => replaceFile(path, bytes));
      kept = Date.now();
    },
  };
}

function stateBytes({ step, weights, optimizer }: CloneState, about: string): Uint8Array {
  const tensors: WeightMap = new Map();
  for (const [part, map] of [
    ["weight", weights],
    ["m", optimizer.m],
    ["v", optimizer.v],
  ] as const)
    for (const [name, tensor] of map) tensors.set(`${part}/${name}`, tensor);
  const head = JSON.stringify({ about, step, steps: optimizer.step });
  return Buffer.concat([Buffer.from(`${head}\n`), writeSafetensors(tensors)]);
}

function readState(path: string, about: string): CloneState {
  const bytes = onFiles(`${path} cannot be read`, () => readFileSync(path));
  const end = bytes.indexOf("\n");
  const head = parseJsonObject(bytes.subarray(0, Math.max(0, end)).toString(), path);
  if (head["about"] !== about)
    throw new InputError(
      `--work has the cloning of another spec, ${show(head["about"])}; name another folder`,
    );
  const maps = Object.fromEntries(PARTS.map((part): [string, WeightMap] => [part, new Map()]));
  for (const [name, tensor] of readSafetensors(bytes.subarray(end + 1), path)) {
    const slash = name.indexOf("/");
    maps[name.slice(0, slash)]?.set(name.slice(slash + 1), tensor);
  }
  const step = Number(head["step"]);
  const steps = head["steps"] as CloneState["optimizer"]["step"];
  return {
    step,
    weights: maps["weight"]!,
    optimizer: { step: steps, m: maps["m"]!, v: maps["v"]! },
  };
}
