import { describe, expect, it } from "vitest";
import { manifests } from "../../src/panels/manifests.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { START_VIEW } from "../../src/store/curvesView.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { compareFingerprint, traceOf } from "../../src/reading/fingerprint.ts";
import { startLens, withPanel } from "../../src/store/lens.ts";
import {
  comparison,
  dismissLink,
  isExperimentHash,
  linkOf,
  openLinkOf,
  openLink,
  receiveLink,
} from "../../src/store/links.ts";
import { noRun, RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { editField, openDraft } from "../../src/store/specDraft.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

const nano = presetSpec("nano");
const spec = { ...nano, optimisation: { ...nano.optimisation, iterations: 5 } };
const events = syntheticRun(spec);

function logOf(count: number, run = events): RunLog {
  const log = new RunLog();
  for (const event of run.slice(0, count)) log.append(event);
  return log;
}

const full = logOf(events.length);
const expected = { fingerprint: full.lastChain, trace: traceOf(full) };

describe("a link that arrives", () => {
  it("opens at once when there is nothing to lose", () => {
    const store = createExperimentStore(nano, [], manifests);
    receiveLink(store, "#v1/nano?seed=8");
    expect(store.getState().draft.spec.seed).toBe(8);
    expect(store.getState().waitingLink).toBeNull();
  });

  it.each(["edits", "run"])("waits when there are: %s", (what) => {
    const store = createExperimentStore(nano, [], manifests);
    if (what === "edits") store.setState({ draft: editField(store.getState().draft, "seed", "3") });
    else store.setState({ state: "paused" });
    const before = store.getState().draft;
    receiveLink(store, "#v1/nano?seed=8");
    expect(store.getState().draft).toBe(before);
    const link = store.getState().waitingLink!;
    dismissLink(store);
    expect(store.getState().waitingLink).toBeNull();
    openLink(store, link);
    expect(store.getState().draft.spec.seed).toBe(8);
  });

  it("leaves cursor, panels and curves alone until it is decided on", () => {
    const store = createExperimentStore(nano, [], manifests);
    store.setState({ draft: editField(store.getState().draft, "seed", "3") });
    const lens = withPanel(startLens(manifests), "clip", true);
    const choice = { ...LATEST, episode: 2 };
    store.setState({ lens, choice, curves: { ...START_VIEW, log: true } });
    const link = "#v1/nano?seed=8&view=lens&at=grpo,4,1,2&open=critic&curves:axis=tokens";
    const { curves } = store.getState();
    receiveLink(store, link);
    expect(store.getState()).toMatchObject({ lens, choice, curves, screen: "lens" });
    dismissLink(store);
    expect(store.getState()).toMatchObject({ lens, choice, curves });
    receiveLink(store, link);
    openLink(store, store.getState().waitingLink!);
    expect(store.getState()).toMatchObject({
      lens: { asked: "critic", panels: {} },
      choice: { algorithm: "grpo", iteration: 4, turn: 1 },
      curves: { axis: "tokens", log: false },
    });
    expect(store.getState().lens.panels).not.toHaveProperty("clip");
  });

  it("does nothing when it says what is there already", () => {
    const store = createExperimentStore(nano, [], manifests);
    store.setState({ draft: editField(store.getState().draft, "seed", "3") });
    receiveLink(store, "#v1/nano?seed=3");
    expect(store.getState().waitingLink).toBeNull();
  });

  it("is told from places in the page", () => {
    expect(isExperimentHash("#v1/nano")).toBe(true);
    expect(isExperimentHash("#v9/nano")).toBe(true);
    expect(isExperimentHash("#notebook")).toBe(false);
    expect(isExperimentHash("#")).toBe(false);
    for (const damaged of ["#v1", "#V1/nano", "#{}", "#%00", "#v1nano", "#/nano?seed=1"])
      expect(isExperimentHash(damaged)).toBe(true);
  });
});

describe("the link of a run", () => {
  it("carries the fingerprint of a finished run, and only of the very same experiment", () => {
    const store = createExperimentStore(spec);
    store.setState({ runSpec: spec, view: viewOf(full, "live"), fingerprint: full.lastChain });
    expect(decodeLink(linkOf(store.getState()))).toMatchObject(expected);
    store.setState({ draft: editField(store.getState().draft, "seed", "3") });
    expect(decodeLink(linkOf(store.getState())).fingerprint).toBeNull();
  });

  it("names the place in full, whichever is the newest where it is opened", () => {
    const store = createExperimentStore(nano, [], manifests);
    store.setState({ view: viewOf(full, "recorded"), screen: "lens" });
    const { algorithm, iteration } = resolveChoice(full, LATEST);
    expect(iteration).toBeGreaterThan(0);
    expect(decodeLink(linkOf(store.getState())).at).toBe(`${algorithm},${iteration},1,1`);
    // The address goes on following.
    expect(decodeLink(openLinkOf(store.getState())).at).toBeNull();
  });

  it("keeps what an opened link promised while the experiment is the same", () => {
    const store = createExperimentStore(nano, [], manifests);
    receiveLink(store, encodeLink(spec, expected));
    expect(decodeLink(linkOf(store.getState()))).toMatchObject(expected);
  });
});

describe("comparing a run with its link", () => {
  it("waits, then says reproduced", () => {
    expect(compareFingerprint(logOf(1), expected)).toEqual({ state: "waiting", upTo: 0 });
    const twoIterations = events.findIndex(
      (event) => event.type === "iteration" && event.iteration === 3,
    );
    expect(compareFingerprint(logOf(twoIterations), expected)).toEqual({
      state: "waiting",
      upTo: 2,
    });
    expect(compareFingerprint(full, expected)).toEqual({ state: "reproduced" });
  });

  it("names the first iteration that differs, while the run goes on", () => {
    const other = structuredClone(events);
    for (const event of other.slice(-8))
      event.chain = `${event.chain[0] === "f" ? "0" : "f"}${event.chain.slice(1)}`;
    const result = compareFingerprint(logOf(other.length, other), expected);
    const firstChanged = other.slice(-8).find((event) => event.type === "iteration")!;
    const at = firstChanged.type === "iteration" ? firstChanged.iteration : 0;
    expect(result.state).toBe("diverged");
    expect(result).toEqual({ state: "diverged", iteration: at });
  });

  it("tells a different end without a trace", () => {
    expect(compareFingerprint(full, { fingerprint: "00" + full.lastChain.slice(2) })).toEqual({
      state: "diverged",
      iteration: null,
    });
  });

  it("promises nothing where nothing was promised, or another experiment was run", () => {
    expect(compareFingerprint(full, null)).toEqual({ state: "not-compared" });
    const view = viewOf(full, "live");
    const draft = openDraft(spec);
    const other = { ...expected, spec: nano };
    expect(comparison({ view, runSpec: spec, expected: other, draft })).toEqual({
      state: "not-compared",
    });
  });

  it("says before the run that it will be compared", () => {
    const promise = { ...expected, spec };
    const before = { view: noRun(), runSpec: null, expected: promise };
    expect(comparison({ ...before, draft: openDraft(spec) })).toEqual({
      state: "waiting",
      upTo: 0,
    });
    expect(comparison({ ...before, draft: openDraft(nano) })).toEqual({ state: "not-compared" });
  });

  it("does not compare, and does not promise, what the engine cannot give twice", () => {
    const again = syntheticRun(spec);
    const [start] = again;
    if (start?.type === "start") start.engine.reproducible = "no";
    const log = logOf(again.length, again);
    const view = viewOf(log, "live");
    const draft = openDraft(spec);
    expect(comparison({ view, runSpec: spec, expected: { ...expected, spec }, draft })).toEqual({
      state: "incomparable",
    });
    const store = createExperimentStore(spec);
    store.setState({ runSpec: spec, view, fingerprint: log.lastChain });
    expect(decodeLink(linkOf(store.getState())).fingerprint).toBeNull();
  });
});
