import { describe, expect, it } from "vitest";
import { judgeThought } from "../../src/env/sokoban/judgeThought.ts";
import { thoughtIn } from "../../src/env/thoughtBlock.ts";
import type { SokobanEnv } from "../../src/env/sokoban/sokobanEnv.ts";
import { mean } from "../../src/numeric/statistics.ts";
import { runWhole } from "../../src/numeric/sliced.ts";
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { checkpointFolder } from "../../src/spec/checkpointFolder.ts";
import { talkerTemplate, talkerTokenizer } from "../../src/text/talkerTokenizer.ts";
import type { Message } from "../../src/text/chatTemplate.ts";
import type { TokenRow } from "../../src/text/tokenRow.ts";
import { maskAt } from "../../src/train/columns.ts";
import { placeRows } from "../../src/train/episodes.ts";
import { demonstrationRows } from "../../src/train/clone.ts";
import { growModel } from "../../src/model/growModel.ts";
import { presetConfig } from "../../src/model/initModel.ts";
import { checkPositions } from "../../src/train/positions.ts";
import {
  cloneWeights,
  configOf,
  prepareModel,
  taskFamilyOf,
  type CloneKeeper,
  type CloneState,
} from "../../src/train/warmStart.ts";
import { askedLearner, openGame, spoken } from "../../src/runtime/services/asked.ts";
import { Experiment } from "../../src/train/experiment.ts";
import { host, ofType, runSpec } from "./support.ts";

const SEEDS = [900_001, 900_002, 900_003, 900_004];
const tokenizer = talkerTokenizer();
const specOf = (changes: PartialSpec = {}) => toSpec({ preset: "talker-nano-24", ...changes });
const quiet = (changes: PartialSpec = {}) =>
  specOf({ clone: { noise: 0, misread: 0 }, ...changes });
const rowsOf = (spec: ExperimentSpec, seeds: number[] = SEEDS) =>
  runWhole(demonstrationRows(taskFamilyOf(spec), spec, seeds));

/** The responses of a row, as texts. */
const responses = (row: TokenRow) =>
  row.stateEnd.map((end, h) => tokenizer.decode(row.ids.slice(end + 1, row.turnEnd[h]! + 1)));

/** The messages of a conversation as text. */
function messagesOf(text: string): Message[] {
  const parts = text.split("<|im_start|>").slice(1);
  return parts.map((part) => {
    const [role, ...lines] = part.split("\n");
    return {
      role: role as Message["role"],
      content: lines.join("\n").replace(/<\|im_end\|>\n?$/, ""),
    };
  });
}

/** The marks of a thought that is right in all. */
const SOUND = {
  thought_reads: true,
  thought_agrees: true,
  thought_fits: true,
  thought_works: true,
};

describe("the solver that speaks", () => {
  it.each([0, 8, 24, 64, 128] as const)("solves its levels, thoughts of %i tokens", (thought) => {
    const spec = quiet({ environment: { thought } });
    const { world, demonstrate } = taskFamilyOf(spec);
    for (const seed of SEEDS) {
      const env = world.create(seed) as unknown as SokobanEnv;
      env.reset(seed);
      let solved = false;
      for (const ids of runWhole(demonstrate(seed))!.responses) {
        const said = world.prompter.answer(ids, {});
        const step = env.step(said);
        expect(step.info.formatPenalty).toBe(0);
        solved = step.terminated;
        if (thought === 0) continue;
        expect(step.info.turnMarks).toEqual(SOUND);
      }
      expect(solved).toBe(true);
    }
  });

  it("slips on a share of turns, in what it sees or in what it does", () => {
    const spec = specOf({ clone: { noise: 0.3, misread: 0.4 } });
    const { world, demonstrate } = taskFamilyOf(spec);
    const turns = Array.from({ length: 40 }, (_, i) => 900_001 + i).flatMap((seed) => {
      const env = world.create(seed) as unknown as SokobanEnv;
      env.reset(seed);
      return (runWhole(demonstrate(seed))?.responses ?? []).map((ids) => {
        const { board } = env;
        const said = world.prompter.answer(ids, {});
        const { info } = env.step(said);
        return { board, said, marks: info.turnMarks! };
      });
    });
    const misread = turns.filter(({ marks }) => !marks["thought_fits"] || !marks["thought_works"]);
    expect(misread.length / turns.length).toBeGreaterThan(0.3);
    expect(misread.length / turns.length).toBeLessThan(0.8);
    expect(turns.every(({ marks }) => marks["thought_reads"] && marks["thought_agrees"])).toBe(
      true,
    );
    const { board, said } = misread[0]!;
    const { fits, works } = judgeThought(board, thoughtIn(said)!, []);
    expect(fits && works).toBe(false);
  });

  it("that always strays tells true thoughts about random moves, and need not finish", () => {
    const spec = specOf({ clone: { noise: 1, misread: 0 } });
    const family = taskFamilyOf(spec);
    const first = SEEDS.flatMap((seed) => {
      const env = family.world.create(seed) as SokobanEnv;
      env.reset(seed);
      const { responses: said } = runWhole(family.demonstrate(seed))!;
      return said.map((ids) => env.step(family.world.prompter.answer(ids, {})).info);
    });
    for (const { turnMarks } of first) expect(turnMarks).toEqual(SOUND);
    expect(new Set(first.flatMap(({ actions }) => actions)).size).toBe(4);
    expect(first.length).toBeGreaterThan(3 * SEEDS.length);
  });

  it("takes turns through the lengths that a spec clones", () => {
    const spec = quiet({ clone: { noise: 0, misread: 0, thoughts: [0, 8] } });
    const families = ([0, 8] as const).map((thought) =>
      taskFamilyOf({ ...spec, environment: { ...spec.environment, thought } as never }),
    );
    const rows = runWhole(demonstrationRows(families, spec, SEEDS));
    const asks = rows.map(({ ids }) => /about (\d+) tokens/.exec(tokenizer.decode(ids))?.[1]);
    expect(asks).toEqual([undefined, "8", undefined, "8"]);
  });
});

