import { describe, expect, it } from "vitest";
import { syncHash, type PageWindow } from "../../src/app/hashSync.ts";
import { createMachineSession } from "../../src/app/machineState.ts";
import { MACHINE_HASH, routeOf } from "../../src/app/route.ts";
import { capacityWords } from "../../src/panels/machine/capacity.ts";
import { timesOf, verdictOf } from "../../src/panels/machine/verdict.ts";
import { machineText } from "../../src/panels/machine/machineText.ts";
import {
  bytesWords,
  deviationWords,
  rateWords,
  secondsWords,
  worstWords,
} from "../../src/panels/machine/words.ts";
import type { Connect } from "../../src/runtime/client.ts";
import type { FromWorker, ToWorker } from "../../src/runtime/protocol.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { isExperimentHash } from "../../src/store/links.ts";
import { editField } from "../../src/store/specDraft.ts";
import { examined, measured } from "../fixtures/machineReport.ts";
import { shortRun } from "../fixtures/shortRun.ts";

/** A window with only its address; `tell` says that the address has changed. */
function fakePage(hash: string) {
  const listeners: (() => void)[] = [];
  const written: string[] = [];
  const location = { hash };
  const page = {
    location,
    history: {
      state: null,
      replaceState: (_: unknown, __: string, to: string) => written.push(to),
    },
    addEventListener: (_: string, listener: () => void) => listeners.push(listener),
    removeEventListener: () => undefined,
  } as unknown as PageWindow;
  return { page, location, written, tell: () => listeners.forEach((listener) => listener()) };
}

describe("the address", () => {
  it("of the machine page is not an experiment", () => {
    expect(routeOf(MACHINE_HASH)).toBe("machine");
    expect(isExperimentHash(MACHINE_HASH)).toBe(false);
    for (const hash of ["", "#", "#v1/nano", "#notebook"]) expect(routeOf(hash)).toBe("notebook");
  });

  it("stays the machine page's while the form changes", async () => {
    const { page, location, written, tell } = fakePage(MACHINE_HASH);
    const store = createExperimentStore(shortRun());
    const stop = syncHash(store, page);
    store.setState(({ draft }) => ({ draft: editField(draft, "seed", "41") }));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(written).toEqual([]);
    location.hash = "#v1/nano";
    store.setState(({ draft }) => ({ draft: editField(draft, "seed", "42") }));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(written).toHaveLength(1);
    // Coming back to the form's own link asks nothing, although there are edits.
    location.hash = written[0]!;
    tell();
    expect(store.getState().waitingLink).toBeNull();
    location.hash = "#v1/nano?seed=7";
    tell();
    expect(store.getState().waitingLink).not.toBeNull();
    stop();
  });

  it("that names no experiment leaves the lens: it is not written back", async () => {
    const { page, location, written, tell } = fakePage("#v1/nano?view=lens");
    const store = createExperimentStore(shortRun());
    const stop = syncHash(store, page);
    expect(store.getState().screen).toBe("lens");
    location.hash = "";
    tell();
    expect(store.getState().screen).toBe("notebook");
    store.setState(({ draft }) => ({ draft: editField(draft, "seed", "41") }));
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(written.map(routeOf)).toEqual(["notebook"]);
    stop();
  });
});

/** A worker that answers when it is told to. */
function fakeWorker() {
  const sent: ToWorker[] = [];
  let closed = 0;
  let hear: (message: FromWorker) => void = () => undefined;
  const connect: Connect = (listener) => {
    hear = listener;
    return { send: (message) => void sent.push(message), close: () => void closed++ };
  };
  return { connect, sent, closed: () => closed, say: (message: FromWorker) => hear(message) };
}

describe("the machine page's worker", () => {
  it("looks once, and again only when asked", () => {
    const { connect, sent, say } = fakeWorker();
    const session = createMachineSession(connect);
    session.open();
    session.measure(5); // it is still looking
    expect(sent).toEqual([{ type: "examine", again: false }]);
    say({ type: "machine", report: { ...examined(), state: "examining", doing: "Checking" } });
    expect(session.store.getState().working).toBe(true);
    say({ type: "machine", report: examined() });
    expect(session.store.getState()).toMatchObject({ working: false, problem: null });
    session.close();
    session.open();
    expect(sent).toHaveLength(1);
    session.again();
    expect(sent[1]).toEqual({ type: "examine", again: true });
  });

  it("is ended when the page is left in the middle, and starts again afterwards", () => {
    const { connect, sent, say, closed } = fakeWorker();
    const session = createMachineSession(connect);
    session.open();
    say({ type: "machine", report: { ...examined(), state: "measuring", doing: "Measuring" } });
    session.close();
    expect(closed()).toBe(1);
    expect(session.store.getState().working).toBe(false);
    session.open();
    expect(sent).toHaveLength(2);
  });

  it("makes way for another where another graphics card is to be asked for", () => {
    const { connect, sent, say, closed } = fakeWorker();
    const session = createMachineSession(connect);
    session.open();
    say({ type: "machine", report: examined() });
    session.anew();
    expect(closed()).toBe(1);
    expect(sent[1]).toEqual({ type: "examine", again: false });
  });

  it("that fails leaves a problem with its way out", () => {
    const { connect, say, closed } = fakeWorker();
    const session = createMachineSession(connect);
    session.open();
    say({ type: "error", kind: "environment", message: "Lost.", action: "Reload." });
    expect(session.store.getState().problem).toMatchObject({ action: "Reload." });
    expect(session.store.getState().working).toBe(false);
    expect(closed()).toBe(1);
  });
});

