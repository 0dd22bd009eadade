/** verl's dumps against the one truth behind them: groups, turns, rewards and GRPO's advantages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { words } from "../../src/interchange/import/words.ts";
import { Sessions, verlWords } from "../../src/interchange/import/verl.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { creditOf } from "../../src/reading/credit/rowCredit.ts";
import { readImport } from "../../src/reading/log/readImport.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";

const folder = join(import.meta.dirname, "..", "fixtures", "import", "verl");
const textOf = (path: string) => readFileSync(join(folder, path), "utf8");
const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
const read = async (files: Record<string, string>) => {
  const all = Object.entries(files).map(([name, text]) => file(name, text));
  const { facts, bytes, index } = await readImport(all);
  return { facts, log: logOf(bytes, index.events) };
};
const dump = (...paths: string[]) =>
  read(Object.fromEntries(paths.map((path) => [path, textOf(path)])));

interface TrueEpisode {
  task: string;
  score: number;
  grpo: number;
  /** Text, and what the environment answered. */
  turns: [string, string | null][];
}
const truth = JSON.parse(textOf("truth.json")) as Record<string, TrueEpisode[]>;

/** Everything that must agree, in an order of its own: tasks are known by who is in them. */
function summary(episodes: readonly EpisodeRecord[]): string[] {
  const { batch, credit } = creditOf(resolveAlgorithm("grpo"), episodes).ok!;
  expect(batch.turnReward).toHaveLength(episodes.flatMap(({ turns }) => turns).length);
  let k = 0;
  const rows = episodes.map(({ task, reward, turns }) => ({
    task,
    said: turns.map(({ text }) => text),
    heard: turns.slice(1).map(({ observation }) => observation),
    reward,
    advantages: turns.map(() => credit.turnAdvantage[k++]!.toFixed(4)),
  }));
  return grouped(rows);
}

function grouped(rows: readonly { task: string }[]): string[] {
  const tasks = [...new Set(rows.map(({ task }) => task))];
  return tasks
    .map((name) => {
      const members = rows.filter(({ task }) => task === name);
      return members.map(({ task: _, ...row }) => JSON.stringify(row)).sort();
    })
    .map((members) => members.join("\n"))
    .sort();
}

function trueSummary(step: number): string[] {
  return grouped(
    truth[step]!.map(({ task, score, grpo, turns }) => ({
      task,
      said: turns.map(([text]) => text),
      heard: turns.slice(0, -1).map(([, obs]) => `<tool_response>\n${obs}\n</tool_response>`),
      reward: score,
      advantages: turns.map(() => grpo.toFixed(4)),
    })),
  );
}

describe("verl's dumps hold their truth", () => {
  const mean = (step: number) =>
    truth[step]!.reduce((sum, { score }) => sum + score, 0) / truth[step]!.length;

  it.each(["legacy", "v1", "multi/rollout"])("as %s", async (kind) => {
    const { log, facts } = await dump(`${kind}/1.jsonl`, `${kind}/2.jsonl`);
    expect(log.algorithms).toEqual(["verl"]);
    for (const step of [1, 2]) {
      expect(summary(log.episodes("verl", step))).toEqual(trueSummary(step));
      expect(log.series("verl", "critic/score/mean").y[step - 1]).toBeCloseTo(mean(step), 12);
    }
    expect(log.series("verl", "num_turns/mean").y[0]).toBe(2.75);
    expect(facts.warnings).toEqual([]);
    expect(facts.notes.includes(verlWords.keys)).toBe(kind !== "legacy");
    expect(facts.notes.includes(verlWords.outputs)).toBe(kind === "multi/rollout");
    expect(facts.notes).not.toContain(verlWords.unsure);
    expect(facts.notes).not.toContain(verlWords.unknownTemplate);
  });

  it("of rollouts and of validation under the same names, apart", async () => {
    const { log, facts } = await dump("multi/rollout/1.jsonl", "multi/validation/1.jsonl");
    expect(log.algorithms).toEqual(["verl", "verl-validation"]);
    for (const name of log.algorithms)
      expect(summary(log.episodes(name, 1))).toEqual(trueSummary(1));
    // Of an episode with several outputs, the reward function's columns count once, too.
    expect(log.series("verl-validation", "reward/mean").y).toEqual([mean(1)]);
    expect(log.series("verl-validation", "episodes/success").y).toEqual([mean(1)]);
    expect(facts.notes.join()).toContain("-validation: multi/validation/1.jsonl");
  });
});

