/** Code from elsewhere: whatever would run it asks first, once for each text, and a no leaves the page as it was. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { MANIFEST } from "../../src/interchange/columnar/manifest.ts";
import { onEstimate, shownCode } from "../../src/reading/credit/estimates.ts";
import { readColumnar } from "../../src/reading/log/columnar.ts";
import { RawRun, keepRaw } from "../../src/reading/log/rawRun.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import type { FromWorker, ToWorker } from "../../src/runtime/protocol.ts";
import type { Question } from "../../src/runtime/questions.ts";
import type { KeptRun } from "../../src/runtime/shelf/keptRuns.ts";
import type { Definition } from "../../src/spec/definitions.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { createBookStore, editBook } from "../../src/store/bookStore.ts";
import { writeCell } from "../../src/notebook/edit.ts";
import {
  allowCode,
  askForBook,
  askForCode,
  codeConsent,
  countBook,
  forgetConsent,
  mayRun,
} from "../../src/store/codeConsent.ts";
import { startEstimates } from "../../src/store/estimates.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";

import { createSession } from "../../src/store/session.ts";

const theirs: Definition = { kind: "reward", name: "theirs", source: "export const reward = 1" };
const other: Definition = { kind: "estimator", name: "other", source: "export const x = 2" };
const spec: ExperimentSpec = { ...presetSpec("nano"), definitions: [theirs] };

beforeEach(forgetConsent);

const asked = () => codeConsent.getState().asked;
const answer = async (yes: boolean) => {
  await expect.poll(asked).not.toBeNull();
  const pieces = asked()!.pieces;
  asked()!.answer(yes);
  await Promise.resolve();
  return pieces;
};

/** The worker remembers what it was sent. */
function setUp(of: ExperimentSpec = spec) {
  const sent: ToWorker[] = [];
  let say: (message: FromWorker) => void = () => {};
  const store = createExperimentStore(of);
  let refused = 0;
  const session = createSession(store, {
    connect: (listener) => {
      say = listener;
      return { send: (message) => void sent.push(message), close: () => {} };
    },
    onRefused: () => void refused++,
  });
  const types = () => sent.map(({ type }) => type);
  return { store, session, types, refused: () => refused, say: (m: FromWorker) => say(m) };
}

describe("a run whose code comes from elsewhere", () => {
  it.each(["toggleRun", "step", "load"] as const)("%s asks before it begins", async (how) => {
    const { store, session, types, refused } = setUp();
    session[how]();
    expect(await answer(false)).toEqual([{ title: "reward theirs", source: theirs.source }]);
    await expect.poll(() => store.getState().problem?.message).toMatch(/did not let it run/);
    expect(store.getState()).toMatchObject({ state: "idle", runSpec: null });
    expect(types()).toEqual([]);
    expect(refused()).toBe(1);
    session[how]();
    await answer(true);
    await expect.poll(types).toContain("start");
    expect(types().includes("step")).toBe(how === "step");
    expect(store.getState()).toMatchObject({ problem: null, runSpec: spec });
  });

  it("is asked for once, and begins no second time behind the question", async () => {
    const { session, types } = setUp();
    session.toggleRun();
    session.toggleRun();
    await answer(true);
    await expect.poll(types).toEqual(["pace", "start"]);
    expect(asked()).toBeNull();
    const again = setUp();
    again.session.toggleRun();
    expect(again.types()).toEqual(["pace", "start"]);
  });

  it("of another text is asked for again", async () => {
    allowCode([theirs]);
    const changed = { ...theirs, source: `${theirs.source}; ` };
    const { session, types } = setUp({ ...spec, definitions: [changed] });
    session.toggleRun();
    await answer(false);
    expect(types()).toEqual([]);
  });

  it("goes on from a file only then", async () => {
    const { store, session, types } = setUp(presetSpec("nano"));
    const log = new RunLog();
    const raw = new RawRun(spec);
    raw.checkpoint = { bytes: new Uint8Array(4), events: 0, iteration: 1 };
    keepRaw(log, raw);
    session.showImported(log);
    let begun = 0;
    session.continueRun(() => void begun++);
    await answer(false);
    await expect.poll(() => store.getState().problem).not.toBeNull();
    expect(types()).toEqual([]);
    expect(store.getState().view.log).toBe(log);
    session.continueRun(() => void begun++);
    expect(begun).toBe(0);
    await answer(true);
    await expect.poll(types).toEqual(["pace", "start"]);
    expect(begun).toBe(1);
  });

  it("that the browser kept is offered again after a no", async () => {
    const { store, session, types } = setUp();
    const kept = { id: "k", state: "running" } as KeptRun;
    let released = 0;
    const resumed = { kept, raw: new RawRun(spec), log: new RunLog(), stored: 0 };
    const run = { ...resumed, release: () => void released++ };
    session.resume(run);
    await answer(false);
    await expect.poll(() => store.getState().resumable).toBe(kept);
    expect(released).toBe(1);
    expect(types()).toEqual([]);
    session.resume(run);
    await answer(true);
    await expect.poll(types).toEqual(["pace", "start"]);
  });

  it("without code begins at once", () => {
    const { session, types } = setUp(presetSpec("nano"));
    session.toggleRun();
    expect(types()).toEqual(["pace", "start"]);
  });
});

