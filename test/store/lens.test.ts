import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { credits } from "../../src/figures/credits/manifest.ts";
import { manifests } from "../../src/panels/manifests.ts";
import { lensPanels } from "../../src/panels/panelTable.ts";
import { decodeLink } from "../../src/spec/link.ts";
import type { PanelSettings } from "../../src/spec/linkExtras.ts";
import { presetSpec } from "../../src/spec/presets.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { numberAxes } from "../../src/method/numbers.ts";
import {
  ALL,
  type Changes,
  type Overrides,
  type ChangedValue,
} from "../../src/reading/credit/changes.ts";
import { START_VIEW, type CurvesView } from "../../src/store/curvesView.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { type ExperimentState } from "../../src/store/experimentState.ts";
import {
  isOpen,
  layoutNow,
  setLens,
  startLens,
  withAlone,
  withFold,
  withLayout,
  withPanel,
  type Lens,
} from "../../src/store/lens.ts";
import { isInFront, panesOf, tabGroup } from "../../src/store/dock.ts";
import { layoutNames } from "../../src/store/layouts.ts";
import { settingIn, withSetting } from "../../src/store/lensSettings.ts";
import type { Setting, SettingValue } from "../../src/store/lensCodecs.ts";
import type { TurnChoice } from "../../src/store/turnChoice.ts";
import { openLink, openLinkOf, receiveLink } from "../../src/store/links.ts";

const newStore = () => createExperimentStore(presetSpec("nano"), [], manifests);
const START_LENS = startLens(manifests);
const panelIds = manifests.map(({ id }) => id);

/** Panels opened, folded and closed in any order, perhaps one alone, from any layout. */
const arrangement: fc.Arbitrary<Lens> = fc
  .tuple(
    fc.constantFrom(...layoutNames),
    fc.array(fc.tuple(fc.constantFrom(...panelIds), fc.boolean())),
    fc.option(fc.constantFrom(...panelIds)),
  )
  .map(([layout, steps, alone]) => {
    const arranged = steps.reduce<Lens>(
      (all, [id, open]) => withPanel(all, id, open),
      withLayout(START_LENS, layout),
    );
    return withAlone(arranged, alone);
  });

type Kept = typeof credits.settings;

function withCredit<K extends keyof Kept>(
  all: PanelSettings,
  key: K,
  value: SettingValue<Kept[K]>,
) {
  return withSetting(all, `credits:${key}`, credits.settings[key] as Setting<typeof value>, value);
}

/** The lens and its curves after a link, and what was said. */
function opened(rest: string) {
  const store = newStore();
  receiveLink(store, `#v1/nano?view=lens${rest}`);
  const { lens, curves, warnings } = store.getState();
  return { store, lens, curves, warnings };
}

/** What another page makes of this one's address. */
function sent(lens: Partial<Lens>, curves: Partial<CurvesView> = {}) {
  const store = newStore();
  store.setState({
    ...{ screen: "lens", lens: { ...START_LENS, ...lens } },
    curves: { ...START_VIEW, ...curves },
  });
  const link = openLinkOf(store.getState());
  const other = newStore();
  receiveLink(other, link);
  expect(openLinkOf(other.getState())).toBe(link);
  return { link, ...other.getState() };
}

