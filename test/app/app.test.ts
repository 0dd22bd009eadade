import { describe, expect, it } from "vitest";
import { actionFor, actions, type Focus } from "../../src/app/actions.ts";
import { announcement } from "../../src/app/announce.ts";
import {
  algorithmSettings,
  environmentFields,
  mainFields,
  moreFields,
} from "../../src/app/formFields.ts";
import { pictureOf } from "../../src/env/descriptors.ts";
import { readBoard } from "../../src/reading/board.ts";
import { lineFigure, plainInput } from "../../src/figures/curves/chart.ts";
import { linesOfRun } from "../../src/figures/curves/lines.ts";
import { xDomain } from "../../src/reading/xDomain.ts";
import { routeOf } from "../../src/app/route.ts";
import { shopHashOf, shopTaskOf } from "../../src/app/ShopView.tsx";
import { createShopSession } from "../../src/panels/shop/shopState.ts";
import { isExperimentHash } from "../../src/store/links.ts";
import { metricsOf, namedMetrics } from "../../src/figures/curves/metrics.ts";
import { settingNames } from "../../src/spec/algorithms.ts";
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { example, lakeSpec } from "../definitions/examples.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { createExperimentStore } from "../../src/store/experimentStore.ts";
import { RunLog, viewOf } from "../../src/reading/log/runLog.ts";
import { optionalFields } from "../../src/spec/experiment.ts";
import { presetNames, presetSpec } from "../../src/spec/presets.ts";
import { editField, fieldText, openDraft } from "../../src/store/specDraft.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";

const press = (key: string, held = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
});
const focus = (change: Partial<Focus> = {}): Focus => ({
  tag: "body",
  editable: false,
  scope: "page",
  inDialog: false,
  ...change,
});