describe("a chat", () => {
  const seed = SEEDS.find((one) => rowsOf(quiet(), [one])[0]!.stateEnd.length > 2)!;

  it("is what Qwen3's template renders", () => {
    const [row] = rowsOf(quiet(), [seed]);
    const text = tokenizer.decode(row!.ids);
    // The template strips thoughts of earlier answers; so they are hidden from it here.
    const hidden = (s: string) => s.replaceAll("think>", "THINK>");
    const messages = messagesOf(hidden(text));
    const asked = talkerTemplate()(messages.slice(0, -1), { addGenerationPrompt: true });
    expect(hidden(text)).toBe(`${asked}${messages.at(-1)!.content}<|im_end|>`);
  });

  it("is the same with earlier thoughts stripped, a row a turn", () => {
    const spec = quiet({ context: "turn", environment: { earlierThoughts: "stripped" } });
    const [row] = rowsOf(spec, [seed]);
    const [whole] = rowsOf(quiet(), [seed]);
    const messages = messagesOf(tokenizer.decode(whole!.ids));
    row!.stateEnd.forEach((end, h) => {
      const start = row!.segment.indexOf(h);
      const query = tokenizer.decode(row!.ids.slice(start, end + 1));
      const before = messages.slice(0, 2 * h + 2);
      expect(query).toBe(`${talkerTemplate()(before, { addGenerationPrompt: true })}<think>`);
    });
    expect(responses(row!)).toEqual(responses(whole!));
  });

  it("asks for answers alone without thoughts", () => {
    const [row] = rowsOf(quiet({ environment: { thought: 0 } }), [seed]);
    const text = tokenizer.decode(row!.ids);
    // Qwen3's own switch: a think block that is already closed.
    expect(text).not.toContain("your thoughts");
    expect(text).toContain("assistant\n<think>\n\n</think>\n\n<answer>");
    expect(responses(row!)[0]).toMatch(/^(Up|Down|Left|Right)/);
  });
});

describe("a spec with thoughts in words", () => {
  it.each([
    [{ environment: { think: true } }, "environment.think is true; with environment.thought 24"],
    [{ environment: { thought: 7 } }, "environment.thought is 7; it must be 0 or 8 or 24"],
    [{ environment: { earlierThoughts: "stripped" } }, 'it needs context "turn"'],
    [
      { context: "turn", environment: { thought: 0, earlierThoughts: "stripped" } },
      "an environment.thought above 0",
    ],
  ])("refuses %j", (changes, message) => {
    expect(() => specOf(changes)).toThrow(message);
  });

  it.each([
    [{ thoughts: [8] }, "clone.thoughts is [8]"],
    [{ misread: 0.1 }, "clone.misread is 0.1"],
    [{ language: 5 }, "clone.language is 5"],
  ])("refuses %j where there are no words", (clone, message) => {
    expect(() => toSpec({ preset: "nano", clone })).toThrow(message);
  });

  it("is refused before the run if its chat outgrows the model", () => {
    const long = specOf({ environment: { maxTurns: 20, maxActions: 40 } });
    const family = taskFamilyOf(long);
    expect(() => checkPositions(long, family, configOf(long, family))).toThrow(
      /environment.maxTurns is 20; its chat may have \d+ tokens, and the model has 2048 positions: at most \d+ turns fit/,
    );
    const short = specOf();
    checkPositions(short, taskFamilyOf(short), { maxPositions: 2048 });
  });

  it("starts from one checkpoint at every length", () => {
    expect(checkpointFolder(specOf())).toBe("models/talker-nano-sokoban");
    expect(checkpointFolder(toSpec({ preset: "talker-nano" }))).toBe("models/talker-nano-sokoban");
  });
});

const TINY = {
  model: { warmStart: "clone" },
  clone: { levels: 4, steps: 3, batch: 2, language: 1, thoughts: [8] },
  optimisation: { iterations: 1, tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1 },
  critic: { warmup: 0, epochs: 1 },
  evaluation: { levels: 2, every: 1 },
  environment: { thought: 8, maxTurns: 2 },
} as const;

