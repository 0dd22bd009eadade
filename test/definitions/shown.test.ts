/** A defined estimator as a row of the credits: asked for once, off the page's thread, then like any other. */
import { afterEach, beforeAll, expect, test } from "vitest";
import { answerEstimates, onEstimate } from "../../src/reading/credit/estimates.ts";
import { creditOf, isKnown } from "../../src/reading/credit/rowCredit.ts";
import { howOf, rowNames, rowOf } from "../../src/reading/credit/rows.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { promptOf } from "../../src/figures/tokens/prompt.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { runToEnd } from "../train/support.ts";
import { definedHost, example, lakeSpec, ofEveryKind, trained } from "./examples.ts";

const MINE = "turn-ppo@turnPpo";
const log = new RunLog();

beforeAll(async () => {
  const definitions = [example("turnPpo")];
  const algorithms = ["turn-ppo", MINE].map((name) => ({ name, set: {} }));
  const { events } = await trained(lakeSpec({ definitions, algorithms, recordEpisodes: 4 }));
  for (const event of events) log.append(event);
});
afterEach(() => answerEstimates(null));

const creditNow = (name: string, changes = {}) => {
  const row = rowOf(log, name, changes, 2);
  const episodes = log.episodes("turn-ppo", 2);
  return { tried: creditOf(row.config!, episodes, howOf(row, null)), row, episodes };
};

test("it is among the rows of its run, beside the one it is made of", () => {
  expect(rowNames(log, [])).toEqual(["grpo", "token-ppo", "turn-ppo", MINE]);
  expect(rowOf(log, MINE, {}).title).toContain("turnPpo");
});

test("it is pending until the answer comes, and then equals the table's row to the last bit", async () => {
  const { openDefinitions } = await definedHost();
  let asked = 0;
  answerEstimates(async (definition, input) => {
    asked += 1;
    return (await openDefinitions!([definition])).get(definition).call("estimate", input);
  });
  const first = creditNow(MINE);
  expect(first.tried).toMatchObject({ ok: null, pending: true });
  expect(isKnown(first.row.config!, first.episodes, howOf(first.row, null))).toBe(false);
  expect(creditNow(MINE).tried.ok).toBeNull();
  for (;;) {
    const { tried } = creditNow(MINE);
    if (tried.ok || !("pending" in tried)) break;
    await new Promise<void>((resolve) => {
      const end = onEstimate(() => (end(), resolve()));
    });
  }
  const before = asked;
  const { trace: _, ...mine } = creditNow(MINE).tried.ok!.credit;
  const { trace: __, ...own } = creditNow("turn-ppo").tried.ok!.credit;
  expect(mine).toEqual(own);
  expect(asked).toBe(before);
  expect(creditNow(MINE, { [MINE]: { gamma: 0.5 } }).tried).toMatchObject({ pending: true });
});

test("where its code fails, the row says why", async () => {
  answerEstimates(() => Promise.reject(new Error("turnPpo, line 3: bad")));
  creditNow(MINE, { [MINE]: { gamma: 0.25 } });
  await new Promise<void>((resolve) => {
    const end = onEstimate(() => (end(), resolve()));
  });
  const { tried } = creditNow(MINE, { [MINE]: { gamma: 0.25 } });
  expect(tried).toMatchObject({ ok: null, reason: "turnPpo, line 3: bad" });
  expect(tried).not.toHaveProperty("pending");
});

test("the Tokens panel writes an own prompt as training did, from the same input", async () => {
  const spec = ofEveryKind["a prompt"]!;
  const host = await definedHost();
  const trainedOn = new Set<string>();
  const openDefinitions: typeof host.openDefinitions = async (definitions) => {
    const codes = await host.openDefinitions!(definitions);
    return {
      ...codes,
      get: (ref) => {
        const code = codes.get(ref);
        const call = (name: string, ...[input]: readonly unknown[]) => {
          trainedOn.add(JSON.stringify(input));
          return code.call(name, input);
        };
        return { kind: code.kind, name: code.name, has: (name) => code.has(name), call };
      },
    };
  };
  const experiment = await Experiment.open(spec, { ...host, openDefinitions });
  const events = await runToEnd(experiment);
  experiment.dispose();
  const run = new RunLog();
  for (const event of events) run.append(event);
  const episode = run.episodes("turn-ppo", 2).find(({ turns }) => turns.length > 1)!;
  expect(promptOf(spec, episode, 1).problem).toMatch(/echo cannot run here/);
  answerEstimates(async (definition, input) => {
    expect(trainedOn).toContain(JSON.stringify(input));
    const codes = await host.openDefinitions!([definition]);
    return codes.get(definition).call("prompt", input);
  });
  let tried = promptOf(spec, episode, 1);
  expect(tried.problem).toBe("echo is being computed.");
  for (let i = 0; i < 50 && tried.problem !== null; i++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    tried = promptOf(spec, episode, 1);
  }
  expect(tried.problem).toBeNull();
  const text = tried.parts!.flatMap(({ tokens }) => tokens).join("");
  expect(text).toMatch(/You moved|Your last answer had no move/);
});
