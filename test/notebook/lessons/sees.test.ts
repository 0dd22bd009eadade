/** The numbers of the lesson on what a model sees are those of the talker's recorded run, of its prompts, and of the engine's advantages. */
import { beforeAll, describe, expect, it } from "vitest";
import { readExperiment } from "../../../src/notebook/cells/experiment/experiment.ts";
import { gae } from "../../../src/method/credit/gae.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import type { ExperimentSpec, SokobanSpec } from "../../../src/spec/experiment.ts";
import { sokobanPrompts } from "../../../src/text/sokobanPrompts.ts";
import {
  bodyOf,
  exploreIn,
  expectAnswer,
  lessonText,
  quizOf,
  recordedRun,
  shownIn,
} from "../../fixtures/lesson.ts";

let spec: ExperimentSpec;
let episode: EpisodeRecord;
let cut: EpisodeRecord;
beforeAll(async () => {
  const log = await recordedRun("talker");
  spec = log.start!.spec;
  episode = log.episodes("turn-ppo", 10)[3]!;
  cut = log.episodes("turn-ppo", 12)[6]!;
});

/** Ids of the episode's queries, turn by turn, and a name for each id. */
function queriesOf({ turns }: EpisodeRecord, context: "full" | "turn") {
  const environment = spec.environment as SokobanSpec;
  const prompter = sokobanPrompts(environment, context);
  let actionsLeft = environment.maxActions;
  let asked: readonly number[] | undefined;
  const queries = turns.map(({ observation }, h) => {
    const before = turns[h - 1];
    actionsLeft -= before?.actions?.length ?? 0;
    const view = {
      ...{ turnsLeft: environment.maxTurns - h, actionsLeft },
      ...{ envReward: before?.reward ?? 0, formatPenalty: 0 },
    };
    const said = before?.tokens.map(({ id }) => id);
    asked = prompter.query(observation, view, h, said, asked);
    return asked;
  });
  return { queries, name: (id: number) => prompter.tokenText(id) };
}

describe("the conversation", () => {
  it("has as many tokens, read and written, as the lesson counts", () => {
    const read = queriesOf(episode, "full").queries.map(({ length }) => length);
    const written = episode.turns.map(({ tokens }) => tokens.length);
    expect([read, written]).toEqual([
      [259, 126, 126],
      [23, 32, 30],
    ]);
    const sum = (all: number[]) => all.reduce((a, b) => a + b, 0);
    const { question, explanation, options } = quizOf("sees", "written");
    expect(question).toContain(`has ${sum(read) + sum(written)} tokens`);
    expect(options[0]).toBe(`${sum(written)}, one in seven`);
    expect(Math.round(596 / sum(written))).toBe(7);
    expect(options[2]).toContain(`${596 - read[0]!}`);
    expect(explanation).toContain(`other ${sum(read)}`);
  });

  it("opens the thought in the prompt, and closes turn and answer in the response", () => {
    const { queries, name } = queriesOf(episode, "full");
    const [query, next] = queries.map((ids) => Array.from(ids, name));
    const said = episode.turns[0]!.tokens.map(({ text }) => text);
    expect(query!.slice(-2).map((one) => one.trim())).toEqual(["", "<think>"]);
    expect([said[0], ...said.slice(-3)]).toEqual(["box", "Down", "</answer>", "<|im_end|>"]);
    expect(next!.slice(0, 2).map((one) => one.trim())).toEqual(["", "<|im_start|>"]);
    const { tokens, lengths } = exploreIn("sees", "mask").data;
    expect(tokens).toEqual([
      "⏎",
      "<think>",
      "box",
      "…",
      "Down",
      "</answer>",
      "<|im_end|>",
      "⏎",
      "<|im_start|>",
    ]);
    expect(lengths).toEqual([2, 5, 2]);
    expect(bodyOf("sees", "mask")).toContain(`stands for ${said.length - 4} tokens`);
  });

  it("loses what the lesson says when the mask is off by one", () => {
    const says = (shift: number) => shownIn("sees", "mask", { shift }).says;
    expect(says(0)).toContain("nothing else");
    expect(says(1)).toMatch(/^“box” of the model gets no credit\. “⏎” of the prompt/);
    expect(says(-1)).toMatch(/^“<\|im_end\|>” of the model .* “<think>” of the prompt/);
    expect(says(-2)).toContain("“⏎” and “<think>” of the prompt");
  });
});

describe("the context", () => {
  it("grows as the talker's prompts do, and one turn alone costs the same every time", () => {
    expect(exploreIn("sees", "growth").data.lengths).toEqual([259, 126]);
    const alone = queriesOf(episode, "turn").queries.map(({ length }) => length);
    expect(alone).toEqual([259, 258, 258]);
    const reads = (moved = {}) => shownIn("sees", "growth", moved).rows[0]!.values;
    expectAnswer("sees", "read", reads()[4]!);
    expectAnswer("sees", "read", 259 + 4 * (126 + 28));
    expect(shownIn("sees", "growth").says).toContain("Of 903 tokens it wrote 140");
  });

  it("is full where the lesson says, and holds ten turns of 64 tokens", () => {
    const says = (moved: Record<string, number>) => shownIn("sees", "growth", moved).says;
    expect(says({ tokens: 68, room: 1024 })).toContain(
      `full in turn ${quizOf("sees", "room").answer}.`,
    );
    expect(shownIn("sees", "growth", { tokens: 68 }).rows[0]!.values).toEqual([
      259, 453, 647, 841, 1035,
    ]);
    expect(says({ turns: 10, tokens: 64 })).toContain("All turns fit");
    expect(says({ turns: 10, tokens: 68 })).toContain("full in turn 10");
  });
});

describe("an episode that is cut", () => {
  const last = (of: number, bootstrap: number) =>
    shownIn("sees", "cut", { cut: of, bootstrap }).rows[2]!.values[of - 1]!;

  it("is the recorded one, solved in turn 3", () => {
    const { rewards, values } = exploreIn("sees", "cut").data;
    expect(rewards).toEqual(cut.turns.map(({ reward }) => reward));
    cut.turns.forEach(({ value }, h) => expect(values![h]).toBeCloseTo(value!, 5));
    expect(cut.success).toBe(true);
  });

  it("credits its last turn as the engine does, with and without the bootstrap", () => {
    const credit = (bootstrap: number) =>
      gae({
        reward: Float64Array.from(cut.turns.slice(0, 2), ({ reward }) => reward),
        value: Float64Array.from(cut.turns.slice(0, 2), ({ value }) => value!),
        start: Int32Array.of(0, 2),
        bootstrap: Float64Array.of(bootstrap),
        gamma: 0.99,
        lambda: 0.9,
      }).adv[1]!;
    expectAnswer("sees", "bootstrapped", credit(cut.turns[2]!.value!));
    expect(last(2, 1)).toBeCloseTo(credit(cut.turns[2]!.value!), 5);
    expect(last(2, 0)).toBeCloseTo(credit(0), 5);
    expect(credit(0).toFixed(3)).toBe("-5.717");
    expect([last(1, 1).toFixed(2), last(1, 0).toFixed(2)]).toEqual(["-2.89", "-8.35"]);
    expect(lessonText("teacher/sees")).toContain("−2.89 against −8.35");
  });

  it("is counted as over in every recorded run", () => {
    expect(spec.optimisation.bootstrapOnTruncation).toBe(false);
  });
});

it("trains the talker on the whole conversation", () => {
  const { spec: live, remarks } = readExperiment(bodyOf("sees", "live"));
  expect(remarks).toEqual([]);
  expect([live.context, live.optimisation.iterations]).toEqual(["full", 2]);
});