const row = (fields: object) =>
  `${JSON.stringify({ input: "user\nQ\nassistant\n", output: "A", score: 1, ...fields })}\n`;

describe("uids of trainer V1", () => {
  const grpoOf = async (uids: readonly string[], scores: readonly number[]) => {
    const text = uids.map((uid, i) => row({ uid, score: scores[i], output: `A${i}`, step: 1 }));
    const { log, facts } = await read({ "1.jsonl": text.join("") });
    const episodes = log.episodes("verl", 1);
    const { credit } = creditOf(resolveAlgorithm("grpo"), episodes).ok!;
    const tasks = new Set(episodes.map(({ task }) => task)).size;
    return { tasks, episodes, facts, A: [...credit.turnAdvantage].map((one) => one.toFixed(3)) };
  };

  it("are split from the right, whatever the task is called", async () => {
    const { tasks, A } = await grpoOf(
      ["a_b_0_7_0_0", "a_b_0_7_1_0", "a_b_0_7_2_0", "a_b_0_7_3_0"],
      [1, 0, 1, 0],
    );
    expect([tasks, ...A]).toEqual([1, "0.866", "-0.866", "0.866", "-0.866"]);
  });

  it("are none where several answers have the same one, or outputs do not count from 0", async () => {
    expect((await grpoOf(["q_1_1", "q_1_1", "q_1_2", "q_1_2"], [1, 0, 1, 0])).tasks).toBe(2);
    expect((await grpoOf(["math_12_3", "math_12_4"], [1, 0])).episodes).toHaveLength(2);
  });

  it("of sessions without an early output, or with several scores, are said", async () => {
    const uid = "48bb30e5-08bb-59ae-9eea-1d937a0d852e";
    const late = await grpoOf([`${uid}_0_1`, `${uid}_1_0`], [1, 0]);
    expect(late.tasks).toBe(1);
    expect(late.facts.warnings).toEqual([verlWords.incomplete]);
    const two = await grpoOf([`${uid}_0_1`, `${uid}_0_0`, `${uid}_1_0`], [1, 0, 0]);
    expect(two.episodes.map(({ reward }) => reward)).toEqual([1, 0]);
    expect(two.episodes[0]!.turns.map(({ text }) => text)).toEqual(["A1", "A0"]);
    expect(two.facts.warnings).toEqual([verlWords.scores]);
  });
});

describe("sessions of a file of any size", () => {
  const WINDOW = 1000;
  /** Number of rows and of characters held at most, and the sessions in the order in which they came. */
  const through = (sessions: number, outputs: number) => {
    const held = new Sessions(WINDOW);
    const came: string[] = [];
    let [taken, given, most] = [0, 0, 0];
    const give = (all: ReturnType<Sessions["end"]>) => {
      for (const { rows, incomplete, keyed } of all) {
        given += rows.length;
        came.push(`${String(rows[0]!["uid"])} ${rows.length} ${keyed && !incomplete}`);
      }
    };
    for (let i = 0; i < sessions * outputs; i++) {
      const uid = `00000000-0000-4000-8000-000000000000_${Math.floor(i / outputs)}_${i % outputs}`;
      held.take({ uid, input: "q", output: "x".repeat(98) }, 1, "");
      taken++;
      most = Math.max(most, taken - given);
      give(held.overflow());
    }
    give(held.end());
    return { most, came };
  };

  it("are whole, and at most a window of rows and one session are held at once", () => {
    for (const outputs of [1, 3, 7]) {
      const { most, came } = through(400, outputs);
      expect(most).toBeLessThanOrEqual(WINDOW / 100 + 1 + outputs);
      expect(came).toEqual(
        Array.from(
          { length: 400 },
          (_, k) => `00000000-0000-4000-8000-000000000000_${k}_0 ${outputs} true`,
        ),
      );
    }
    expect(through(800, 3).most).toBe(through(400, 3).most);
  });
});

