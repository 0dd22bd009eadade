/** Saves an experiment's live run in the browser's storage as it grows, so that closing the page loses little of it. */
import type { RawRun } from "../reading/log/rawRun.ts";
import type { Client } from "../runtime/client.ts";
import type { KeptRun, RunChange, RunCurves, RunRecords } from "../runtime/shelf/keptRuns.ts";
import { newId } from "./bookStore.ts";
import type { ResumedRun } from "./resumedRun.ts";

/** Milliseconds that new data may wait. */
const WAIT = 300;
/** Maximum bytes of lines: a longer run is not stored. */
const MOST_BYTES = 100_000_000;

interface RunKeeperOptions {
  records: RunRecords;
  /** See KeptRun. */
  place(): string;
  name?(): string | undefined;
  /** Claims a run for this tab, see runtime/shelf/claim.ts. */
  claim(id: string): Promise<(() => void) | null>;
  /** The run's curves so far; null if unknown. */
  curves?(raw: RawRun): RunCurves | null;
  /** From now on a run with this id is stored; null: none is. */
  onRun?(id: string | null): void;
  /** It no longer stores anything. */
  onClose?(): void;
  /** Null: the run is stored. Else why not, without a full stop. */
  onPlace?(why: string | null): void;
}

export class RunKeeper {
  /** It writes the run's checkpoints itself, see runtime/keeping.ts. */
  worker: Pick<Client, "send"> | null = null;
  #options: RunKeeperOptions;
  #run: KeptRun | null = null;
  #raw: RawRun | null = null;
  #release: (() => void) | null = null;
  /** Number of chunks of lines that have been written. */
  #written = 0;
  #isCheckpointNew = false;
  #isNew = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Whether at least one write has succeeded. */
  #works = false;

  constructor(options: RunKeeperOptions) {
    this.#options = options;
  }

  /** Whether the current run survives the page, except for its last moments. */
  get isKept(): boolean {
    return this.#run !== null && this.#works;
  }

  /** Of the current run; undefined if none is stored. */
  get id(): string | undefined {
    return this.#run?.id;
  }

  /** Another run has begun; the previous one stays as it is. */
  begin(raw: RawRun): void {
    this.#leave();
    // It may be in a file of another run.
    if (raw.checkpoint) raw.checkpoint = { ...raw.checkpoint, inFile: false };
    const now = new Date().toISOString();
    const name = this.#options.name?.();
    const run: KeptRun = {
      id: newId(),
      place: this.#options.place(),
      ...(name !== undefined && { name }),
      spec: raw.spec,
      state: "running",
      iteration: 0,
      bytes: 0,
      begun: now,
      changed: now,
    };
    this.#take(run, raw, 0);
    void this.#options.claim(run.id).then((release) => {
      if (this.#run?.id === run.id) this.#release = release;
      else release?.();
    });
    this.#later();
  }

  /** A stored run is resumed. `stored`: portions of its lines that need not be written again. */
  adopt({ kept, raw, stored, release }: ResumedRun): void {
    this.#leave();
    this.#take(kept, raw, stored);
    this.#release = release;
    this.#works = true;
    if (stored < raw.chunks.length) this.#later();
  }

  note(state: KeptRun["state"]): void {
    if (!this.#run || this.#run.state === state) return;
    this.#run = { ...this.#run, state };
    this.#later();
  }

  /** Its experiment was renamed. */
  move(place: string): void {
    if (!this.#run || this.#run.place === place) return;
    this.#run = { ...this.#run, place };
    this.#later();
  }

  /** The run is discarded permanently. */
  drop(): void {
    const { id } = this.#run ?? {};
    const release = this.#release ?? undefined;
    this.#release = null;
    this.#isNew = false;
    this.#leave();
    if (id === undefined) return;
    this.#options.onRun?.(null);
    this.worker?.send({ type: "forget" });
    void this.#writing.then(() => this.#options.records.drop(id)).finally(release);
  }

  /** Leaves the stored run for the next page or this one; resolves when everything is written. */
  close(): Promise<void> {
    this.#leave();
    this.#options.onClose?.();
    return this.#writing;
  }

  /** Writes new data at once; resolves when it and all earlier writes are done. */
  flush(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const change = this.#change();
    if (change) this.#writing = Promise.all([this.#writing, this.#write(change)]).then(() => {});
    return this.#writing;
  }

  #take(run: KeptRun, raw: RawRun, written: number): void {
    this.#run = run;
    this.#raw = raw;
    this.#written = written;
    this.#isCheckpointNew = raw.checkpoint !== null && !raw.checkpoint.inFile && written === 0;
    raw.follower = {
      onLines: (from) => {
        this.#written = Math.min(this.#written, from);
        this.#later();
      },
      onCheckpoint: () => {
        this.#isCheckpointNew = true;
        this.#later();
      },
    };
    this.#options.onRun?.(run.id);
  }

  #leave(): void {
    void this.flush();
    if (this.#raw) this.#raw.follower = null;
    this.#release?.();
    this.#release = null;
    this.#run = null;
    this.#raw = null;
    this.#works = false;
    this.#isNew = false;
    this.#options.onPlace?.(null);
  }

  #later(): void {
    this.#isNew = true;
    // Writes do not overlap: a slow disk gets fewer, larger ones.
    this.#timer ??= setTimeout(() => void this.#writing.then(() => this.flush()), WAIT);
  }

  /** The new data, marked as written; null if there is none, or too much. */
  #change(): RunChange | null {
    const [run, raw] = [this.#run, this.#raw];
    if (!run || !raw || !this.#isNew) return null;
    this.#isNew = false;
    if (raw.size > MOST_BYTES) {
      this.#giveUp(`its log is over ${MOST_BYTES / 1e6} MB`);
      return null;
    }
    const from = this.#written;
    const lines = raw.chunks.slice(from);
    const checkpoint = this.#isCheckpointNew ? raw.checkpoint : null;
    this.#written = raw.chunks.length;
    this.#isCheckpointNew = false;
    this.#run = { ...run, ...this.#facts(raw) };
    return { run: this.#run, lines, from, checkpoint };
  }

  /** The fields of a run that change while it runs. */
  #facts(raw: RawRun) {
    const curves = this.#options.curves?.(raw);
    return {
      iteration: raw.checkpoint?.iteration ?? 0,
      bytes: raw.size,
      checkpointBytes: raw.checkpoint?.bytes.length ?? 0,
      ...(curves && { curves }),
      changed: new Date().toISOString(),
    };
  }

  async #write(change: RunChange): Promise<void> {
    const events = this.#raw!.events;
    const place = await this.#options.records.write(change);
    // Another run, or none, has begun in the meantime.
    if (this.#run?.id !== change.run.id) return;
    if (!place.kept) return this.#giveUp(place.why);
    this.#works = true;
    this.#options.onPlace?.(null);
    this.worker?.send({ type: "kept", events });
  }

  /** An incomplete run is useless. */
  #giveUp(why: string): void {
    this.drop();
    this.#options.onPlace?.(why);
  }
}