describe("the lens's panels in a link", () => {
  it("are all there, in the table's order", () => {
    expect(lensPanels.map(({ id }) => id)).toEqual(panelIds);
  });

  it("are said only where they differ from the start", () => {
    const store = newStore();
    store.setState({ screen: "lens" });
    expect(openLinkOf(store.getState())).toBe("#v1/nano?view=lens");
    const set = (change: (lens: Lens) => Lens) => setLens(store, change);
    set((lens) => withFold(lens, "turns", true));
    expect(openLinkOf(store.getState())).toBe("#v1/nano?view=lens&layout=why&open=turns");
    set((lens) => withFold(lens, "turns", false));
    expect(openLinkOf(store.getState())).toBe("#v1/nano?view=lens");
    set((lens) => withLayout(lens, "critic"));
    expect(openLinkOf(store.getState())).toBe("#v1/nano?view=lens&layout=critic");
    // The notebook's address says nothing of the lens, and leaves it as it is.
    set((lens) => withAlone(lens, "critic"));
    expect(openLinkOf(store.getState(), "notebook")).toBe("#v1/nano");
    receiveLink(store, "#v1/nano");
    expect(store.getState()).toMatchObject({ screen: "notebook", lens: { alone: "critic" } });
  });

  it("are the same for the receiver as for the sender", () => {
    fc.assert(
      fc.property(arrangement, (lens) => {
        const { dock, panels, alone } = sent(lens).lens;
        expect({ dock, panels, alone }).toEqual({
          ...{ dock: lens.dock, panels: lens.panels, alone: lens.alone },
        });
      }),
    );
  });

  it("are kept where one is left whose name is also a layout's", () => {
    for (const pane of ["health", "critic"]) {
      const { link, lens } = sent({ dock: tabGroup([pane]) });
      expect(link).toContain(`layout=*${pane}`);
      expect(panesOf(lens.dock)).toEqual([pane]);
    }
  });

  it("stay in front after having been alone", () => {
    const alone = withAlone(START_LENS, "critic");
    expect(isOpen(START_LENS, "critic")).toBe(false);
    const after = withAlone(alone, null);
    expect(isOpen(after, "critic")).toBe(true);
    expect(isInFront(after.dock, "critic")).toBe(true);
    const both = withAlone(withAlone(alone, "clip"), null);
    expect(isOpen(both, "critic")).toBe(true);
    expect(isOpen(both, "clip")).toBe(true);
  });

  it("come to the front by an older link, which opens and closes them", () => {
    const { lens, warnings } = opened("&open=clip,critic,-formula");
    expect(warnings).toEqual([]);
    expect(isOpen(lens, "clip")).toBe(true);
    expect(isInFront(lens.dock, "critic")).toBe(true);
    expect(panesOf(lens.dock)).toContain("health");
    expect(panesOf(lens.dock)).not.toContain("formula");
  });

  it("that there are not are left out, with a sentence", () => {
    const { lens, warnings } = opened("&open=clip,loom,turns&alone=constructor");
    expect(lens).toMatchObject({ panels: { clip: true, turns: true }, alone: null });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/"loom" is not a panel of the lens; there are curves, ribbon/);
    // Where a link waits for the reader's decision, they are said when it is opened.
    const store = newStore();
    store.setState({ state: "paused" });
    receiveLink(store, "#v1/nano?seed=9&view=lens&open=loom");
    expect(store.getState().warnings).toEqual([]);
    openLink(store, store.getState().waitingLink!);
    expect(store.getState().warnings).toHaveLength(1);
  });

  it("can be in a layout of a link, by its name or pane by pane", () => {
    expect(layoutNow(opened("&layout=health").lens)).toBe("health");
    const { lens } = opened("&layout=r(30-episodes~70-c(60-ribbon.*tokens~40-curves))");
    expect(panesOf(lens.dock)).toEqual(["episodes", "ribbon", "tokens", "curves"]);
    expect(isInFront(lens.dock, "tokens")).toBe(true);
    expect(layoutNow(lens)).toBeNull();
  });

  it("say what is wrong with a layout, and start as they do", () => {
    const { lens, warnings } = opened("&layout=r(30-episodes~70-loom)");
    expect(layoutNow(lens)).toBe("why");
    expect(warnings).toEqual([
      expect.stringMatching(
        /^layout is neither one of why, words, health, .*"loom" is not a pane of the lens; there are curves, ribbon, /,
      ),
    ]);
  });
});

/** What sliders can say of one setting. */
const sliders = [
  ...Object.entries(wordAxes).map(([name, { values }]) =>
    fc.tuple(fc.constant(name), fc.constantFrom<ChangedValue[]>(...Object.keys(values))),
  ),
  ...Object.entries(numberAxes).map(([name, { min, max, none }]) => {
    const number = fc.double({ min, max, noNaN: true }).map((x) => x + 0);
    return fc.tuple(fc.constant(name), none ? fc.option(number) : number);
  }),
];
const overrides = fc
  .array(fc.oneof(...sliders), { minLength: 1, maxLength: 30 })
  .map((set) => Object.fromEntries(set) as Overrides);
const targets = fc.constantFrom(ALL, ...algorithmNames);
const changesOfSliders = fc.dictionary(targets, overrides, { maxKeys: 12 });

/** Metrics, methods and runs have whatever names a file gives them. */
const foreign = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.string({ minLength: 1 }));
const metricId = fc.oneof(
  fc.constantFrom("reward", "success", "heldout", "train|actor/entropy_loss/of_the_turn"),
  foreign.map((name) => `train|${name}`),
  fc.stringMatching(/^heldout\|[a-z/_:]{60,120}$/),
);
/** From a place on the axis, some of its neighbours or far beyond them. */
const zoom = fc
  .tuple(
    fc.double({ min: 0, max: 1e9, noNaN: true }),
    fc.oneof(fc.double({ min: 1e-3, max: 1e9, noNaN: true }), fc.integer({ min: 1, max: 100 })),
  )
  .map(([low, width]) => [low, low + width] as const);
