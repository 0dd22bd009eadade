import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { words } from "../../src/interchange/import/words.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import {
  readInWorker,
  type FromImporter,
  type ImportListener,
} from "../../src/store/importFiles.ts";
import {
  closeImport,
  dismissImport,
  dismissSeveral,
  importFiles,
  importStore,
  onOpening,
  showImport,
  showOpening,
} from "../../src/store/imports.ts";
import { keepRaw, RawRun } from "../../src/reading/log/rawRun.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { openLinkOf } from "../../src/store/links.ts";
import { keepRun, MAX_KEPT, runShelf, runsOf } from "../../src/store/runs.ts";
import { editField } from "../../src/store/specDraft.ts";
import { createSession } from "../../src/store/session.ts";
import type { FromWorker, ToWorker } from "../../src/runtime/protocol.ts";
import { eventsMessage, syntheticRecording, syntheticRun } from "../fixtures/syntheticRun.ts";
import { shortRun } from "../fixtures/shortRun.ts";

const FACTS = { title: "verl", command: "", absent: [], notes: [], warnings: [] };
const FILES = [new File(["x"], "1.jsonl"), new File(["x"], "2.jsonl")];

function setUp() {
  const store = createExperimentStore(presetSpec("nano"));
  const sent: ToWorker[] = [];
  let say: (message: FromWorker) => void = () => {};
  const connect = (listener: typeof say) => {
    say = listener;
    return { send: (message: ToWorker) => void sent.push(message), close: () => {} };
  };
  const experiment = { id: "a", store, session: createSession(store, { connect }) };
  const recorded = new RunLog();
  experiment.session.showRecording(recorded);
  let listener: ImportListener | null = null;
  let ended = 0;
  const start = (_files: readonly File[], given: ImportListener) => {
    listener = given;
    return () => void ended++;
  };
  return {
    ...{ experiment, store, sent, recorded },
    say: (message: FromWorker) => say(message),
    choose: (files = FILES) => importFiles(experiment, files, start),
    reader: () => listener!,
    ended: () => ended,
    shown: () => store.getState().view,
  };
}

const importing = () => importStore.getState().importing;

beforeEach(() => {
  importStore.setState({ importing: { state: "idle" }, several: null, imported: null });
  runShelf.setState({ runs: [] });
});

describe("importing", () => {
  it("shows a run once it has been read, from its newest iteration", () => {
    const { choose, reader, shown, store, recorded } = setUp();
    store.setState(({ choice }) => ({ choice: { ...choice, iteration: 3, turn: 2 } }));
    choose();
    expect(importing()).toEqual({ state: "reading", name: "1.jsonl and 1 more" });
    expect(shown().log).toBe(recorded);
    const log = new RunLog();
    reader().onRead(log, FACTS, null);
    expect(shown()).toMatchObject({ log, origin: "imported" });
    expect(store.getState().choice).toMatchObject({ iteration: null, turn: 0 });
    expect(importing()).toEqual({ state: "idle" });
  });

  it("leaves everything as it was when a file is refused", () => {
    const { choose, reader, shown, store, recorded } = setUp();
    const { choice } = store.getState();
    choose();
    reader().onRefused({ why: "No.", action: "Another." }, null);
    expect(importing()).toMatchObject({ state: "refused", why: "No.", action: "Another." });
    expect(shown().log).toBe(recorded);
    expect(store.getState().choice).toBe(choice);
  });

  it("tells what the check finds beside the run that it is of, and of no other", () => {
    const { choose, reader } = setUp();
    choose();
    const [first, log] = [new RunLog(), new RunLog()];
    const earlier = reader();
    earlier.onRead(first, FACTS, null);
    choose();
    reader().onRead(log, { ...FACTS, warnings: ["One."] }, null);
    const imported = () => importStore.getState().imported!;
    expect(imported().checked).toBe(false);
    earlier.onChecked(first, { warnings: ["Of another."], integrity: null });
    expect(imported().checked).toBe(false);
    const integrity = { state: "altered", line: 3, why: "it is not an event" } as const;
    reader().onChecked(log, { warnings: ["Two."], integrity });
    expect(imported()).toMatchObject({
      checked: true,
      integrity,
      facts: { warnings: ["One.", "Two."] },
    });
  });

  it("puts a saved run's settings into the form, but never over somebody's changes", () => {
    const { choose, reader, store } = setUp();
    const spec = { ...presetSpec("nano"), seed: 77 };
    const show = () => {
      choose();
      const log = new RunLog();
      keepRaw(log, new RawRun(spec, true));
      reader().onRead(log, FACTS, null);
      return store.getState().draft.spec.seed;
    };
    expect(show()).toBe(77);
    store.setState(({ draft }) => ({ draft: editField(draft, "seed", "5") }));
    expect(show()).toBe(5);
  });

  it("goes back to what was there before when the file is closed", () => {
    const { choose, reader, shown, experiment, recorded } = setUp();
    choose();
    reader().onRead(new RunLog(), FACTS, null);
    closeImport(experiment);
    expect(shown()).toEqual(viewOf(recorded, "recorded"));
    expect(importStore.getState().imported).toBeNull();
  });

  it("ends what it was reading when told, or when another file comes", () => {
    const { choose, ended } = setUp();
    choose();
    const before = ended();
    dismissImport();
    expect(ended()).toBe(before + 1);
    choose();
    choose();
    expect(ended()).toBe(before + 3);
  });

  it("refuses what is too large to be held, by its first bytes", async () => {
    vi.stubGlobal("self", new EventTarget());
    const { readFiles } = await import("../../src/store/importWorker.ts");
    const why = async (path: string, head: string) => {
      const file = { size: 200_000_000, slice: () => new Blob([head]) } as unknown as File;
      const said: FromImporter[] = [];
      await readFiles({ files: [{ path, file }], choices: {} }, (message) =>
        said.push(message as FromImporter),
      );
      return said.map((message) => (message.type === "refused" ? message.why : message.type));
    };
    expect(await why("huge.jsonl", '{"type":"start"')).toEqual([
      "Its size is 200 MB; the limit is 160 MB.",
      "end",
    ]);
    expect(await why("huge.parquet", "PAR1")).toEqual([
      "Zip, Parquet and pickle files are read whole: 200 MB here; the limit is 160 MB.",
      "end",
    ]);
  });
});

