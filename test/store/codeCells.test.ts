/** Code cells of a notebook: what runs when, what is out of date, and what stops. */
import { describe, expect, it, vi } from "vitest";
import type { CellOutput } from "../../src/runtime/sandbox/cells.ts";
import { freeNames } from "../../src/runtime/sandbox/freeNames.ts";
import { CodeCells } from "../../src/store/codeCells.ts";

/** Cells that are summed up in the test's own thread: `run` says which have run. */
function notebook(cells: Record<string, string>) {
  const runs: string[] = [];
  const input = {
    ...{ stamp: "1", isBusy: false, value: 10 },
    read: async () => input.value,
  };
  let hold: Promise<void> = Promise.resolve();
  const code = new CodeCells({
    cells: () => Object.entries(cells).map(([name, source]) => ({ name, source })),
    input: (name) =>
      name === "first"
        ? { stamp: input.stamp, isBusy: input.isBusy, value: () => input.read() }
        : undefined,
    readsOf: ({ source, name }) => freeNames(source, name),
    run: async ({ name, source }, inputs, signal): Promise<CellOutput> => {
      await Promise.race([
        hold,
        new Promise((resolve) => signal.addEventListener("abort", resolve)),
      ]);
      if (signal.aborted) return problem("the cell was stopped");
      runs.push(name);
      const names = Object.keys(inputs);
      try {
        const value: unknown = new Function(...names, `return (${source})`)(
          ...names.map((one) => inputs[one]),
        );
        return { ok: true, lines: [], value, shown: { kind: "value", value } };
      } catch (error) {
        return problem((error as Error).message);
      }
    },
  });
  const states = () =>
    Object.fromEntries(
      Object.entries(code.store.getState().views).map(([id, { state }]) => [id, state]),
    );
  const valueOf = (id: string) => {
    const output = code.store.getState().views[id]?.output;
    return output?.ok ? output.value : (output?.problem.what ?? null);
  };
  return {
    ...{ cells, runs, input, code, states, valueOf },
    holdRuns: () => {
      let free = () => {};
      hold = new Promise((resolve) => (free = resolve));
      return free;
    },
  };
}

const problem = (what: string): CellOutput => ({
  ok: false,
  lines: [],
  problem: { message: what, line: null, what },
});

const settled = (check: () => void) => vi.waitFor(check, { interval: 5 });