const curvesView: fc.Arbitrary<CurvesView> = fc.record({
  axis: fc.constantFrom("iteration", "turns", "tokens", "time"),
  domain: fc.option(zoom),
  brush: fc.option(zoom),
  smoothing: fc.double({ min: 0, max: 0.99, noNaN: true }),
  log: fc.boolean(),
  trim: fc.boolean(),
  seeds: fc.constantFrom("each", "mean", "iqm"),
  interval: fc.constantFrom("t", "bootstrap", "none"),
  together: fc.constant([]),
  baseline: fc.option(fc.oneof(foreign, fc.constantFrom("config1|grpo", "turn-ppo"))),
  hidden: fc.uniqueArray(fc.oneof(foreign, fc.constantFrom("run1", "run2", ...algorithmNames))),
  metrics: fc.uniqueArray(metricId, { maxLength: 40 }),
  lead: fc.option(metricId),
  reading: fc.constant(null),
});
const place = (max: number) => fc.integer({ min: 0, max });
const choice: fc.Arbitrary<TurnChoice> = fc.record({
  algorithm: fc.option(fc.oneof(foreign, fc.constantFrom(...algorithmNames))),
  iteration: fc.option(place(1e6)),
  episode: place(9999),
  turn: place(999),
  token: fc.option(place(9999)),
});
const settings = fc
  .record({
    set: changesOfSliders,
    rows: fc.subarray([...algorithmNames]),
    grain: fc.constantFrom("token", "turn", "episode"),
  })
  .map(({ set, rows, grain }) => {
    let all = withCredit({}, "set", set);
    all = withCredit(all, "rows", rows);
    return withCredit(all, "grain", grain);
  });
const lens: fc.Arbitrary<Lens> = fc
  .tuple(arrangement, settings)
  .map(([arranged, settings]) => ({ ...arranged, settings }));

describe("any view", () => {
  it("makes a link that is read again without a word, and says the same there", () => {
    const check = (state: Pick<ExperimentState, "lens" | "curves" | "choice">) => {
      const store = newStore();
      store.setState({ screen: "lens", ...state });
      const link = openLinkOf(store.getState());
      expect(link.length).toBeLessThanOrEqual(4096);
      const other = newStore();
      receiveLink(other, link);
      expect(other.getState().warnings).toEqual([]);
      expect(openLinkOf(other.getState())).toBe(link);
      const { curves, lens } = other.getState();
      expect(lens.panels).toEqual(state.lens.panels);
      expect(curves.metrics).toEqual(
        state.curves.metrics.filter((id) => curves.metrics.includes(id)),
      );
      const [low, high] = state.curves.domain ?? [0, 0];
      const read = curves.domain ?? [0, 0];
      expect(Math.abs(read[0] - low)).toBeLessThanOrEqual((high - low) / 1000);
      expect(Math.abs(read[1] - high)).toBeLessThanOrEqual((high - low) / 1000);
    };
    const state = fc.record({ lens, curves: curvesView, choice });
    fc.assert(fc.property(state, check), { numRuns: 200 });
  });

  it("keeps a narrow zoom far out", () => {
    const curves: CurvesView = { ...START_VIEW, axis: "tokens", domain: [10000000, 10000030] };
    const { link, curves: read } = sent({}, curves);
    expect(read.domain).toEqual([10000000, 10000030]);
    expect(link).toContain("curves:domain=10000000,10000030");
    expect(sent({}, { domain: [1 / 3, 1e4 / 3] }).link).toContain("curves:domain=0.333333,3333.33");
  });

  it("with many charts is cut between two of them, not refused", () => {
    const metrics = Array.from({ length: 40 }, (_, i) => `train|actor/a_number_with_a_name_${i}`);
    const { curves, warnings } = sent({}, { metrics: metrics.slice(0, 30) });
    expect(curves.metrics).toEqual(metrics.slice(0, 30));
    const all = [...metrics, ...metrics.map((id) => `${id}_again`)];
    const cut = sent({}, { metrics: all });
    expect([...warnings, ...cut.warnings]).toEqual([]);
    expect(cut.curves.metrics.length).toBeGreaterThan(30);
    expect(cut.curves.metrics).toEqual(all.slice(0, cut.curves.metrics.length));
  });

  it("is written as far as a link is read at all, where each letter takes nine", () => {
    const metrics = Array.from({ length: 12 }, (_, i) => `train|${"奖励".repeat(40)}${i}`);
    const { link, curves } = sent({}, { metrics, smoothing: 0.5 });
    expect(link.length).toBeLessThanOrEqual(4096);
    expect(curves.metrics).toEqual(metrics.slice(0, curves.metrics.length));
    expect(curves.metrics.length).toBeGreaterThan(2);
    expect(curves.smoothing).toBe(0.5);
  });
});

