/** Tokens coloured by the credit of another method than the one that played. */
import { expect, it } from "vitest";
import type { ChoicesBlock, FigureInput } from "../../src/figures/figure.ts";
import { nameOfMeasure } from "../../src/figures/tokens/describe.ts";
import type { tokens } from "../../src/figures/tokens/manifest.ts";
import { tokensPanel, type ConversationShown } from "../../src/figures/tokens/tokens.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import { creditOf } from "../../src/reading/credit/rowCredit.ts";
import { howOf, ownRow } from "../../src/reading/credit/rows.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { LATEST, resolveChoice } from "../../src/store/turnChoice.ts";
import { chained } from "../fixtures/syntheticRun.ts";
import { talkerEvents } from "../fixtures/talkerRun.ts";

const log = new RunLog();
for (const event of chained(talkerEvents())) log.append(event);

type Seen = FigureInput<typeof tokens.settings>;

function seenAs(measure?: string, algorithm = "turn-ppo"): Seen {
  const at = resolveChoice(log, { ...LATEST, algorithm, turn: 1 });
  const held = measure === undefined ? {} : { measure };
  return { view: { log, origin: "imported" }, at, held } as unknown as Seen;
}

const read = (seen: Seen) => runWhole(tokensPanel.reads!.work(seen, () => {}));
const figure = (seen: Seen, made = read(seen)) => {
  const blocks = tokensPanel.figure(seen, made);
  const choices = blocks.find(({ kind }) => kind === "choices") as ChoicesBlock;
  const part = blocks.find((block) => block.kind === "part")!;
  return { choice: choices.choices[0]!, choices, given: part.given as ConversationShown };
};

it("offers the run's own numbers, then the other methods by name", () => {
  const { choice } = figure(seenAs());
  const names = "options" in choice ? choice.options.map(({ name }) => name) : [];
  expect(names[0]).toBe("Turn-PPO’s advantage");
  expect(names.slice(-2)).toEqual(["GRPO’s advantage", "token-PPO’s advantage"]);
  expect(choice).toMatchObject({ label: "Colour by", value: "advantage" });
});

it("gives each token the credit that the method's row has", () => {
  const seen = seenAs("other:token-ppo");
  const { given, choice, choices } = figure(seen);
  const { episodes, episode } = seen.at;
  const row = ownRow(log, "token-ppo", seen.at.iteration);
  const { batch, credit } = creditOf(row.config!, episodes, howOf(row, "turn-ppo")).ok!;
  const [from, to] = [batch.turnStart[episode]!, batch.turnStart[episode + 1]!];
  const own = credit.tokenAdvantage.slice(batch.tokenStart[from], batch.tokenStart[to]);
  expect(given.conversation.tokens.map(({ other }) => other)).toEqual([...own]);
  expect(given.colouring.among).toEqual([...own]);
  expect(choice.value).toBe("other:token-ppo");
  expect(nameOfMeasure("other", given.conversation)).toBe("token-PPO’s advantage");
  expect(choices.note!.text).not.toContain("same credit");
  expect(choices.signs).toBeDefined();
});

it("shows the run's own until it is computed, and when the cursor goes to that method", () => {
  const other = seenAs("other:grpo");
  expect(figure(other, read(seenAs())).given.colouring.measure).toBe("advantage");
  expect(figure(other).given.colouring.measure).toBe("other");
  expect(figure(seenAs("other:grpo", "grpo")).choice.value).toBe("advantage");
});

it("is read anew for another method, not for another turn", () => {
  const needs = (seen: Seen) => tokensPanel.reads!.needs(seen);
  expect(needs(seenAs("other:grpo"))).not.toEqual(needs(seenAs("other:token-ppo")));
  expect(needs(seenAs("ratio"))).toEqual(needs(seenAs()));
});