describe("the report in words", () => {
  it("rounds honestly", () => {
    expect([0, 1, Infinity, 4.47e-7].map(deviationWords)).toEqual([
      "0",
      "1",
      "not finite",
      "4.5e−7",
    ]);
    expect([999, 1000, 12_345_678, 4.2e9].map(bytesWords)).toEqual(
      ["999 B", "1.0 kB", "12 MB", "4.2 GB"].map((text) => text.replace(" ", "\u00a0")),
    );
    expect([7, 94, 12_340, 1_260_000].map(rateWords)).toEqual([
      ...["7/s", "94/s", "12,000/s", "1,300,000/s"],
    ]);
    expect(secondsWords(1.66)).toBe("1.7\u00a0s");
    expect(secondsWords(75)).toBe("1 min 15 s");
  });

  it("compares with what is allowed", () => {
    const [refused, good] = examined().engines.map(({ check }) => check!);
    expect(worstWords(refused!)).toBe("above tolerance");
    expect(worstWords(good!)).toBe("under 1\u00a0% of tolerance");
    const half = { ...good!, items: good!.items.map((item) => ({ ...item, deviation: 2e-4 })) };
    const tokensSame = half.items.map((item) =>
      item.name.endsWith("tokens") ? { ...item, deviation: 0 } : item,
    );
    expect(worstWords({ ...half, items: tokensSame })).toBe("40\u00a0% of tolerance");
    expect(worstWords(half)).toBe("above tolerance");
  });

  it("is one text for a bug report", () => {
    const text = machineText(measured());
    expect(text).toContain("adapter: acme x1\nfeatures: subgroups\n");
    expect(text).toContain("WebAssembly, nano: step of 2068 tokens 41 ms (50,000/s)");
    expect(text).toContain("nano: at most 1.7 s per iteration and method (640 × 6 ÷ 12,000/s");
    expect(text).not.toContain("\u00a0");
    expect(text).not.toContain("undefined");
  });

  it("says what limits a model's size", () => {
    expect(capacityWords(examined())).toContain("268 million parameters");
    const webgpu = { ...examined(), choice: { ...WEBGPU, fallback: null } };
    expect(capacityWords(webgpu)).toContain("an engine takes 4.3\u00a0GB at most");
    expect(capacityWords(webgpu)).toContain("One array can hold 2.1\u00a0GB");
    expect(capacityWords({ ...examined(), choice: null })).toBeNull();
  });
});

const WEBGPU = { name: "webgpu", backend: "webgpu" } as const;

describe("the machine in one line", () => {
  const wasm = { name: "wasm", backend: "wasm", fallback: null } as const;
  const report = examined();

  it("says whether there is a GPU, and what runs compute with", () => {
    const gpu = report.gpu!;
    expect(verdictOf({ ...report, gpu: { ...gpu, adapter: null }, choice: wasm })).toBe(
      "No GPU found; running on WebAssembly.",
    );
    expect(verdictOf({ ...report, gpu: { ...gpu, software: true }, choice: wasm })).toBe(
      "No GPU found; running on WebAssembly.",
    );
    expect(verdictOf({ ...report, choice: wasm })).toMatch(/incorrectly; running on WebAssembly/);
    const right = report.engines.map((one) => ({ ...one, state: "absent" as const }));
    expect(verdictOf({ ...report, engines: right, choice: wasm })).toMatch(/could not be used/);
    const webgpu = { name: "webgpu", backend: "webgpu", fallback: null } as const;
    expect(verdictOf({ ...report, choice: webgpu })).toContain("acme x1");
    expect(verdictOf({ ...report, choice: null, state: "examining" })).toBeNull();
  });

  it("says how long runs take only once that is measured", () => {
    expect(timesOf(report)).toBeNull();
    expect(timesOf(measured())).toMatch(/“Sokoban, small” up to \d/);
  });
});
