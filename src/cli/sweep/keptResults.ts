/**
 * Results of finished runs in one small file (JSONL, one run per line), so that they outlive the
 * run folders: a sweep with this file treats its runs as done. A run is identified by the SHA-256
 * of its spec without the engine, so one file can serve several sweeps.
 */
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { InputError } from "../../numeric/inputError.ts";
import { jsonOrNothing } from "../../spec/jsonText.ts";
import { specHash } from "../../spec/specHash.ts";
import { readLines } from "../readFile.ts";
import { makeFolder, replaceFile } from "../wholeFile.ts";
import type { RunResult } from "./results.ts";
import type { PlannedRun } from "./sweepFile.ts";

interface KeptResult extends Omit<RunResult, "run" | "state"> {
  run: string;
  /** SHA-256 of the spec without its engine. */
  spec: string;
}

export class KeptResults {
  readonly #path: string;
  readonly #lines = new Map<string, KeptResult>();

  /** @throws InputError if the file has any other content. */
  constructor(path: string) {
    this.#path = path;
    if (!existsSync(path)) return;
    for (const { text, line } of readLines("results", path)) {
      const kept = jsonOrNothing(text) as KeptResult | undefined;
      if (!isKept(kept)) throw new InputError(`${path}, line ${line}: is not a result of a sweep`);
      this.#lines.set(kept.spec, kept);
    }
  }

  /** A finished run with this spec, whatever its name. */
  find(run: PlannedRun): RunResult | undefined {
    const kept = this.#lines.get(specHash(run.spec));
    if (!kept) return undefined;
    const { fingerprint, iterations, methods } = kept;
    return { run, state: "done", fingerprint, iterations, methods };
  }

  /**
   * Adds a finished run, and rewrites the file atomically.
   * @throws InputError if the same spec is there with another fingerprint
   */
  add({ run, fingerprint, iterations, methods }: RunResult): void {
    const known = this.find(run);
    if (known?.fingerprint === fingerprint) return;
    if (known)
      throw new InputError(
        `${this.#path} has run ${run.name} with fingerprint ${known.fingerprint}; it now ended with ${fingerprint}`,
      );
    const spec = specHash(run.spec);
    this.#lines.set(spec, { run: run.name, spec, fingerprint, iterations, methods });
    makeFolder(dirname(this.#path));
    const lines = [...this.#lines.values()].map((one) => `${JSON.stringify(one)}\n`);
    replaceFile(this.#path, lines.join(""));
  }
}

function isKept(kept: Partial<KeptResult> | undefined): kept is KeptResult {
  return typeof kept?.spec === "string" && Array.isArray(kept.methods);
}