describe("files of several folders or steps", () => {
  it("of one name are never averaged", async () => {
    const { log, facts } = await read({
      "a/10.jsonl": row({ score: 0, step: 10 }),
      "b/10.jsonl": row({ score: 1, step: 10 }),
      "b/val_10.jsonl": row({ score: 5, step: 10 }),
    });
    const scores = log.algorithms.map((name) => log.series(name, "critic/score/mean").y);
    expect(log.algorithms).toEqual(["verl-a", "verl-b", "verl-validation"]);
    expect(scores).toEqual([[0], [1], [5]]);
    expect(facts.notes.join()).toContain("never averaged");
  });

  it("are runs of their own also where a link could not carry their names", async () => {
    const { log } = await read({
      "甲/1.jsonl": row({ score: 0 }),
      "乙/1.jsonl": row({ score: 1 }),
      "1 (2).jsonl": row({ score: 2 }),
    });
    const scores = log.algorithms.map((name) => log.series(name, "critic/score/mean").y);
    expect(scores.flat().sort()).toEqual([0, 1, 2]);
  });

  it("are of the step that folder or name says", async () => {
    const stepsOf = async (...names: string[]) => {
      const files = names.map((name, i) => [name, row({ score: i })] as const);
      const { log, facts } = await read(Object.fromEntries(files));
      return { x: log.algorithms.map((name) => log.series(name, "critic/score/mean").x), facts };
    };
    const folders = await stepsOf("global_step_20/rank_0.jsonl", "global_step_30/rank_0.jsonl");
    expect(folders.x).toEqual([[20, 30]]);
    expect((await stepsOf("out/3/x.jsonl", "out/4/x.jsonl")).x).toEqual([[3, 4]]);
    expect((await stepsOf("rollouts_7.jsonl", "rollouts-step9.jsonl")).x).toEqual([[7, 9]]);
    expect((await stepsOf("seed1_10.jsonl", "seed2_10.jsonl")).x).toEqual([[10], [10]]);
    expect((await stepsOf("exp_1/10.jsonl", "exp_2/10.jsonl")).x).toEqual([[10], [10]]);
    const shards = await stepsOf("step_5/rank_0.jsonl", "step_5/rank_1.jsonl");
    expect(shards.x).toEqual([[5]]);
    const none = await stepsOf("part_a/x.jsonl");
    expect(none.x).toEqual([[0]]);
    expect(none.facts.notes).toContain(words.noStep);
    const several = await stepsOf("rank_0.jsonl", "rank_1.jsonl");
    expect(several.x).toEqual([[1, 2]]);
    expect(several.facts.notes).toContain(words.noSteps);
  });

  it("count once where the same file or row is there twice", async () => {
    const text = textOf("v1/1.jsonl");
    const once = await read({ "1.jsonl": text });
    const twice = await read({ "1.jsonl": text, "copy/1.jsonl": text, "1 (1).jsonl": text });
    expect(twice.log.algorithms).toEqual(["verl"]);
    expect(twice.log.episodes("verl", 1)).toEqual(once.log.episodes("verl", 1));
    expect(twice.facts.warnings).toHaveLength(1);
    expect(twice.facts.warnings[0]).toContain("The same file counts once");
    const rows = await read({ "1.jsonl": text + text });
    expect(rows.log.episodes("verl", 1)).toEqual(once.log.episodes("verl", 1));
    expect(rows.facts.warnings).toEqual([verlWords.repeated]);
    // A policy that has not changed validates alike at two steps.
    const steps = await read({ "1.jsonl": row({}), "2.jsonl": row({}) });
    expect(steps.log.series("verl", "critic/score/mean").x).toEqual([1, 2]);
  });

  it("say where a row contradicts its path", async () => {
    const { log, facts } = await read({ "10.jsonl": row({ step: 9 }) });
    expect(log.series("verl", "critic/score/mean").x).toEqual([9]);
    expect(facts.notes).toContain(verlWords.otherStep);
  });
});