describe("importing a recording of our own that is compressed", () => {
  const LOG = syntheticRecording(shortRun());

  async function sent(bytes: Uint8Array): Promise<FromImporter[]> {
    vi.stubGlobal("self", new EventTarget());
    const { readFiles } = await import("../../src/store/importWorker.ts");
    const said: FromImporter[] = [];
    const file = new File([Uint8Array.from(bytes)], "run.jsonl.gz");
    await readFiles({ files: [{ path: file.name, file }], choices: {} }, (message) =>
      said.push(message as FromImporter),
    );
    return said;
  }

  it("opens it just over what is held of other programs' files", async () => {
    const blank = Buffer.alloc(8_000_000, " ");
    const lines = Array.from({ length: 4 }, () => [blank, Buffer.from("\n")]).flat();
    // Stored, so that it is as large as its text.
    const packed = gzipSync(Buffer.concat([Buffer.from(LOG), ...lines]), { level: 0 });
    expect(packed.length).toBeGreaterThan(32_000_000);
    const said = await sent(packed);
    expect(said.map(({ type }) => type)).toEqual(["begin", "events", "done", "checked", "end"]);
    const done = said.find(({ type }) => type === "done");
    expect(done).toMatchObject({ facts: { title: "Turnbook", warnings: [] } });
  });

  it("says its size where it is larger unpacked than what is read", async () => {
    const large = Buffer.alloc(161_000_000, " ");
    Buffer.from(LOG).copy(large);
    randomBytes(1_000_000).copy(large, LOG.length + 1_000_000);
    const [refused] = await sent(gzipSync(large, { level: 1 }));
    const [why, action] = words.refused.largeUnpacked(160);
    expect(refused).toMatchObject({ type: "refused", why, action });
  });
});

