/** Keeps the live run of an experiment in the browser's storage as it grows, so that closing the page loses little of it. */
import type { RawRun } from "../reading/log/rawRun.ts";
import type { Client } from "../runtime/client.ts";
import type { KeptRun, RunChange, RunCurves, RunRecords } from "../runtime/shelf/keptRuns.ts";
import { newId } from "./bookStore.ts";
import type { ResumedRun } from "./resumedRun.ts";

/** Milliseconds that what is new may wait. */
const WAIT = 300;
/** Bytes of lines at most: a longer run is not kept. */
const MOST_BYTES = 100_000_000;

interface RunKeeperOptions {
  records: RunRecords;
  /** See KeptRun. */
  place(): string;
  name?(): string | undefined;
  /** Takes a run for this tab, see runtime/shelf/claim.ts. */
  claim(id: string): Promise<(() => void) | null>;
  /** How the run went so far; null where that is not known. */
  curves?(raw: RawRun): RunCurves | null;
  /** A run of this id is kept from now on; null: none is. */
  onRun?(id: string | null): void;
  /** It keeps nothing any more. */
  onClose?(): void;
  /** Null: the run is kept. Else why not, without a full stop. */
  onPlace?(why: string | null): void;
}

export class RunKeeper {
  /** It writes checkpoints of the run by itself, see runtime/keeping.ts. */
  worker: Pick<Client, "send"> | null = null;
  #options: RunKeeperOptions;
  #run: KeptRun | null = null;
  #raw: RawRun | null = null;
  #release: (() => void) | null = null;
  /** Chunks of lines that are kept as they are; those that follow are not. */
  #written = 0;
  #isCheckpointNew = false;
  #isNew = false;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #writing: Promise<void> = Promise.resolve();
  /** Whether writing has worked so far, at least once. */
  #works = false;

  constructor(options: RunKeeperOptions) {
    this.#options = options;
  }

  /** Whether the present run outlives the page, but for its last moments. */
  get isKept(): boolean {
    return this.#run !== null && this.#works;
  }

  /** Of the present run; undefined where none is kept. */
  get id(): string | undefined {
    return this.#run?.id;
  }

  /** Another run has begun; the one before stays as it is. */
  begin(raw: RawRun): void {
    this.#leave();
    // It may lie among the files of another run.
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

  /** A kept run goes on. `stored`: portions of its lines that need not be written again. */
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

  /** Its experiment has another name now. */
  move(place: string): void {
    if (!this.#run || this.#run.place === place) return;
    this.#run = { ...this.#run, place };
    this.#later();
  }

  /** The run is given up: it goes for good. */
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

  /** Leaves the run as it is, for the next page or this one; resolves when that is written. */
  close(): Promise<void> {
    this.#leave();
    this.#options.onClose?.();
    return this.#writing;
  }

  /** Writes what is new at once; resolves when it has been, and all before it. */
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
    // One write after the other: a slow disk gets fewer, larger ones.
    this.#timer ??= setTimeout(() => void this.#writing.then(() => this.flush()), WAIT);
  }

  /** What is new, taken as written; null where nothing is, or it is too much. */
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

  /** What changes of a run while it goes on. */
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
    // Another run, or none, has begun meanwhile.
    if (this.#run?.id !== change.run.id) return;
    if (!place.kept) return this.#giveUp(place.why);
    this.#works = true;
    this.#options.onPlace?.(null);
    this.worker?.send({ type: "kept", events });
  }

  /** A part of a run is of no use. */
  #giveUp(why: string): void {
    this.drop();
    this.#options.onPlace?.(why);
  }
}
