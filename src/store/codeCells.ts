/**
 * The code cells of an open notebook: the last output of each, its inputs, and whether it is out of
 * date. Code runs on request, and again automatically if only its inputs have changed; it never
 * starts training.
 */
import { createStore, type StoreApi } from "zustand/vanilla";
import { runOrder, type Reads } from "../notebook/graph.ts";
import type { CodeCell, CellOutput } from "../runtime/sandbox/cells.ts";

/** The state of a cell. `late`: its output is out of date. */
type CodeState = "new" | "waiting" | "running" | "fresh" | "late";

export interface CodeView {
  state: CodeState;
  /** The last output; null before it has run. */
  output: CellOutput | null;
}

/** What a cell may name in addition to other cells. */
export interface CodeInput {
  /** Changes if the value changes. */
  stamp: string;
  /** Whether it is changing right now: cells that run automatically wait until it stops. */
  isBusy: boolean;
  /** The value; `source` is the code that uses it, which determines how much of it is needed. */
  value: (source: string, signal: AbortSignal) => Promise<unknown>;
}

interface CodeHost {
  /** The current cells, in the notebook's order. */
  cells: () => readonly CodeCell[];
  input: (name: string) => CodeInput | undefined;
  /** Names that a cell reads. Rejects if its code cannot be parsed. */
  readsOf: (cell: CodeCell) => Promise<readonly string[]>;
  run: (
    cell: CodeCell,
    inputs: Record<string, unknown>,
    signal: AbortSignal,
  ) => Promise<CellOutput>;
}

interface KnownCode {
  source: string;
  /** Null if the code cannot be parsed: running it shows why. */
  reads: readonly string[] | null;
  output: CellOutput | null;
  /** Identifies the inputs of the output. */
  madeOf: string | null;
  /** Counts the outputs; cells that read it are out of date when it grows. */
  count: number;
  busy: "waiting" | "running" | null;
}

export class CodeCells {
  readonly store: StoreApi<{ views: Readonly<Record<string, CodeView>> }> = createStore(() => ({
    views: {},
  }));
  #host: CodeHost;
  #known = new Map<string, KnownCode>();
  #stop = new AbortController();
  #tail: Promise<void> = Promise.resolve();
  /** Whether cells may run automatically, as last set. */
  #alone = false;

  constructor(host: CodeHost) {
    this.#host = host;
  }

  /** Rereads cells and inputs. @param alone runs automatically what may. */
  async refresh(alone: boolean): Promise<void> {
    this.#alone = alone;
    await this.#readAll();
    if (alone) {
      const late = [...this.#known].filter(([id, one]) => this.#runsAlone(id, one));
      if (late.length > 0) void this.run(late.map(([id]) => id));
    }
    this.#show();
  }

  /** Cells whose output is missing or out of date. */
  late(): string[] {
    return [...this.#known.keys()].filter((id) => ["new", "late"].includes(this.#stateOf(id)));
  }

  /** Runs these cells, after the out-of-date cells that they read. One after another; resolves when all are done. */
  async run(wanted: readonly string[]): Promise<void> {
    await this.#readAll();
    const { order, circles } = runOrder(wanted, this.#reads());
    const asked = new Set(wanted);
    const due = order.filter((id) => asked.has(id) || this.#stateOf(id) !== "fresh");
    for (const id of due) this.#change(id, { busy: "waiting" });
    const { signal } = this.#stop;
    const turn = this.#tail.then(async () => {
      let changed = false;
      for (const id of due) changed = (await this.#runOne(id, circles.get(id), signal)) || changed;
      return changed;
    });
    this.#tail = turn.then(ignore, ignore);
    // Refreshes during the run skipped busy cells.
    if ((await turn) && this.#alone) void this.refresh(true);
  }

  /** Stops the running cell, and clears the queue. */
  stop(): void {
    this.#stop.abort();
    this.#stop = new AbortController();
  }

  async #readAll(): Promise<void> {
    const cells = this.#host.cells();
    const gone = [...this.#known.keys()].filter((id) => !cells.some(({ name }) => name === id));
    for (const id of gone) this.#known.delete(id);
    for (const cell of cells) {
      const known = this.#known.get(cell.name);
      if (known?.source === cell.source) continue;
      const reads = await this.#host.readsOf(cell).catch(() => null);
      const now = this.#known.get(cell.name) ?? UNKNOWN;
      this.#known.set(cell.name, { ...now, source: cell.source, reads });
    }
  }

  #reads(): Reads {
    return new Map([...this.#known].map(([id, { reads }]) => [id, reads ?? []]));
  }

  /** @returns whether its inputs have changed while it ran. */
  async #runOne(
    id: string,
    circle: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<boolean> {
    const known = this.#known.get(id);
    if (!known) return false;
    const { source } = known;
    if (signal.aborted) {
      this.#change(id, { busy: null });
      return false;
    }
    this.#change(id, { busy: "running" });
    const madeOf = this.#madeOf(known);
    const output = circle
      ? failed(id, `${circle.join(" reads ")}: a circle of cells cannot run`)
      : await this.#outputOf({ name: id, source }, known.reads ?? [], signal).catch((error) =>
          // Its input data failed to load.
          failed(id, signal.aborted ? "the cell was stopped" : (error as Error).message),
        );
    const after = this.#known.get(id) ?? known;
    const changed = this.#madeOf(after) !== madeOf;
    // A stopped run has no inputs on record: when asked again, it runs again.
    this.#change(id, {
      busy: null,
      output,
      count: after.count + 1,
      madeOf: signal.aborted ? null : madeOf,
    });
    return changed && !signal.aborted;
  }

  async #outputOf(
    cell: CodeCell,
    reads: readonly string[],
    signal: AbortSignal,
  ): Promise<CellOutput> {
    const inputs: Record<string, unknown> = {};
    for (const name of reads) {
      const other = this.#known.get(name)?.output;
      if (other && !other.ok) return failed(cell.name, `${name}, which it reads, has failed`);
      const input = this.#host.input(name);
      if (other) inputs[name] = other.value;
      else if (input) inputs[name] = await input.value(cell.source, signal);
    }
    return this.#host.run(cell, inputs, signal);
  }

  /** A string that changes with the cell or anything that it reads. */
  #madeOf({ source, reads }: KnownCode): string {
    const stamps = (reads ?? []).map((name) => {
      const cell = this.#known.get(name);
      return cell ? `${name}#${cell.count}` : `${name}@${this.#host.input(name)?.stamp ?? "none"}`;
    });
    return JSON.stringify([source, ...stamps]);
  }