describe("code cells", () => {
  it("run after those that they read, each once", async () => {
    const { code, runs, states, valueOf } = notebook({
      sum: "a + b",
      a: "first * 2",
      b: "a + 1",
      alone: "5",
    });
    await code.refresh(false);
    expect(states()).toEqual({ sum: "new", a: "new", b: "new", alone: "new" });
    await code.run(["sum"]);
    expect(runs).toEqual(["a", "b", "sum"]);
    expect(valueOf("sum")).toBe(41);
    expect(states()).toEqual({ sum: "fresh", a: "fresh", b: "fresh", alone: "new" });
    await code.run(code.late());
    expect(runs).toEqual(["a", "b", "sum", "alone"]);
  });

  it("are out of date after a cell that was rewritten, and wait to be asked", async () => {
    const { code, cells, runs, states, valueOf } = notebook({ a: "1", b: "a + 1", c: "b + 1" });
    await code.run(["c"]);
    cells["a"] = "10";
    await code.refresh(true);
    expect(states()).toEqual({ a: "late", b: "late", c: "late" });
    expect(runs).toHaveLength(3);
    await code.run(code.late());
    expect(valueOf("c")).toBe(12);
    expect(code.late()).toEqual([]);
    cells["a"] = "11";
    await code.run(["a"]);
    expect(states()).toEqual({ a: "fresh", b: "late", c: "late" });
  });

  it("run by themselves when a run that they read has changed and rests", async () => {
    const { code, input, runs, states, valueOf } = notebook({ a: "first + 1", other: "2" });
    await code.run(["a", "other"]);
    input.stamp = "2";
    input.value = 20;
    input.isBusy = true;
    await code.refresh(true);
    expect(states()).toEqual({ a: "late", other: "fresh" });
    expect(runs).toHaveLength(2);
    input.isBusy = false;
    await code.refresh(true);
    await code.run([]);
    expect(valueOf("a")).toBe(21);
    expect(runs).toEqual(["a", "other", "a"]);
  });

  it("run again when a run that they read has changed while they ran", async () => {
    const { code, input, runs, states, valueOf, holdRuns } = notebook({
      a: "first + 1",
      b: "a + 1",
    });
    await code.refresh(true);
    const free = holdRuns();
    const first = code.run(["b"]);
    await settled(() => expect(states().a).toBe("running"));
    Object.assign(input, { stamp: "2", value: 20 });
    await code.refresh(true);
    free();
    await first;
    await settled(() => expect(states()).toEqual({ a: "fresh", b: "fresh" }));
    expect(runs).toEqual(["a", "b", "a", "b"]);
    expect(valueOf("b")).toBe(22);
  });

  it("of a notebook from elsewhere do not run again by themselves", async () => {
    const { code, input, runs, states, holdRuns } = notebook({ a: "first + 1" });
    await code.refresh(false);
    const free = holdRuns();
    const first = code.run(["a"]);
    await settled(() => expect(states().a).toBe("running"));
    Object.assign(input, { stamp: "2", value: 20 });
    await code.refresh(false);
    free();
    await first;
    await code.refresh(false);
    expect(runs).toEqual(["a"]);
    expect(states()).toEqual({ a: "late" });
  });

  it("say why they do not run: an error, a cell that failed, a circle, text that cannot be read", async () => {
    const { code, valueOf } = notebook({
      bad: "nowhere.at.all",
      behind: "bad + 1",
      left: "right",
      right: "left",
      broken: "1 +",
    });
    await code.run(["behind", "left", "broken"]);
    expect(valueOf("bad")).toMatch(/nowhere/);
    expect(valueOf("behind")).toBe("bad, which it reads, has failed");
    expect(valueOf("left")).toBe("left reads right reads left: a circle of cells cannot run");
    expect(valueOf("broken")).toMatch(/Unexpected/);
  });

  it("stop: what runs ends, what waits does not begin, and both can run again", async () => {
    const { code, states, holdRuns, valueOf, runs } = notebook({ a: "1", b: "a + 1" });
    const free = holdRuns();
    const run = code.run(["b"]);
    await expect.poll(() => states()).toEqual({ a: "running", b: "waiting" });
    code.stop();
    await run;
    expect(valueOf("a")).toBe("the cell was stopped");
    expect(states()["b"]).toBe("new");
    expect(runs).toEqual([]);
    free();
    await code.run(["b"]);
    expect(valueOf("b")).toBe(2);
  });

  it("say so when the numbers that they read do not come, and run when these do", async () => {
    const { code, input, states, valueOf } = notebook({ a: "first + 1" });
    const { read } = input;
    input.read = () => Promise.reject(new Error("episodes.bin: 404"));
    await code.run(["a"]);
    expect(valueOf("a")).toBe("episodes.bin: 404");
    expect(states()).toEqual({ a: "fresh" });
    input.read = () => {
      code.stop();
      return Promise.reject(new Error("aborted"));
    };
    await code.run(["a"]);
    expect(valueOf("a")).toBe("the cell was stopped");
    expect(states()).toEqual({ a: "late" });
    input.read = read;
    await code.run(["a"]);
    expect(valueOf("a")).toBe(11);
  });

  it("that are deleted are forgotten; what read them says so", async () => {
    const { code, cells, states, valueOf } = notebook({ a: "1", b: "a + 1" });
    await code.run(["b"]);
    delete cells["a"];
    await code.refresh(false);
    expect(states()).toEqual({ b: "late" });
    await code.run(["b"]);
    expect(valueOf("b")).toMatch(/a is not defined/);
  });
});