describe("importing several recordings", () => {
  const several = () => importStore.getState().several;

  it("shows the first, keeps all for which there is room, and says what is left out", () => {
    const { choose, reader, shown, store } = setUp();
    for (let i = 2; i < MAX_KEPT; i++) keepRun(new RunLog(), "before");
    choose();
    const logs = [new RunLog(), new RunLog(), new RunLog()];
    logs.forEach((log, i) => reader().onRead(log, FACTS, `${i}.jsonl`));
    reader().onRefused({ why: "Broken.", action: "" }, "3.jsonl");
    expect(shown()).toMatchObject({ log: logs[0], origin: "imported" });
    expect(importStore.getState().imported!.name).toBe("0.jsonl");
    expect(runsOf(shown(), null, runShelf.getState()).map(({ label }) => label)).toEqual([
      ...["0.jsonl", ...Array<string>(MAX_KEPT - 2).fill("before"), "1.jsonl"],
    ]);
    expect(several()).toEqual({
      kept: ["0.jsonl", "1.jsonl"],
      left: [
        { name: "2.jsonl", why: null },
        { name: "3.jsonl", why: "Broken." },
      ],
    });
    expect(importing().state).toBe("idle");
    expect(openLinkOf({ ...store.getState(), screen: "lens" })).not.toContain("at=");
    dismissSeveral();
    expect(several()).toBeNull();
  });

  it("says of the first that it is refused, and shows the next", () => {
    const { choose, reader, shown } = setUp();
    choose();
    reader().onRefused({ why: "Broken.", action: "" }, "1.jsonl");
    expect(importing()).toMatchObject({ state: "refused", name: "1.jsonl" });
    const log = new RunLog();
    reader().onRead(log, FACTS, "2.jsonl");
    expect(shown().log).toBe(log);
    expect(importing().state).toBe("idle");
    expect(several()).toEqual({ kept: ["2.jsonl"], left: [{ name: "1.jsonl", why: "Broken." }] });
  });

  it("reads on when the first one's refusal has been read, and shows the next", () => {
    const { choose, reader, shown, ended } = setUp();
    choose();
    const before = ended();
    reader().onRefused({ why: "Broken.", action: "" }, "1.jsonl");
    dismissImport();
    expect(importing().state).toBe("idle");
    expect(ended()).toBe(before);
    const log = new RunLog();
    reader().onRead(log, FACTS, "2.jsonl");
    expect(shown().log).toBe(log);
  });
});

describe("what the reader of files says", () => {
  const bytes = new Uint8Array();
  const done: FromImporter = { type: "done", bytes, facts: FACTS };
  const refused: FromImporter = { type: "refused", why: "Broken.", action: "" };

  /** A worker that says what it is told to; and what the page is told. */
  function open() {
    const worker = Object.assign(new EventTarget(), { postMessage() {}, terminate: vi.fn() });
    // One that is called with "new" has to be a function of the old kind.
    vi.stubGlobal("Worker", function () {
      return worker;
    });
    const told: unknown[][] = [];
    const stop = readInWorker(FILES, {
      onRead: (_log, _facts, name) => told.push(["read", name]),
      onChecked: (_log, { warnings }) => told.push(["checked", ...warnings]),
      onRefused: ({ why }, name) => told.push(["refused", name, why]),
    });
    const say = (...messages: FromImporter[]) => {
      for (const data of messages) worker.dispatchEvent(new MessageEvent("message", { data }));
    };
    const crash = () =>
      worker.dispatchEvent(Object.assign(new Event("error"), { message: "Too large" }));
    return { told, stop, say, crash, ended: () => worker.terminate.mock.calls.length > 0 };
  }

  afterEach(() => void vi.unstubAllGlobals());

  it("is not a refusal once a run is shown: its check has failed", () => {
    const { told, say } = open();
    say({ type: "begin", name: null }, done, refused);
    expect(told).toEqual([
      ["read", null],
      ["checked", words.unchecked("Broken.")],
    ]);
  });

  it("names all that have not begun when reading breaks off", () => {
    const { told, say, crash, ended } = open();
    say({ type: "several", names: ["1", "2", "3", "4"] });
    say({ type: "begin", name: "1" }, done, { type: "checked", warnings: [], integrity: null });
    say({ type: "begin", name: "2" });
    crash();
    const [notBegun] = words.refused.notBegun;
    expect(told.slice(2)).toEqual([
      ["refused", "2", words.refused.failed("Too large")[0]],
      ["refused", "3", notBegun],
      ["refused", "4", notBegun],
    ]);
    expect(ended()).toBe(true);
  });

  it("ends with the next run when told to stop after one has been checked", () => {
    const { told, say, stop, ended } = open();
    say({ type: "several", names: ["1", "2"] }, { type: "begin", name: "1" }, done);
    say({ type: "checked", warnings: [], integrity: null });
    stop();
    expect(ended()).toBe(false);
    say({ type: "begin", name: "2" });
    expect(ended()).toBe(true);
    expect(told).toEqual([["read", "1"], ["checked"]]);
  });
});