describe("cloning", () => {
  it("goes on after a stop as if there had been none", async () => {
    const spec = toSpec({ preset: "talker-nano", ...TINY });
    const family = taskFamilyOf(spec);
    const config = configOf(spec, family);
    const cloned = async (keeper?: CloneKeeper) =>
      cloneWeights(spec, await host(), family, config, keeper);
    let kept: CloneState | null = null;
    const straight = await cloned({
      found: null,
      afterStep: async (step, read) => {
        if (step === 2) kept = structuredClone(await read());
      },
    });
    const steps: number[] = [];
    const resumed = await cloned({
      found: kept,
      afterStep: async (step) => void steps.push(step),
    });
    expect(steps).toEqual([3]);
    expect(resumed.weights).toEqual(straight.weights);
  });

  it("learns what it reads where the spec says so", async () => {
    const cloned = async (reading: number) => {
      const clone = { ...TINY.clone, steps: 8, lr: 3e-3, reading };
      const spec = toSpec({ preset: "talker-nano", ...TINY, clone });
      const family = taskFamilyOf(spec);
      const config = configOf(spec, family);
      const { engine } = await host();
      const { weights } = await cloneWeights(spec, await host(), family, config);
      const model = await engine.createModel(config, weights, "none");
      const { rows } = placeRows(rowsOf(spec, [SEEDS[0]!]));
      const asked = Array.from({ length: 200 }, (_, t) => t + 1);
      const { logprob } = await model.forward({
        ...{ rows, temperature: 1 },
        mask: maskAt(rows, Int32Array.from(asked)),
      });
      model.dispose();
      return mean(asked.map((t) => logprob[t]!));
    };
    expect(await cloned(1)).toBeGreaterThan((await cloned(0)) + 0.3);
  });

  it("starts from a smaller model grown to its shape, whose play it has", async () => {
    const clone = { ...TINY.clone, steps: 1, lr: 0, language: 0, grow: "talker-nano" };
    const grown = toSpec({ preset: "talker", ...TINY, clone });
    const small = toSpec({ preset: "talker-nano" });
    const rows = placeRows(rowsOf(small, SEEDS.slice(0, 2))).rows;
    const logprobs = async (spec: ExperimentSpec) => {
      const { config, weights } = await prepareModel(spec, await host(), false);
      const model = await (await host()).engine.createModel(config, weights, "none");
      const { logprob } = await model.forward({ rows, temperature: 1 });
      model.dispose();
      return logprob;
    };
    const [expected, found] = [await logprobs(small), await logprobs(grown)];
    expect(Math.max(...expected.map((x, t) => Math.abs(x - found[t]!)))).toBeLessThan(1e-3);
    const [from, to] = [presetConfig("talker-nano"), presetConfig("talker")];
    for (const [changes, message] of [
      [{ hiddenSize: 200 }, "hiddenSize is 200; to grow it must be a multiple of 96"],
      [{ layers: 4 }, "layers is 4; to grow it must be a multiple of 3"],
      [{ kvHeads: 12 }, "heads are 12 of 12 keys; to grow each key must have 2 heads"],
      [{ headDim: 32 }, "headDim is 32; to grow it must be 16"],
    ] as const)
      expect(() => growModel(new Map(), from, { ...to, ...changes }, 1)).toThrow(message);
  });

  it("starts a run, which records what its thoughts are worth", async () => {
    const { events } = await runSpec(toSpec({ preset: "talker-nano", ...TINY }));
    const [iteration] = ofType(events, "iteration");
    expect(iteration!.metrics).toMatchObject({
      "sokoban/thought_reads": expect.any(Number),
      "sokoban/thought_agrees": expect.any(Number),
      "sokoban/thought_fits": expect.any(Number),
      "sokoban/thought_works": expect.any(Number),
    });
  });
});

describe("a typed response", () => {
  it("with a thought alone is answered by the policy, the same each time", async () => {
    const experiment = await Experiment.open(
      toSpec({ preset: "talker-nano", ...TINY, model: { warmStart: "none" } }),
      await host(),
    );
    const service = { experiment, progress: () => undefined, gate: () => Promise.resolve() };
    const { player } = askedLearner(service, "turn-ppo");
    const { state } = openGame(player, { name: "level", seed: 3 });
    const hear = async (text: string) => {
      const ids = await spoken(player, text, state, { seed: 1, iteration: 0 });
      return ids.map(player.world.prompter.tokenText).join("");
    };
    const answered = await hear("<think>go up.</think>");
    expect(answered.startsWith("go up.</think>")).toBe(true);
    expect(answered.length).toBeGreaterThan("go up.</think>".length);
    expect(answered).not.toBe("go up.</think><answer></answer><|im_end|>");
    expect(await hear("<think>go up.</think>")).toBe(answered);
    expect(await hear("<think>go up.</think>Up")).toBe(
      "go up.</think><answer>Up</answer><|im_end|>",
    );
    experiment.dispose();
  });
});