it("models of a recording whose code waits are not asked", async () => {
  const folder = join(import.meta.dirname, "..", "..", "public", "runs", "nano");
  const manifest = readFileSync(join(folder, MANIFEST), "utf8");
  const { source, log } = await readColumnar(manifest, async (name) =>
    Uint8Array.from(readFileSync(join(folder, name))),
  );
  const { store, session, types } = setUp(presetSpec("nano"));
  session.showImported(log);
  expect(store.getState().view.log).toBe(log);
  vi.spyOn(source, "spec", "get").mockReturnValue(spec);
  const question = { kind: "truths", iteration: 1 } as unknown as Question;
  await expect(session.ask(question).answer).rejects.toThrow(/comes from elsewhere/);
  expect(types()).toEqual([]);
  allowCode([theirs]);
  void session.ask(question).answer.catch(() => {});
  expect(types()).toContain("attend");
});

const BOOK = "# A\n\n```code id=theirs defines=reward\nexport const reward = 1\n```\n";
const CELL = "\n```code id=sum\n1 + 1\n```\n";

describe("a notebook", () => {
  it("of one's own runs the text as it is written now", () => {
    const book = createBookStore(BOOK, { id: "own1" });
    const end = countBook(book);
    expect(mayRun([theirs])).toBe(true);
    expect(mayRun([other])).toBe(false);
    editBook(book, (draft) => writeCell(draft, 1, other.source));
    expect([mayRun([theirs]), mayRun([other])]).toEqual([false, true]);
    end();
    expect(mayRun([other])).toBe(false);
  });

  it("from elsewhere is asked for as a whole, by whichever of its code comes first", async () => {
    const book = createBookStore(BOOK + CELL, { isForeign: true });
    const end = countBook(book);
    expect(mayRun([theirs])).toBe(false);
    const first = askForCode([theirs]);
    const second = askForBook(book);
    const pieces = await answer(true);
    expect(pieces.map(({ title }) => title)).toEqual(["reward theirs", "cell sum"]);
    expect(pieces[1]!.source).toBe("1 + 1");
    expect(await Promise.all([first, second])).toEqual([true, true]);
    expect(book.getState().isForeign).toBe(false);
    end();
    expect(mayRun([theirs])).toBe(true);
  });

  it("stays foreign after a no", async () => {
    const book = createBookStore(BOOK, { isForeign: true });
    const end = countBook(book);
    const asking = askForBook(book);
    await answer(false);
    expect(await asking).toBe(false);
    expect(book.getState().isForeign).toBe(true);
    expect(mayRun([theirs])).toBe(false);
    end();
  });
});

it("an estimator of a log runs in no row before", () => {
  const ran: string[] = [];
  const stop = startEstimates(async ({ name }) => void ran.push(name));
  const row = () => shownCode(other)({ episodes: [], gamma: 1, lambda: 1, settings: {} });
  expect(row).toThrow(/comes from elsewhere/);
  let told = 0;
  const end = onEstimate(() => void told++);
  allowCode([other]);
  expect(told).toBe(1);
  expect(row).toThrow(/being computed/);
  expect(ran).toEqual(["other"]);
  end();
  stop();
});
