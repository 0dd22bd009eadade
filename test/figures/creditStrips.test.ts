/** Credits by token of a model that speaks: a bar a turn over a cell a token, and the turn's ratio read in two ways. */
import { describe, expect, it } from "vitest";
import { creditsPanel, type CreditsRead } from "../../src/figures/credits/credits.ts";
import { credits } from "../../src/figures/credits/manifest.ts";
import type { BarsBlock, FigureInput } from "../../src/figures/figure.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { talkerEvents } from "../fixtures/talkerRun.ts";
import { chained } from "../fixtures/syntheticRun.ts";

const log = new RunLog();
for (const event of chained(talkerEvents())) log.append(event);

type Seen = FigureInput<typeof credits.settings>;
const { quantity, rows, set } = credits.settings;
const start = { quantity: quantity.start, rows: rows.start, set: set.start };

function seenAt(token: number | null, changes: Partial<Seen["set"]> = {}): Seen {
  return {
    view: { log, origin: "imported" },
    at: resolveChoice(log, { ...LATEST, algorithm: "turn-ppo", turn: 1, token }),
    set: { ...start, grain: "token", ...changes },
    held: {},
    truths: new Map(),
  } as unknown as Seen;
}

const read = (seen: Seen) => runWhole(creditsPanel.reads!.work(seen, () => {})) as CreditsRead;
const tableOf = (seen: Seen) =>
  creditsPanel.figure(seen, read(seen)).find((block) => block.kind === "bars") as BarsBlock;

const { turns } = seenAt(null).at.episodes[0]!;

describe("by token", () => {
  const table = tableOf(seenAt(null));
  const row = (id: string, of = table) => of.rows.find((one) => one.id === id)!;

  it("a turn is one column, with a cell for each of its tokens", () => {
    expect(table.columns.map(({ name }) => name)).toEqual(turns.map((_, h) => `Turn ${h + 1}`));
    expect(table).toMatchObject({ current: 1, token: null });
    for (const id of ["grpo", "token-ppo", "turn-ppo", "trained"])
      expect(row(id).cells.map(({ strip }) => strip!.length)).toEqual(
        turns.map(({ tokens }) => tokens.length),
      );
    expect(new Set(row("turn-ppo").cells[0]!.strip).size).toBe(1);
    expect(new Set(row("token-ppo").cells[0]!.strip).size).toBeGreaterThan(10);
  });

  it("the bar has the turn's number, whose tokens are in the numbers below", () => {
    const byTurn = tableOf(seenAt(null, { grain: "turn" }));
    for (const { id, cells } of byTurn.rows)
      expect(row(id).cells.map(({ value }) => value)).toEqual(cells.map(({ value }) => value));
    const { input, rows } = read(seenAt(null));
    const own = rows.find(({ id }) => id === "token-ppo")!.values;
    expect(row("token-ppo").cells.flatMap(({ strip }) => strip!)).toEqual(own);
    expect(input.columns).toHaveLength(own.length);
  });

  it("knows the token at the cursor", () => {
    expect(tableOf(seenAt(7))).toMatchObject({ current: 1, token: 7 });
  });

  it("a turn's ratio is a product and a geometric mean, cut where its credit goes that way", () => {
    row("ratios").cells.forEach(({ ratios }, h) => {
      const logs = turns[h]!.tokens.map(({ logprob, oldLogprob }) => logprob - oldLogprob);
      const sum = logs.reduce((total, one) => total + one, 0);
      expect(ratios!.product.value).toBeCloseTo(Math.exp(sum), 12);
      expect(ratios!.mean.value).toBeCloseTo(Math.exp(sum / logs.length), 12);
      // Every turn's credit is above 0.
      expect(ratios!.product.more).toBe(ratios!.product.value > ratios!.band![1] ? "clipped" : "");
      expect(ratios!.mean.more).toBe("");
    });
    expect(row("ratios").cells.some(({ ratios }) => ratios!.product.more === "clipped")).toBe(true);
  });

  it("of ratios needs no such row", () => {
    expect(row("ratios", tableOf(seenAt(null, { quantity: "ratio" })))).toBeUndefined();
    expect(row("ratios", tableOf(seenAt(null, { grain: "turn" })))).toBeUndefined();
  });
});