describe("the action table", () => {
  it("gives every key one meaning wherever the focus is", () => {
    for (const inner of ["turns", "cells", "replay"]) {
      const here = actions.filter(({ scope }) => scope === "page" || scope === inner);
      const keys = here.flatMap(({ keys }) => keys);
      expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([]);
    }
    const ids = actions.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("runs with Space, but not where Space is a click or a letter", () => {
    expect(actionFor(press(" "), focus())?.id).toBe("run");
    for (const tag of ["button", "summary", "a", "input", "textarea", "select"])
      expect(actionFor(press(" "), focus({ tag }))).toBeNull();
    expect(actionFor(press(" "), focus({ tag: "input", inputType: "checkbox" }))).toBeNull();
    // From one radio button to the next.
    for (const key of ["ArrowUp", "ArrowRight"])
      expect(actionFor(press(key), focus({ tag: "input", inputType: "radio" }))).toBeNull();
  });

  it("takes no letter where one writes, but for a figure that has the focus; and no Space where it scrolls", () => {
    const printable = actions.flatMap(({ keys }) => keys).filter((key) => key.length === 1);
    expect(printable).toContain("s");
    for (const key of printable) {
      for (const scope of ["page", "cells"])
        expect(actionFor(press(key), focus({ writes: true, scope }))).toBeNull();
      const found = actionFor(press(key), focus({ writes: true, scope: "turns" }));
      expect(found?.scope ?? "turns").toBe("turns");
    }
    expect(actionFor(press("j"), focus({ writes: true, scope: "turns" }))?.id).toBe("nextTurn");
    expect(actionFor(press("Escape"), focus({ writes: true }))?.id).toBe("leaveAlone");
    expect(actionFor(press("k", { ctrlKey: true }), focus({ writes: true }))?.id).toBe("palette");
    expect(actionFor(press(" "), focus({ scrolls: true }))).toBeNull();
    expect(actionFor(press("r"), focus({ scrolls: true }))?.id).toBe("reset");
  });

  it("leaves typing, dialogs and the browser's own shortcuts alone", () => {
    expect(actionFor(press("r"), focus({ tag: "input", inputType: "text" }))).toBeNull();
    expect(actionFor(press("r"), focus({ tag: "input", inputType: "checkbox" }))?.id).toBe("reset");
    expect(actionFor(press("r"), focus({ editable: true }))).toBeNull();
    expect(actionFor(press("r"), focus({ inDialog: true }))).toBeNull();
    for (const held of ["ctrlKey", "metaKey", "altKey"])
      expect(actionFor(press("r", { [held]: true }), focus())).toBeNull();
  });

  it("gives a cursor in sight its letters wherever nothing else has them, and no arrows", () => {
    const letters = actions.filter(({ scope, keys }) => scope === "turns" && keys[0]?.length === 1);
    for (const { id, keys } of letters)
      for (const scope of ["page", "curves", "turns"]) {
        const own = actions.find((one) => one.scope === scope && one.keys.includes(keys[0]!));
        const found = actionFor(press(keys[0]!), focus({ scope, cursor: true }));
        expect(found?.id).toBe((own ?? { id }).id);
      }
    expect(actionFor(press("ArrowRight"), focus({ cursor: true }))).toBeNull();
    expect(actionFor(press("p"), focus({ scope: "replay", cursor: true }))?.id).toBe("playReplay");
    expect(actionFor(press("j"), focus({ writes: true, cursor: true }))).toBeNull();
    const text = { tag: "input", inputType: "text" };
    expect(actionFor(press("j"), focus({ ...text, cursor: true }))).toBeNull();
    // A slider has its arrows, and no letters.
    const slider = { tag: "input", inputType: "range", cursor: true };
    expect(actionFor(press("j"), focus(slider))?.id).toBe("nextTurn");
    for (const key of ["ArrowRight", "Home", "PageUp"])
      expect(actionFor(press(key), focus({ ...slider, scope: "turns" }))).toBeNull();
  });

  it("keeps the turn panel's keys to the turn panel", () => {
    expect(actionFor(press("j"), focus())).toBeNull();
    expect(actionFor(press("j"), focus({ scope: "turns" }))?.id).toBe("nextTurn");
    expect(actionFor(press("."), focus({ scope: "turns" }))?.id).toBe("step");
    expect(actionFor(press("ArrowRight"), focus({ scope: "turns" }))?.id).toBe("nextEpisode");
    expect(actionFor(press("ArrowRight"), focus({ scope: "replay" }))?.id).toBe("nextPage");
    // The same key in two scopes: a replay plays where the turns go back a token.
    expect(actionFor(press("p"), focus({ scope: "turns" }))?.id).toBe("previousToken");
    expect(actionFor(press("p"), focus({ scope: "replay" }))?.id).toBe("playReplay");
    expect(actionFor(press("p"), focus())).toBeNull();
  });
});

describe("the form", () => {
  const groups = [{ fields: mainFields }, ...environmentFields, ...moreFields];
  const specs = presetNames.map(presetSpec);
  const corridor = {
    kind: "defined",
    definition: "corridor",
    trainLevels: 0,
    maxTurns: 6,
    formatPenalty: -0.1,
  };
  const own: Record<string, ExperimentSpec> = {
    sokoban: shortRun(),
    defined: lakeSpec({ definitions: [example("corridor")], environment: corridor }),
  };
  const specOf = (kind: string) =>
    own[kind] ?? specs.find(({ environment }) => environment.kind === kind)!;
  const rows = groups.flatMap(({ fields, ...group }) =>
    fields.map(
      (field) => [field.path, field, ("kind" in group && group.kind) || "sokoban"] as const,
    ),
  );

  it.each(rows)("%s is a field of the spec", (path, field, kind) => {
    const spec = specOf(kind);
    // Adapters have a rank before they have targets.
    const lora = path.startsWith("model.lora.") ? { lora: { rank: 8 } } : {};
    const draft = openDraft({ ...spec, model: { ...spec.model, ...lora } });
    // A field that a spec may lack is empty there.
    if (!optionalFields.has(path)) expect(fieldText(draft, path)).not.toBe("");
    const values = field.options?.map(({ value }) => value) ?? [fieldText(draft, path)];
    for (const value of values) expect(editField(draft, path, value).pending).toEqual({});
    if (field.options) expect(values).toContain(fieldText(draft, path));
  });

  it("offers only settings that algorithms have", () => {
    for (const { key } of algorithmSettings) expect(settingNames).toContain(key);
  });
});

describe("boards", () => {
  const board = readBoard("Turns left: 5\n####\n#PX#\n#O√#\n####\nActions left: 9")!;

  it("are found among the other lines of an observation", () => {
    expect(board.rows[1]).toEqual(["wall", "player", "box", "wall"]);
    expect(board.notes).toBe("Turns left: 5\nActions left: 9");
    expect(readBoard("Instruction: buy a red shirt\n#1")).toBeNull();
    expect(readBoard("")).toBeNull();
  });

  it("are described with one-based rows and columns", () => {
    const text = "Turns left: 5\n####\n#PX#\n#O√#\n####\nActions left: 9";
    expect(pictureOf(text)).toMatchObject({ notes: board.notes });
    expect(pictureOf(text)!.label).toBe(
      "4 by 4 board. Player at row 2, column 2. Box at row 2, column 3. " +
        "Box on target at row 3, column 3. Target at row 3, column 2.",
    );
    expect(pictureOf("#S#")!.label).toContain("Target at row 1, column 2.");
  });
});

describe("curves", () => {
  const log = new RunLog();
  for (const event of syntheticRun(shortRun(), 7)) log.append(event);
  const named = namedMetrics("sokoban");

  it("have a series per method, with crashes marked", () => {
    const input = plainInput(named["reward"]!, linesOfRun(log), [log]);
    const series = lineFigure(input).curves;
    expect(series.map(({ name }) => name)).toEqual(["GRPO", "token-PPO", "Turn-PPO"]);
    expect(series[0]!.crashes).toMatchObject([{ x: 7 }]);
    expect(series[2]!.points).toHaveLength(20);
  });

  it("share one x axis", () => {
    expect(xDomain(log)).toEqual([0, 20]);
    expect(xDomain(new RunLog())).toEqual([0, 5]);
  });

  it("leave out metrics they do not know", () => {
    expect(metricsOf("reward, nonsense,heldout, __proto__", "sokoban").map(({ id }) => id)).toEqual(
      ["reward", "heldout"],
    );
  });
});

describe("announcements", () => {
  it("say iteration, state and scores in a sentence", () => {
    const store = createExperimentStore(shortRun());
    const log = new RunLog();
    for (const event of syntheticRun(shortRun())) log.append(event);
    expect(announcement(store.getState())).toBe("");
    store.setState({ state: "running", view: viewOf(log, "live") });
    expect(announcement(store.getState())).toMatch(
      /^Iteration 20 of 20 done. Mean reward: GRPO \d.*, token-PPO .*, Turn-PPO [\d.]+\.$/,
    );
    store.setState({ state: "paused" });
    expect(announcement(store.getState())).toBe("Paused.");
  });
});

describe("the shop's address", () => {
  it("is a task, or leaves the task as it is, and never an experiment", () => {
    expect(shopTaskOf("#shop-1-5")).toEqual({ seed: 1, goal: 5 });
    for (const hash of ["#shop", "#shop-1", "#shop--1-5", "#shop-1-5x", "#machine", ""])
      expect(shopTaskOf(hash)).toBeNull();
    for (const hash of ["#shop", "#shop-1-5"]) {
      expect(routeOf(hash)).toBe("shop");
      expect(isExperimentHash(hash)).toBe(false);
    }
    expect(routeOf("#shopping")).toBe("notebook");
  });

  it("is written as it is read", () => {
    const { store, chooseGoal } = createShopSession();
    chooseGoal(7);
    expect(shopTaskOf(shopHashOf(store.getState()))).toEqual({ seed: 1, goal: 7 });
  });
});