  #stateOf(id: string): CodeState {
    const known = this.#known.get(id);
    if (!known) return "new";
    if (known.busy) return known.busy;
    if (known.output === null) return "new";
    if (known.madeOf !== this.#madeOf(known)) return "late";
    // Something that it reads is out of date, directly or indirectly.
    const behind = (known.reads ?? []).some((name) => this.#isBehind(name, new Set([id])));
    return behind ? "late" : "fresh";
  }

  #isBehind(id: string, seen: Set<string>): boolean {
    const known = this.#known.get(id);
    if (!known || seen.has(id)) return false;
    seen.add(id);
    if (known.output === null || known.madeOf !== this.#madeOf(known)) return true;
    return (known.reads ?? []).some((name) => this.#isBehind(name, seen));
  }

  /** It has run with its current code, and its inputs have changed and settled. */
  #runsAlone(id: string, known: KnownCode): boolean {
    if (this.#stateOf(id) !== "late" || !this.#isRunAsWritten(id, new Set())) return false;
    return (known.reads ?? []).every((name) => this.#host.input(name)?.isBusy !== true);
  }

  /** Whether it, and every cell that it reads, has run with its current code. */
  #isRunAsWritten(id: string, seen: Set<string>): boolean {
    const known = this.#known.get(id);
    if (!known || seen.has(id)) return true;
    seen.add(id);
    if (known.madeOf === null) return false;
    const [source] = JSON.parse(known.madeOf) as [string];
    if (source !== known.source) return false;
    return (known.reads ?? []).every((name) => this.#isRunAsWritten(name, seen));
  }

  #change(id: string, change: Partial<KnownCode>): void {
    const known = this.#known.get(id);
    if (known) this.#known.set(id, { ...known, ...change });
    this.#show();
  }

  /** Unchanged views stay the same objects. */
  #show(): void {
    const { views: before } = this.store.getState();
    const views = Object.fromEntries(
      [...this.#known].map(([id, { output }]) => {
        const state = this.#stateOf(id);
        const old = before[id];
        return [id, old?.state === state && old.output === output ? old : { state, output }];
      }),
    );
    const ids = Object.keys(views);
    const same =
      ids.length === Object.keys(before).length && ids.every((id) => views[id] === before[id]);
    if (!same) this.store.setState({ views });
  }
}

const ignore = () => {};

const UNKNOWN: KnownCode = {
  source: "",
  reads: null,
  output: null,
  madeOf: null,
  count: 0,
  busy: null,
};

function failed(id: string, what: string): CellOutput {
  return { ok: false, lines: [], problem: { message: `${id}: ${what}`, line: null, what } };
}
