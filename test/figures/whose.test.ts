/**
 * Whose a number is: over all panels that are figures, what changes with true values, with the method beside it or with
 * another iteration says so next to it. Found by changing exactly that, and looking at what the figure then says.
 */
import { describe, expect, it } from "vitest";
import type { Block, Figure, FigureInput, FigurePanel } from "../../src/figures/figure.ts";
import { byTurnPanel } from "../../src/figures/byTurn/byTurn.ts";
import { clipPanel } from "../../src/figures/clip/clip.ts";
import { confidencePanel } from "../../src/figures/confidence/confidence.ts";
import { creditsPanel } from "../../src/figures/credits/credits.ts";
import { criticPanel } from "../../src/figures/critic/critic.ts";
import { doctorPanel } from "../../src/figures/doctor/doctor.ts";
import { episodesPanel } from "../../src/figures/episodes/episodes.ts";
import { gradientPanel } from "../../src/figures/gradient/gradient.ts";
import { groupPanel } from "../../src/figures/group/group.ts";
import { ribbonPanel } from "../../src/figures/ribbon/ribbon.ts";
import { speedPanel } from "../../src/figures/speed/speed.ts";
import { storyPanel } from "../../src/figures/story/story.ts";
import { tokensPanel } from "../../src/figures/tokens/tokens.ts";
import { turnsPanel } from "../../src/figures/turns/turns.ts";
import { policyName } from "../../src/figures/truthWords.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { manifests } from "../../src/panels/manifests.ts";
import { viewOf, type RunLog } from "../../src/reading/log/runLog.ts";
import type { Truths } from "../../src/reading/truths.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import {
  ITERATION,
  logOf,
  METHODS,
  OTHER_POLICY,
  says,
  truthsBy,
  unsaid,
  whoseRuns,
  type Piece,
} from "../fixtures/whoseRuns.ts";

const panels = [
  ...[ribbonPanel, episodesPanel, turnsPanel, creditsPanel, groupPanel, tokensPanel, clipPanel],
  ...[
    criticPanel,
    confidencePanel,
    byTurnPanel,
    doctorPanel,
    speedPanel,
    gradientPanel(null),
    storyPanel,
  ],
] as unknown as FigurePanel<never, unknown>[];

const same = logOf(whoseRuns.same);
const elsewhere = logOf(whoseRuns.elsewhere);
const ofMethod = new Map([...whoseRuns.ofMethod].map(([name, events]) => [name, logOf(events)]));

const lists = ["rows", "options", "legend"] as const;

/** Links, what only a panel's own part draws from, and the scales of bars. */
const UNREAD = new Set(["go", "act", "view", "axis", "among", "size"]);

/** What is computed when it is looked at, computed. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one));
  if (value === null || typeof value !== "object") return value;
  const { count, row, card, rows, parts, ...rest } = value as Record<string, unknown>;
  const each = (of: unknown) =>
    typeof of === "function"
      ? Array.from({ length: count as number }, (_, i) => of(i) as unknown)
      : of;
  const whole = (of: unknown) =>
    typeof of === "function" && of.length === 0 ? (of() as unknown) : of;
  const all = { ...rest, rows: whole(rows) ?? each(row), cards: each(card), parts: whole(parts) };
  return Object.fromEntries(
    Object.entries(all).map(([name, one]) => [
      name,
      UNREAD.has(name) ? null : resolved(whole(one)),
    ]),
  );
}

/** Parts side by side are read together. */
function piecesOf(figure: Figure): Piece[] {
  return (resolved(figure) as (Record<string, unknown> & Pick<Block, "kind">)[]).flatMap(
    (block, i) => {
      const id = `${i} ${block.kind} ${String(block["id"] ?? block["title"] ?? "")}`;
      if (block.kind === "side")
        return (block["parts"] as unknown[]).map((part, n) => ({
          id: `${id} ${n}`,
          text: JSON.stringify(part),
        }));
      const given = (block["given"] ?? block) as Record<string, unknown>;
      const heads = { ...given };
      for (const list of lists) delete heads[list];
      const rows = lists.flatMap((list) => (given[list] as unknown[] | undefined) ?? []);
      if (block.kind === "numbers" || rows.length === 0)
        return [{ id, text: JSON.stringify(given) }];
      const named = [heads["columns"], heads["ends"]];
      return [heads, ...rows].map((row, n) => ({
        id: `${id} ${n}`,
        text: JSON.stringify([row, n && named]),
      }));
    },
  );
}

