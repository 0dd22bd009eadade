/**
 * Reads a columnar recording: the manifest and the curves first, everything else on demand. Each
 * part is checked against its SHA-256 when it is fetched.
 */
import type { WeightMap } from "../../engine/engine.ts";
import { readSafetensors } from "../../model/safetensors.ts";
import { sha256Hex } from "../../numeric/sha256.ts";
import { InputError } from "../../numeric/inputError.ts";
import type { TurnsPart } from "./content.ts";
import { decodeManifest, MANIFEST, MOST_PACKED, type RecordingManifest } from "./manifest.ts";
import { decodePart } from "./part.ts";

/** Fetches a file from the manifest's folder. */
export type FetchPart = (name: string) => Promise<Uint8Array>;

/** Maximum bytes of an unpacked part. */
const MOST_UNPACKED = 256_000_000;

export class ColumnarRecording {
  readonly manifest: RecordingManifest;
  #fetch: FetchPart;
  #kept = new Map<string, Promise<unknown>>();
  #files = new Map<string, Promise<Uint8Array>>();
  #intact = new Set<string>();

  /** @throws InputError if the manifest is damaged. */
  constructor(manifest: string, fetchPart: FetchPart) {
    this.manifest = decodeManifest(manifest);
    this.#fetch = fetchPart;
  }

  /** Number of files read and found intact, and of all files, including the manifest. */
  get checked(): { read: number; files: number } {
    return { read: this.#intact.size + 1, files: this.manifest.parts.length + 1 };
  }

  /** Every event as an unknown: the caller checks them. @throws InputError if the part is damaged. */
  async events(): Promise<unknown[]> {
    const { events } = Object(await this.#columns(this.manifest.curves)) as { events?: unknown };
    if (!Array.isArray(events)) throw damaged(this.manifest.curves, "it holds no events");
    if (events.length !== this.manifest.events)
      throw damaged(this.manifest.curves, "its number of events differs from the run's");
    return events as unknown[];
  }

  /** What the methods played in a stored iteration, by method and unchecked. @throws InputError if it is damaged. */
  async iteration(iteration: number): Promise<Record<string, unknown>> {
    const entry = this.manifest.iterations.find((one) => one.iteration === iteration);
    if (!entry) throw new InputError(`the recording has no episodes of iteration ${iteration}`);
    const { methods } = Object(await this.#columns(entry.part)) as { methods?: unknown };
    return Object(methods) as Record<string, unknown>;
  }

  /** Every turn of a stored iteration. @throws InputError if it is damaged. */
  async turns(iteration: number): Promise<TurnsPart["methods"]> {
    const entry = this.manifest.iterations.find((one) => one.iteration === iteration);
    if (!entry) throw new InputError(`the recording has no turns of iteration ${iteration}`);
    return (Object(await this.#columns(entry.turns)) as TurnsPart).methods ?? {};
  }

  /** The networks after this many iterations, `<method>:<network>/<tensor>`. @throws InputError if the part is damaged. */
  async weights(trained: number): Promise<WeightMap> {
    const entry = this.manifest.checkpoints.find((one) => one.trained === trained);
    if (!entry) throw new InputError(`the recording has no weights of iteration ${trained}`);
    return readSafetensors(await this.file(entry.part), entry.part);
  }

  /** The bytes of a part, as they were written. @throws InputError if they differ. */
  file(name: string): Promise<Uint8Array> {
    return once(this.#files, name, () => this.#checked(name));
  }

  async #checked(name: string): Promise<Uint8Array> {
    const { bytes: size, sha256 } = this.manifest.parts.find((part) => part.name === name)!;
    if (size > MOST_PACKED) throw damaged(name, "it is too large");
    const bytes = await this.#fetch(name);
    if (bytes.length !== size)
      throw damaged(name, `it has ${bytes.length} bytes instead of ${size}`);
    if ((await sha256Hex(bytes)) !== sha256)
      throw damaged(name, `its SHA-256 does not match ${MANIFEST}`);
    this.#intact.add(name);
    return bytes;
  }

  #columns(name: string): Promise<unknown> {
    return once(this.#kept, name, async () => {
      const bytes = await this.file(name);
      return decodePart(bytes, MOST_UNPACKED).catch((error: unknown) => {
        throw error instanceof InputError ? damaged(name, error.message) : error;
      });
    });
  }
}

/** Created once; a failure can be retried. */
function once<T>(known: Map<string, Promise<T>>, name: string, make: () => Promise<T>): Promise<T> {
  const before = known.get(name);
  if (before) return before;
  const made = make();
  known.set(name, made);
  made.catch(() => known.delete(name));
  return made;
}

function damaged(name: string, why: string): InputError {
  return new InputError(`${name} is damaged: ${why}`);
}
