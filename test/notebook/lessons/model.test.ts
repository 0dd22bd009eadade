/** The numbers of the lesson on language models are those of the recorded run, of nano's files and of the formulas. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { openNodeEngine } from "../../../src/cli/engine.ts";
import { loadModelFolder } from "../../../src/model/folder.ts";
import { readFields } from "../../../src/notebook/cellFields.ts";
import { softmax } from "../../../src/numeric/deterministic.ts";
import { temperatureFigure } from "../../../src/panels/explore/tokenFigures.ts";
import type { EpisodeRecord } from "../../../src/record/runEvent.ts";
import type { RunLog } from "../../../src/reading/log/runLog.ts";
import { sokobanTokenizer } from "../../../src/text/domainVocabulary.ts";
import { compactSokoban } from "../../../src/text/sokobanPrompts.ts";
import { bodyOf, expectAnswer, lessonText, recordedRun } from "../../fixtures/lesson.ts";

const NANO = join(import.meta.dirname, "../../../public/models/nano-sokoban");

let log: RunLog;
let episode: EpisodeRecord;
beforeAll(async () => {
  log = await recordedRun("nano");
  episode = log.episodes("turn-ppo", 1)[10]!;
});

/** What nano reads before the episode's turn `turn`, from 0. */
function queryOf(turn: number): number[] {
  const view = { turnsLeft: 5 - turn, actionsLeft: 10 - turn };
  return compactSokoban({ context: "turn" }).query(episode.turns[turn]!.observation, view, turn);
}

/** Logits of the next token, [V], by the model before training. */
async function logitsAfter(ids: number[]): Promise<Float32Array> {
  const { config, weights } = await loadModelFolder((name) => readFile(join(NANO, name)));
  const engine = await openNodeEngine({ name: "wasm", backend: "auto" });
  const model = await engine.createModel(config, weights, "none");
  const L = ids.length;
  const position = Int32Array.from({ length: L }, (_, t) => t); // [1, L]
  const rows = { B: 1, L, ids: Int32Array.from(ids), position, segment: new Int32Array(L) };
  const { logits } = await model.forward({ rows, temperature: 1, logits: true });
  const last = logits!.slice((L - 1) * config.vocabSize); // [V]
  engine.dispose();
  return last;
}

const probability = (turn: number, token: number) =>
  Math.exp(episode.turns[turn]!.tokens![token]!.oldLogprob);
const figureOf = () => readFields("explore", bodyOf("model", "temperature")).value!;

describe("the lesson on language models", () => {
  it("shows the episode that it speaks of", () => {
    for (const id of ["ribbon", "tokens"])
      expect(bodyOf("model", id)).toContain("at: turn-ppo,1,11,1");
    expect(episode.turns.map(({ text }) => text)).toEqual(["Left", "Right", "Right"]);
    expect(episode.success).toBe(true);
    // Left, into the wall, changed nothing.
    expect(episode.turns[1]!.observation).toBe(episode.turns[0]!.observation);
    expect(episode.turns[0]!.reward).toBeCloseTo(-0.1, 6);
    expect(episode.turns[0]!.observation).toContain("#PX_O#");
  });

  it("has the tokens' probabilities, and their product", () => {
    expect(probability(0, 0)).toBeCloseTo(0.207, 3);
    expect(probability(0, 1)).toBeCloseTo(0.465, 3);
    expectAnswer("model", "product", probability(0, 0) * probability(0, 1));
    expect(Math.log(probability(0, 0))).toBeCloseTo(-1.576, 3);
    expect(Math.log(probability(0, 1))).toBeCloseTo(-0.767, 3);
    expect(probability(1, 0)).toBeCloseTo(0.51, 2);
  });

  it("reads a token a cell and three more, as the command has them", () => {
    const ids = queryOf(0);
    expectAnswer("model", "reads", ids.length);
    const command = lessonText("model").replaceAll("\\\n", "");
    expect(command).toContain(`--ids ${ids.join(",")}\n`);
  });

  it("has the logits that nano computes, and they gave the recorded probabilities", async () => {
    const { tokens = [], logits: shown = [] } = figureOf().data;
    const logits = await logitsAfter(queryOf(0));
    const named = tokens.map((one) => sokobanTokenizer().id(one === "end" ? "<|im_end|>" : one));
    const others = [...logits.keys()].filter((id) => !named.includes(id));
    [...named, ...others].forEach((id, i) => expect(shown[i]).toBeCloseTo(logits[id]!, 2.9));
    expect(shown).toHaveLength(64);
    const p = softmax(logits);
    const { id, entropy } = episode.turns[0]!.tokens![0]!;
    expect(p[id]).toBeCloseTo(probability(0, 0), 4);
    expect(p[sokobanTokenizer().id("Right")]).toBeCloseTo(0.45, 2);
    expect(Math.max(...p)).toBe(p[sokobanTokenizer().id("Right")]);
    expect(entropy).toBeCloseTo(1.42, 2);
    expect(temperatureFigure.show({}, figureOf().data).says).toContain("1.42 nats");
  });

  it("says what the temperature does", () => {
    const at = (temperature: number) =>
      temperatureFigure.show({ temperature }, figureOf().data).rows[0]!.values as number[];
    expectAnswer("model", "hot", at(3).at(-1)!);
    expect(at(1).at(-1)).toBeCloseTo(0.008, 3);
    expect(at(0.1)[0]).toBeGreaterThan(0.99);
    // The exercise: the largest T of the handle.
    expect(at(0.3)[0]).toBeGreaterThan(0.8);
    expect(at(0.4)[0]).toBeLessThan(0.8);
  });

  it("says how much surer the recorded policy became", () => {
    const entropyAt = (iteration: number) => {
      const first = log
        .episodes("turn-ppo", iteration)
        .flatMap(({ turns }) => turns.map(({ tokens }) => tokens![0]!.entropy!));
      return first.reduce((a, b) => a + b, 0) / first.length;
    };
    expect(log.episodes("turn-ppo", 1)).toHaveLength(32);
    expect(entropyAt(1)).toBeCloseTo(1.16, 2);
    expect(entropyAt(100)).toBeCloseTo(0.32, 2);
    expect(Math.log(64)).toBeCloseTo(4.16, 2);
  });

  it("says of nano what its files say", async () => {
    const nano = JSON.parse(await readFile(join(NANO, "turnbook.json"), "utf8")) as {
      command: string;
      metrics: Record<string, number>;
    };
    expect(lessonText("model")).toContain(nano.command);
    expect(nano.metrics["sft/demonstrations"]).toBe(496);
    expect(nano.metrics["val-env/sokoban/success"]).toBeCloseTo(0.2, 2);
  });
});