function shown(
  of: FigurePanel<never, unknown>,
  log: RunLog,
  algorithm: string,
  truths: Truths,
  set: object = {},
): Piece[] {
  const at = resolveChoice(log, { ...LATEST, algorithm, iteration: ITERATION, turn: 1 });
  const starts = Object.entries(of.panel.settings as Record<string, { start: unknown }>);
  const seen = {
    ...{ view: viewOf(log, "recorded"), at, held: {}, truths, brush: null },
    set: { ...Object.fromEntries(starts.map(([name, { start }]) => [name, start])), ...set },
  } as unknown as FigureInput<never>;
  const read = of.reads ? runWhole(of.reads.work(seen, () => {})) : null;
  return piecesOf(of.figure(seen, read));
}

const SETTINGS: Record<string, object[]> = {
  critic: [{ span: "20" }],
  credits: [{ grain: "token" }, { grain: "episode" }],
};
const cases = panels.flatMap((panel) =>
  METHODS.flatMap((algorithm) =>
    [{}, ...(SETTINGS[panel.panel.id] ?? [])].map(
      (set) => [panel.panel.id, algorithm, set, panel] as const,
    ),
  ),
);

describe.each(cases)("the panel %s at %s, %j", (_, algorithm, set, panel) => {
  const of = (log: RunLog, truths: Truths = {}) => shown(panel, log, algorithm, truths, set);

  it("says of true values by which policy they are, where another one played", () => {
    const [first, second] = [0, 1].map((more) => of(same, truthsBy(algorithm, OTHER_POLICY, more)));
    expect(unsaid(first!, second!, says.policy)).toEqual([]);
    // And is silent of it where there is nothing to say.
    const own = of(same, truthsBy(algorithm, ITERATION - 1));
    expect(own.filter(({ text }) => text.includes(policyName(OTHER_POLICY)))).toEqual([]);
  });

  it.each(METHODS.filter((name) => name !== algorithm))(
    "names %s where a number is its",
    (name) => {
      expect(unsaid(of(same), of(ofMethod.get(name)!), says.method(name))).toEqual([]);
    },
  );

  it("names the iteration where a number is of another one than the cursor's", () => {
    expect(unsaid(of(same), of(elsewhere), says.iteration)).toEqual([]);
  });
});

it("is asked of every panel that is a figure", () => {
  // Those without `run`, which has no number of a method, are asked in ../panels/whose.test.ts.
  const components = ["curves", "formula", "fork", "playground", "run"];
  const asked = panels.map(({ panel }) => panel.id);
  expect([...asked, ...components].sort()).toEqual(manifests.map(({ id }) => id).sort());
});

it("looks at panels that have such numbers", () => {
  const changing = (all: (of: FigurePanel<never, unknown>) => Piece[][]) =>
    panels.filter((of) => {
      const [first, second] = all(of).map((pieces) => JSON.stringify(pieces));
      return first !== second;
    });
  const names = (all: Parameters<typeof changing>[0]) => changing(all).map(({ panel }) => panel.id);
  const withTruths = (of: FigurePanel<never, unknown>) =>
    [0, 1].map((more) => shown(of, same, "turn-ppo", truthsBy("turn-ppo", OTHER_POLICY, more)));
  expect(names(withTruths)).toEqual(["ribbon", "credits", "critic"]);
  const elsewhen = (of: FigurePanel<never, unknown>) =>
    [same, elsewhere].map((log) => shown(of, log, "turn-ppo", {}));
  expect(names(elsewhen)).toEqual(expect.arrayContaining(["byTurn", "story"]));
});