describe("chat templates without their special tokens", () => {
  const CUT = ["qwen", "llama3", "gemma", "gpt-oss", "search-r1"];

  it("are cut into turns, or it is said that a turn may be several", async () => {
    for (const path of readdirSync(join(folder, "templates"))) {
      const { log, facts } = await dump(`templates/${path}`);
      const turns = log.episodes("verl", 1).map((one) => one.turns.length);
      const cut = CUT.includes(path.replace(".jsonl", ""));
      expect([path, ...turns]).toEqual([path, ...(cut ? [2, 3] : [1, 1])]);
      expect(facts.notes.includes(verlWords.unknownTemplate)).toBe(!cut);
      const by = path.startsWith("search-r1")
        ? verlWords.tags
        : "Turns were separated by the words";
      expect(facts.notes.some((note) => note.startsWith(by))).toBe(cut);
    }
  });

  it("show what was heard in between as the environment's", async () => {
    const heard = async (name: string) => {
      const { log } = await dump(`templates/${name}.jsonl`);
      const { turns } = log.episodes("verl", 1)[1]!;
      return turns.slice(1).map(({ observation }) => observation.replace(/\D/g, ""));
    };
    for (const name of ["qwen", "llama3", "gemma", "gpt-oss"])
      expect([name, ...(await heard(name))]).toEqual([name, "6", "7"]);
    expect(await heard("search-r1")).toEqual(["1", "2"]);
  });

  it("are cut at the tags of tools where GLM-4.5 or DeepSeek left no name of a speaker", async () => {
    const call = "<tool_call>calc\n<arg_key>x</arg_key>\n</tool_call>";
    const heard = "<tool_response>\n6\n</tool_response>";
    for (const output of [
      `\n<think>a</think>\n${call}\n${heard}\n<think></think>\nB`,
      `${call}${heard}B`,
    ]) {
      const { log, facts } = await read({ "1.jsonl": row({ input: "\nS\nQ", output, step: 1 }) });
      const { turns } = log.episodes("verl", 1)[0]!;
      expect(turns.map(({ observation }) => observation)).toEqual(["\nS\nQ", heard]);
      expect(turns.map(({ text }) => text.at(-1))).toEqual([">", "B"]);
      expect(facts.notes).not.toContain(verlWords.unknownTemplate);
    }
  });

  it("are cut at their marks, too, where these were kept, and it is said whose they are taken for", async () => {
    const cases: Record<string, string> = {
      "ChatML (Qwen)":
        "A<|im_end|>\n<|im_start|>user\n6<|im_end|>\n<|im_start|>assistant\nB<|im_end|>",
      "Llama 3":
        "A<|eot_id|><|start_header_id|>ipython<|end_header_id|>\n\n6<|eot_id|>" +
        "<|start_header_id|>assistant<|end_header_id|>\n\nB<|eot_id|>",
      Gemma: "A<end_of_turn>\n<start_of_turn>user\n6<end_of_turn>\n<start_of_turn>model\nB",
      "GLM-4 or Phi": "\nA<|observation|>\n6<|assistant|>\nB<|user|>",
      DeepSeek: "A<｜end▁of▁sentence｜><｜User｜>6<｜Assistant｜>B<｜end▁of▁sentence｜>",
      Mistral: " A</s>[INST] 6 [/INST] B</s>",
      "gpt-oss":
        "<|channel|>analysis<|message|>A<|end|><|start|>assistant<|channel|>commentary to=functions.f" +
        "<|message|>{}<|call|><|start|>functions.f to=assistant<|channel|>commentary<|message|>6<|end|>" +
        "<|start|>assistant<|channel|>final<|message|>B<|return|>",
    };
    const more: Record<string, string> = {
      // As its own readme and some tools write them.
      DeepSeek: "A<|User|>6<|Assistant|>B",
      Mistral: '[TOOL_CALLS] [{"name":"A"}]</s>[TOOL_RESULTS] 6 [/TOOL_RESULTS] B</s>',
    };
    for (const [name, output] of [...Object.entries(cases), ...Object.entries(more)]) {
      const { log, facts } = await read({ "1.jsonl": row({ input: "Q", output, step: 1 }) });
      const { turns } = log.episodes("verl", 1)[0]!;
      expect([name, turns.length, turns[1]?.observation]).toEqual([name, 2, "6"]);
      expect(turns[1]!.text.replace(/<[^>]*>|final/g, "")).toBe("B");
      expect(facts.notes).not.toContain(verlWords.unknownTemplate);
      expect(facts.notes).toContain(verlWords.marks(name));
    }
  });
});
