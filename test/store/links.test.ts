import { describe, expect, it } from "vitest";
import { manifests } from "../../src/panels/manifests.ts";
import { decodeLink, encodeLink, encodePlace } from "../../src/spec/link.ts";
import { curvesFromText } from "../../src/spec/linkCurves.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { START_VIEW } from "../../src/store/curvesView.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { compareFingerprint, traceOf } from "../../src/reading/fingerprint.ts";
import {
  curvesTextOf,
  logOfCurves,
  TOLERANCE,
  toleranceOf,
} from "../../src/reading/fingerprintCurves.ts";
import { startLens, withPanel } from "../../src/store/lens.ts";
import {
  comparison,
  dismissLink,
  isExperimentHash,
  linkOf,
  openLinkOf,
  openLink,
  promiseOf,
  receiveLink,
  whatDiffers,
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

describe("the address of a notebook's experiment", () => {
  const home = `#text/${"x".repeat(5000)}/first`;
  const finished = { runSpec: spec, view: viewOf(full, "live"), fingerprint: full.lastChain };
  const opened = (hash: string) => {
    const store = createExperimentStore(spec, [], manifests);
    store.setState({ home });
    receiveLink(store, hash);
    return store;
  };

  it("promises numbers of what the notebook says, and keeps them while that is shown", () => {
    const sender = createExperimentStore(spec, [], manifests);
    sender.setState(finished);
    const { numbers } = promiseOf(sender.getState(), { curves: true })!;
    const hash = encodePlace(home, { ...numbers, at: "turn-ppo,2,1,1" });
    expect(hash.length - home.length).toBeLessThan(2000);
    const store = opened(hash);
    const { expected: promised, warnings, choice } = store.getState();
    expect(promised).toMatchObject({ ...expected, spec, curves: numbers.curves });
    expect(warnings).toEqual([]);
    expect(choice.iteration).toBe(2);
    expect(openLinkOf(store.getState())).toBe(hash);
    store.setState({ draft: editField(store.getState().draft, "seed", "3") });
    expect(openLinkOf(store.getState())).not.toContain("fp=");
  });

  it("promises nothing of what the reader has changed, and no curves of another experiment", () => {
    const store = createExperimentStore(spec, [], manifests);
    store.setState({ home, draft: editField(store.getState().draft, "seed", "3") });
    receiveLink(store, `${home}?fp=${full.lastChain}`);
    expect(store.getState().expected).toBeNull();
    const other = opened(`${home}?fp=${full.lastChain}&curves=reward,0,1,1.1.1,AA`).getState();
    expect(other.expected).toMatchObject({ fingerprint: full.lastChain });
    expect(other.expected).not.toHaveProperty("curves");
    expect(other.warnings.join()).toContain("The sender’s curves are not shown");
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

  it("carries its curves when they are wanted, in under 2,000 characters; a lesson's link has under 200", () => {
    const wasm = { ...nano, engine: { ...nano.engine, backend: "wasm" as const } };
    expect(wasm.optimisation.iterations).toBe(50);
    const run = logOf(Infinity, syntheticRun(wasm));
    const store = createExperimentStore(wasm, [], manifests);
    const choice = { ...LATEST, algorithm: "turn-ppo", iteration: 12, episode: 0, turn: 3 };
    store.setState({
      runSpec: wasm,
      view: viewOf(run, "live"),
      fingerprint: run.lastChain,
      choice,
    });
    const short = linkOf(store.getState());
    expect(short.length).toBeLessThan(200);
    expect(decodeLink(short)).toMatchObject({ curves: null, sender: "0.0.0,none", warnings: [] });
    const link = linkOf(store.getState(), { curves: true });
    expect(link.length).toBeLessThan(2000);
    const { curves, spec: read, warnings } = decodeLink(link);
    expect(warnings).toEqual([]);
    const sent = curvesFromText(curves!, 3);
    expect(sent.map(({ metric, x }) => [metric, x.length])).toEqual([
      ["reward", 50],
      ["heldout", 6],
    ]);
    // Drawn from the link they are the run's own.
    const drawn = logOfCurves(read, sent);
    for (const [source, key] of [
      ["train", "critic/score/mean"],
      ["heldout", "val-env/sokoban/success"],
    ] as const) {
      const own = run.series("turn-ppo", key, source);
      const theirs = drawn.series("turn-ppo", key, source);
      expect(theirs.x).toEqual(own.x);
      theirs.y.forEach((value, i) => expect(value).toBeCloseTo(own.y[i]!, 2));
    }
  });

  it("carries curves, and no fingerprint, of an engine that gives no numbers twice", () => {
    const again = syntheticRun(spec);
    if (again[0]?.type === "start") again[0].engine.reproducible = "no";
    const log = logOf(again.length, again);
    const store = createExperimentStore(spec, [], manifests);
    store.setState({ runSpec: spec, view: viewOf(log, "live"), fingerprint: log.lastChain });
    const link = decodeLink(linkOf(store.getState(), { curves: true }));
    expect(link).toMatchObject({ fingerprint: null, trace: null, sender: "0.0.0,none,synthetic" });
    expect(link.curves).toMatch(/^reward,/);
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

/** The run as another device has it: every reward off by so much, and so another chain. */
function shifted(by: number, from = 0, metric = "critic/score/mean"): RunLog {
  const other = structuredClone(syntheticRun(spec));
  for (const event of other) {
    event.chain = `${event.chain[0] === "f" ? "0" : "f"}${event.chain.slice(1)}`;
    if (event.type !== "iteration" && event.type !== "eval") continue;
    if (event.iteration < from || typeof event.metrics[metric] !== "number") continue;
    event.metrics[metric] += by;
  }
  return logOf(other.length, other);
}

describe("comparing a run with its link's curves", () => {
  const promise = { ...expected, curves: curvesTextOf(full), spec };
  const [reward] = curvesFromText(promise.curves, 3);
  const tolerance = toleranceOf(reward!);

  it("has a tolerance of a twentieth of the metric's range, and one point at least", () => {
    expect(tolerance).toBeCloseTo(TOLERANCE * (reward!.high - reward!.low), 2);
    expect(tolerance).toBeGreaterThan(0.1);
    const flat = curvesFromText("heldout,0.2,0.2,0.10.2,AAAA,AAAA,AAAA", 3)[0]!;
    expect(toleranceOf(flat)).toBeCloseTo(0.01, 4);
  });

  it("says reproduced where the chain is the link's", () => {
    expect(compareFingerprint(full, promise)).toEqual({ state: "reproduced" });
    expect(compareFingerprint(logOf(1), promise)).toEqual({ state: "waiting", upTo: 0 });
    expect(compareFingerprint(new RunLog(), promise)).toEqual({ state: "waiting", upTo: 0 });
  });

  it("says the same within tolerance where only the chain differs, and which number did first", () => {
    expect(compareFingerprint(shifted(0), promise)).toEqual({ state: "tolerated", differs: null });
    const check = compareFingerprint(shifted(0.9 * tolerance, 3), promise);
    expect(check).toMatchObject({
      state: "tolerated",
      differs: { metric: "reward", algorithm: "grpo", iteration: 3 },
    });
  });

  it("says so without a fingerprint, too, and only once the run has ended", () => {
    const { curves } = promise;
    expect(compareFingerprint(shifted(0.5 * tolerance), { curves }).state).toBe("tolerated");
    const half = logOf(8, syntheticRun(spec));
    expect(compareFingerprint(half, { curves })).toMatchObject({ state: "waiting", rounded: true });
  });

  it("says diverged beyond it, with the first number that differs", () => {
    const check = compareFingerprint(shifted(1.1 * tolerance, 4), promise);
    expect(check).toMatchObject({ state: "diverged", first: { metric: "reward", iteration: 4 } });
    if (check.state !== "diverged") throw new Error(check.state);
    expect(check.first!.yours! - check.first!.theirs!).toBeCloseTo(1.1 * tolerance, 2);
    const heldout = shifted(0.2, 0, "val-env/sokoban/success");
    expect(compareFingerprint(heldout, promise)).toMatchObject({
      state: "diverged",
      first: { metric: "heldout", algorithm: "grpo", iteration: 0 },
    });
  });

  it("compares what another engine computed, and says which", () => {
    const other = { ...spec, engine: { ...spec.engine, backend: "webgpu" as const } };
    const live = { view: viewOf(shifted(0), "live"), runSpec: other, draft: openDraft(other) };
    const expectation = { ...promise, sender: "0.2.0,wasm" };
    expect(comparison({ ...live, expected: expectation })).toMatchObject({ state: "tolerated" });
    const { curves: _, ...chain } = expectation;
    expect(comparison({ ...live, expected: chain })).toEqual({ state: "not-compared" });
    expect(whatDiffers({ ...live, expected: expectation })).toEqual([
      { path: "version", here: "0.0.0", recorded: "0.2.0" },
      { path: "backend", here: "none", recorded: "wasm" },
    ]);
    const seed = { ...spec, seed: 9 };
    const changed = { ...live, runSpec: seed, draft: openDraft(seed), expected: promise };
    expect(comparison(changed)).toEqual({ state: "not-compared" });
    expect(whatDiffers(changed)).toEqual([
      { path: "seed", here: "9", recorded: String(spec.seed) },
    ]);
  });
});