describe("importing another program's run over a notebook", () => {
  const TELLING = { ...FACTS, telling: null };

  it("shows it once there is room, with what was read and checked meanwhile", () => {
    const { choose, reader, shown, recorded, experiment } = setUp();
    let asked = 0;
    const stopped = onOpening(() => void asked++);
    choose();
    const log = new RunLog();
    reader().onRead(log, TELLING, null);
    expect([asked, importing().state]).toEqual([1, "opening"]);
    expect(shown().log).toBe(recorded);
    const grown = new RunLog();
    reader().onRead(grown, { ...TELLING, title: "grown" }, null);
    reader().onChecked(grown, { warnings: ["Found."], integrity: null });
    expect(showOpening(experiment)).toBe(true);
    expect(shown()).toMatchObject({ log: grown, origin: "imported" });
    const { imported } = importStore.getState();
    expect(imported).toMatchObject({
      checked: true,
      facts: { title: "grown", warnings: ["Found."] },
    });
    expect(showOpening(experiment)).toBe(false);
    stopped();
  });

  it("does not show it after other files were chosen", () => {
    const { choose, reader, shown, recorded, experiment } = setUp();
    const stopped = onOpening(() => {});
    choose();
    reader().onRead(new RunLog(), TELLING, null);
    choose();
    expect(showOpening(experiment)).toBe(false);
    expect(shown().log).toBe(recorded);
    expect(importing().state).toBe("reading");
    stopped();
  });

  it("shows a recording of our own at once", () => {
    const { choose, reader, shown } = setUp();
    const stopped = onOpening(() => {});
    choose();
    const log = new RunLog();
    reader().onRead(log, FACTS, null);
    expect(shown().log).toBe(log);
    stopped();
  });
});

describe("importing beside a live run", () => {
  const live = () => {
    const set = setUp();
    set.experiment.session.toggleRun();
    set.say({ type: "state", state: "running" });
    set.say(eventsMessage(syntheticRun(shortRun())));
    return set;
  };

  it("asks, and keeps the run unless told otherwise", async () => {
    const { choose, reader, shown, sent } = live();
    await expect.poll(() => shown().origin).toBe("live");
    choose();
    reader().onRead(new RunLog(), FACTS, null);
    expect(importing().state).toBe("asking");
    dismissImport();
    expect(shown().origin).toBe("live");
    expect(sent.map(({ type }) => type)).not.toContain("stop");
  });

  it("asks once of several, reads on, and names the first if there was no room for it", async () => {
    const { choose, reader, shown, ended } = live();
    await expect.poll(() => shown().origin).toBe("live");
    for (let i = 0; i < MAX_KEPT; i++) keepRun(new RunLog(), "before");
    choose();
    const before = ended();
    const left = () => importStore.getState().several?.left;
    reader().onRead(new RunLog(), FACTS, "1.jsonl");
    expect(importing().state).toBe("asking");
    expect(left()).toBeUndefined();
    dismissImport();
    expect(left()).toEqual([{ name: "1.jsonl", why: null }]);
    expect(ended()).toBe(before);
    reader().onRead(new RunLog(), FACTS, "2.jsonl");
    expect(importing().state).toBe("idle");
    expect(left()!.map(({ name }) => name)).toEqual(["1.jsonl", "2.jsonl"]);
  });

  it("is told of the check also while it asks", async () => {
    const { choose, reader, shown } = live();
    await expect.poll(() => shown().origin).toBe("live");
    choose();
    const log = new RunLog();
    reader().onRead(log, FACTS, null);
    reader().onChecked(log, { warnings: ["Found."], integrity: null });
    expect(importing()).toMatchObject({ run: { checked: true, facts: { warnings: ["Found."] } } });
  });

  it("drops the run for the file when told to", async () => {
    const { choose, reader, shown, sent, say, experiment } = live();
    await expect.poll(() => shown().origin).toBe("live");
    choose();
    const log = new RunLog();
    reader().onRead(log, FACTS, null);
    const asked = importing();
    if (asked.state !== "asking") throw new Error("It should have asked.");
    showImport(experiment, asked.run);
    expect(sent.at(-1)).toEqual({ type: "stop" });
    say({ type: "state", state: "idle" });
    expect(shown()).toMatchObject({ log, origin: "imported" });
  });

  it("shows the file again after a run that came later is reset", () => {
    const { choose, reader, shown, experiment, say } = setUp();
    choose();
    const log = new RunLog();
    reader().onRead(log, FACTS, null);
    experiment.session.toggleRun();
    expect(shown().log).toBe(log);
    experiment.session.reset();
    say({ type: "state", state: "idle" });
    expect(shown()).toMatchObject({ log, origin: "imported" });
  });
});