describe("settings in a link", () => {
  it("of curves come back: axis, zoom, smoothing, scale, seeds, comparison, charts", () => {
    const curves: Partial<CurvesView> = {
      ...{ axis: "tokens", domain: [12.5, 640], smoothing: 0.65, log: true, trim: true },
      ...{ seeds: "iqm", interval: "bootstrap", hidden: ["token-ppo"] },
      metrics: ["success", "train|actor/entropy", "heldout|val-env/sokoban/success"],
    };
    const { link, curves: read, warnings } = sent({}, { ...curves, baseline: "config3|grpo" });
    expect(warnings).toEqual([]);
    // Of the line to compare with only the method is known elsewhere.
    expect(read).toEqual({ ...START_VIEW, ...curves, baseline: "grpo" });
    expect(link).toContain("&curves:metrics=success,train:actor/entropy,heldout:val-env/sokoban/");
    expect(link.length).toBeLessThan(400);
    // Runs of this page's memory are in no link; no chart at all is a choice too.
    expect(sent({}, { hidden: ["run2"], metrics: [] }).curves).toMatchObject({
      ...{ hidden: [], metrics: [] },
    });
  });

  it("of credits come back: rows, grain, quantity and every slider", () => {
    const changes: Changes = {
      "*": { gamma: 0.95, whiten: "turns", epsLow: 1e-7, dualClip: null },
      "turn-ppo": { lambda: 1, whiten: "none" },
    };
    let { settings } = START_LENS;
    settings = withCredit(settings, "set", changes);
    settings = withCredit(settings, "rows", ["gspo", "rloo"]);
    settings = withCredit(settings, "grain", "token");
    const { lens, warnings } = sent({ settings });
    expect(warnings).toEqual([]);
    const read = (key: keyof Kept) =>
      settingIn(lens.settings, `credits:${key}`, credits.settings[key] as Setting<unknown>);
    expect(read("set")).toEqual(changes);
    expect(read("rows")).toEqual(["gspo", "rloo"]);
    expect(read("grain")).toBe("token");
    expect(read("quantity")).toBe("advantage");
    expect(withCredit(settings, "grain", "turn")).not.toHaveProperty("credits:grain");
    expect(withCredit(settings, "set", {})).not.toHaveProperty("credits:set");
  });

  it.each([
    ["curves:axis=epochs", "must be one of iteration, turns, tokens, time"],
    ["curves:log=yes", "on or off"],
    ["curves:smoothing=1", "a number from 0 to 0.99"],
    ["curves:smoothing=1e999", "a number from 0 to 0.99"],
    ["curves:domain=10,5", "the lower first"],
    ["curves:domain=1,2,3", "the lower first"],
    ["curves:metrics=reward,train:", "names of charts"],
    ["curves:hidden=run3", "names of methods"],
    ["credits:rows=grpo,sarsa", "names of algorithms"],
    ["critic:span=3", "must be one of 1, 5, 20"],
    ["clip:heights=low", "must be one of log, linear"],
    ["speed:quantity=joules", "must be one of seconds, tokens"],
    ["credits:set=gamma:7", "settings and their values"],
    ["credits:set=sarsa.gamma:0.5", "settings and their values"],
    ["credits:set=toString:0.5", "settings and their values"],
    ["formula:step=dance", "must be one of all, rollout"],
    ["curves:reading=3", "is not a setting of the lens"],
    ["curves:constructor=3", "is not a setting of the lens"],
    ["constructor:name=3", "is not a setting of the lens"],
    ["loom:axis=3", "is not a setting of the lens"],
  ])("%s: a sentence, and as at first", (part, sentence) => {
    const { lens, curves, warnings } = opened(`&${part}`);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(sentence);
    expect({ lens, curves }).toEqual({ lens: START_LENS, curves: START_VIEW });
  });

  it("never do harm: whatever a link says of any setting, the address made of it is stable", () => {
    const keys = manifests.flatMap(({ id, settings }) =>
      Object.keys(settings).map((key) => `${id}:${key}`),
    );
    const snippet = fc.constantFrom(
      "none",
      ",",
      "-1",
      "1e5,1e6",
      "gamma:",
      "reward",
      "on",
      "|",
      "%",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(snippet).map((all) => all.join("")),
    );
    const check = (key: string, value: string) => {
      const { store, warnings } = opened(`&${key}=${encodeURIComponent(value)}`);
      const link = openLinkOf(store.getState());
      expect(decodeLink(link).warnings).toEqual([]);
      const again = newStore();
      receiveLink(again, link);
      expect(again.getState().warnings).toEqual([]);
      expect(openLinkOf(again.getState())).toBe(link);
      expect(warnings.length).toBeLessThan(2);
    };
    fc.assert(fc.property(fc.constantFrom(...keys), text, check), { numRuns: 400 });
  });
});
