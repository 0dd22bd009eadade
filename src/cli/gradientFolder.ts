/** The folder of a `gradient`: settings, blocks of the true gradient, blocks of rows, and the result so far. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { greatest } from "../numeric/lists.ts";
import { cpus } from "node:os";
import { canonicalJson } from "../spec/canonical.ts";
import { InputError } from "../numeric/inputError.ts";
import type { BlockRow } from "../train/gradient/block.ts";
import type { GradientStudy } from "../train/gradient/study.ts";
import { onFiles } from "./fileError.ts";
import { makeFolder, replaceFile } from "./wholeFile.ts";

export class GradientFolder {
  readonly about: object;
  #path: string;

  /** @throws InputError if the folder contains results of other settings. */
  constructor(path: string, made: { about: object; spec: object }) {
    this.#path = path;
    this.about = made.about;
    onFiles(`option --out: cannot write to ${path}`, () => makeFolder(path));
    const settings = canonicalJson(made);
    if (!this.#has("settings.json")) this.#put("settings.json", settings);
    if (readFileSync(this.#at("settings.json"), "utf8") !== settings)
      throw new InputError(`${path} holds blocks made with other settings; choose another --out`);
  }

  hasReference(r: number): boolean {
    return this.#has(`reference-${r}.f32`);
  }

  /** [P] */
  reference(r: number): Float32Array {
    return this.#floats(`reference-${r}.f32`);
  }

  putReference(r: number, gradient: Float32Array): void {
    this.#put(`reference-${r}.f32`, bytesOf(gradient));
  }

  hasBlock(k: number): boolean {
    return this.#has(`block-${k}.json`);
  }

  /** Those of the first n that exist. */
  blocks(n: number): BlockRow[][] {
    const numbers = Array.from({ length: n }, (_, k) => k);
    return numbers.filter((k) => this.hasBlock(k)).map((k) => this.#block(k));
  }

  /** The means first: a block exists once its JSON does. */
  putBlock(k: number, rows: readonly BlockRow[]): void {
    const d = rows[0]!.mean.length;
    const means = new Float32Array(rows.length * d); // [rows, d]
    rows.forEach(({ mean }, i) => means.set(mean, i * d));
    this.#put(`block-${k}.f32`, bytesOf(means));
    const kept = rows.map(({ mean: _mean, ...row }) => row);
    this.#put(`block-${k}.json`, JSON.stringify(kept));
  }

  putResult(result: object): void {
    this.#put("result.json", `${JSON.stringify(result)}\n`);
  }

  #block(k: number): BlockRow[] {
    const rows = JSON.parse(readFileSync(this.#at(`block-${k}.json`), "utf8")) as BlockRow[];
    const means = this.#floats(`block-${k}.f32`); // [rows, d]
    const d = means.length / rows.length;
    return rows.map((row, i) => ({
      ...row,
      mean: means.subarray(i * d, (i + 1) * d),
    }));
  }

  #floats(name: string): Float32Array {
    const bytes = readFileSync(this.#at(name));
    return new Float32Array(
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength),
    );
  }

  #put(name: string, content: Uint8Array | string): void {
    onFiles(`${this.#at(name)} cannot be written`, () => replaceFile(this.#at(name), content));
  }

  #has = (name: string): boolean => existsSync(this.#at(name));
  #at = (name: string): string => join(this.#path, name);
}

function bytesOf(x: Float32Array): Uint8Array {
  return new Uint8Array(x.buffer, x.byteOffset, x.byteLength);
}

interface StudyCounts {
  references: number;
  perReference: number;
  blocks: number;
}

/** The counts of everything, and the machine. */
export function sumCounts(
  { sizes }: GradientStudy,
  { references, perReference, blocks }: StudyCounts,
) {
  const block = greatest(sizes);
  return {
    n: { reference: references * perReference * block, rows: blocks * block, blocks },
    machine: `${cpus()[0]?.model ?? "unknown processor"}, Node ${process.version}`,
  };
}
