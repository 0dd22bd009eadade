import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordingWords } from "../../src/app/recordingWords.ts";
import { splitDialogue } from "../../src/interchange/import/dialogue.ts";
import { placedValues } from "../../src/interchange/import/items.ts";
import { translate } from "../../src/interchange/import/translate.ts";
import { formatTitles } from "../../src/interchange/import/formatTitles.ts";
import { words } from "../../src/interchange/import/words.ts";
import { unipoWords } from "../../src/interchange/import/unipo.ts";
import { ragenWords } from "../../src/interchange/import/ragen.ts";
import { verlWords } from "../../src/interchange/import/verl.ts";
import { computeCredit } from "../../src/algorithm/registry.ts";
import { bandOf } from "../../src/method/clip/band.ts";
import { environmentOf } from "../../src/reading/curveMetrics.ts";
import { runConfig } from "../../src/reading/runConfig.ts";
import { promptOf } from "../../src/figures/tokens/prompt.ts";
import { words as tokenWords } from "../../src/figures/tokens/words.ts";
import { normalisedOver } from "../../src/reading/credit/normalised.ts";
import { creditOf } from "../../src/reading/credit/rowCredit.ts";
import { words as reasons } from "../../src/reading/credit/words.ts";
import { trajectoryScores } from "../../src/method/credit/rewards.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import {
  readImport,
  runsIn,
  type ChosenFile,
  type ReadImport,
} from "../../src/reading/log/readImport.ts";
import { LogDoctor } from "../../src/reading/diagnosis.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";

const jsonValues = (text: string) =>
  Array.from(placedValues([new TextEncoder().encode(text)]), ({ value }) => value);

const folder = join(import.meta.dirname, "..", "fixtures", "import");
const fixture = (name: string) => ({
  name,
  bytes: new Uint8Array(readFileSync(join(folder, name))),
});
const file = (name: string, text: string) => ({ name, bytes: new TextEncoder().encode(text) });
const open = async (...names: string[]) => {
  const read = await readImport(names.map(fixture));
  return { ...read, log: logOf(read.bytes, read.index.events) };
};
const absentOf = ({ facts }: ReadImport) => facts.absent;
const say = (...fields: (keyof typeof words.absent)[]) =>
  fields.map((field) => words.absent[field]);

it.each(["constructor", "__proto__", "toString"])(
  "a method that calls itself %s is one of that name, and no part of the language",
  async (name) => {
    const text = `{"type":"header","algorithm":"${name}"}\n{"step":1,"metrics":{"loss":1}}`;
    const { index } = await readImport([file("a.jsonl", text)]);
    expect(index.events.map(({ event }) => event)).toMatchObject([
      { algorithm: name.toLowerCase() },
    ]);
  },
);

it("values of a long file are found by their lines, however its bytes come in pieces", () => {
  const line = (i: number) => JSON.stringify({ i, text: `é${"语".repeat(i % 1000)}` });
  const lines = Array.from({ length: 2500 }, (_, i) => (i % 7 === 3 ? " " : line(i)));
  // A file that was joined from two has a byte order mark in its midst.
  const all = `\uFEFF${lines.join("\n")}\n\uFEFF${line(5)}`;
  const bytes = new TextEncoder().encode(all);
  expect(bytes.length).toBeGreaterThan(1 << 21);
  const placed = (size: number) => {
    const chunks = [];
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
    return [...placedValues(chunks)];
  };
  const [whole, ...others] = [bytes.length, 100_003, 777].map(placed);
  expect(whole).toHaveLength(lines.filter((one) => one !== " ").length + 1);
  expect(whole!.map(({ number }) => number).slice(0, 4)).toEqual([1, 2, 3, 5]);
  for (const { range, value } of whole!)
    expect(JSON.parse(new TextDecoder().decode(bytes.slice(...range!)))).toEqual(value);
  for (const one of others) expect(one).toEqual(whole);
});

describe("verl's rollout files", () => {
  it("give episodes, turns and the reward function's own means", async () => {
    const { log, facts } = await open("12.jsonl");
    expect(facts).toMatchObject({ title: "verl", warnings: [] });
    expect(log.algorithms).toEqual(["verl"]);
    expect(log.iterationsWithEpisodes("verl")).toEqual([12]);
    expect(log.series("verl", "critic/score/mean").y[0]).toBeCloseTo((10.8 - 0.2 + 1 + 0) / 4);
    expect(log.series("verl", "format_score/mean").y).toEqual([0.875]);
    expect(log.series("verl", "episodes/success").y).toEqual([0.5]);
    const [first, second, third] = log.episodes("verl", 12);
    expect(first!.turns.map(({ text }) => text)).toEqual([
      "<answer>Down</answer>",
      "<answer>Down</answer>",
    ]);
    expect(first!.turns[1]!.observation).toContain("#_P__#");
    expect(first!.finalObservation).toContain("√");
    expect([first!.task, second!.task, third!.task]).toEqual(["prompt 1", "prompt 1", "prompt 2"]);
  });

  it("leave out what they do not hold, and say so", async () => {
    const read = await open("12.jsonl");
    const [first, , third] = read.log.episodes("verl", 12);
    expect(first!.reward).toBe(10.8);
    expect(first!.turns.map(({ reward }) => reward)).toEqual([NaN, NaN]);
    expect(third!.turns[0]).toMatchObject({
      ...{ reward: 1, value: null, advantage: null, ratio: null, actions: null },
    });
    expect(first).toMatchObject({ success: true, terminated: null, truncated: null, seed: NaN });
    expect(absentOf(read)).toEqual(
      say(
        "tokens",
        "actions",
        "logprobs",
        "entropy",
        "advantages",
        "values",
        "returns",
        "ratios",
        "clips",
        "updates",
      ),
    );
  });

  it("of several steps are one run, in order", async () => {
    const row = (step: number) => JSON.stringify({ input: "q", output: "a", score: step, step });
    const named = (path: string, step: number) =>
      file(path, row(step).replace(`,"step":${step}`, ""));
    const { index, bytes } = await readImport([named("a/10.jsonl", 10), named("a/9.jsonl", 9)]);
    expect(logOf(bytes, index.events).series("verl", "critic/score/mean")).toEqual({
      x: [9, 10],
      y: [9, 10],
    });
  });

  it("cut conversations with the chat template's marks like those without", () => {
    const marked =
      "one<|im_end|>\n<|im_start|>user\nseen<|im_end|>\n<|im_start|>assistant\ntwo<|im_end|>";
    const plain = "one\nuser\nseen\nassistant\ntwo";
    for (const [written, of] of [
      [marked, "ChatML (Qwen)"],
      [plain, "Qwen"],
    ] as const)
      expect(splitDialogue("ask", written)).toEqual({
        turns: [
          { observation: "ask", text: "one" },
          { observation: "seen", text: "two" },
        ],
        ...{ rest: "", sure: true, known: true, of, marked: written === marked },
      });
    expect(splitDialogue("ask", `${marked}<|im_end|>\n<|im_start|>user\nlast`)).toMatchObject({
      ...{ rest: "last", sure: true },
    });
  });

  it("cut them at lines that only name a speaker, and say where that may be the model's own line", () => {
    const cut = (written: string, prompt = "ask") => {
      const { turns, rest, sure } = splitDialogue(prompt, written);
      return [...turns.map(({ text }) => text), rest, sure];
    };
    // Between two turns of the model somebody spoke.
    expect(cut("one\nuser\nseen\nassistant\ntwo")).toEqual(["one", "two", "", true]);
    // Nobody need have spoken behind its last one.
    expect(cut("one\nuser\nlast")).toEqual(["one", "last", false]);
    expect(cut("The roles are\nuser\nand assistant.")).toEqual([
      ...["The roles are", "and assistant.", false],
    ]);
    // Two speakers behind one another: one of the two lines may be the model's.
    expect(cut("one\nuser\ntwo\nuser\nseen\nassistant\nthree").at(-1)).toBe(false);
    const llama = "user\n\nask<|eot_id|>assistant\n\n";
    expect(cut("one.user\n\nlast", llama)).toEqual(["one.", "last", false]);
    expect(cut("one.user\n\nseenassistant\n\ntwo", llama).at(-1)).toBe(false);
    expect(cut("one.user\n\nseen.assistant\n\ntwo", llama).at(-1)).toBe(true);
    // A tool's answer in its tags is not a line of the model.
    const answer = "<tool_response>\n42\n</tool_response>";
    expect(cut(`<tool_call>{}</tool_call>\nuser\n${answer}`).at(-1)).toBe(true);
  });

  it("cut them also where no line break is before the next speaker", async () => {
    const cut = (written: string, prompt = "ask") => {
      const { turns, rest, sure } = splitDialogue(prompt, written);
      return [...turns.map(({ observation, text }) => `${observation} > ${text}`), rest, sure];
    };
    const answer = "<tool_response>\n42\n</tool_response>";
    const tool = [`ask > <tool_call>{}</tool_call>`, `${answer} > It is 42.`, "", true];
    expect(cut(`<tool_call>{}</tool_call>user\n${answer}\nassistant\nIt is 42.`)).toEqual(tool);
    const opened = "<|im_end|><|im_start|>user\n";
    const next = "<|im_end|>\n<|im_start|>assistant\n";
    expect(cut(`<tool_call>{}</tool_call>${opened}${answer}${next}It is 42.<|im_end|>`)).toEqual(
      tool,
    );
    expect(cut(`Let me see.user\n${answer}`)).toEqual(["ask > Let me see.", answer, true]);
    const llama = "user\n\nask<|eot_id|>assistant\n\n";
    const head = (name: string) => `<|start_header_id|>${name}<|end_header_id|>\n\n`;
    const marked = `one.<|eot_id|>${head("ipython")}7<|eot_id|>${head("assistant")}two<|eot_id|>`;
    const turns = [`${llama} > one.`, "7 > two", "", true];
    expect(cut(marked, llama)).toEqual(turns);
    expect(cut("one.ipython\n\n7assistant\n\ntwo", llama)).toEqual(turns);
    const word = cut("oneuser\n\n7assistant\n\ntwo", llama);
    expect(word).toEqual([`${llama} > one`, "7 > two", "", false]);
    // The model does not answer itself, so somebody spoke; who speaks last cannot be known.
    expect(cut("Paris.user\nNo.\nassistant\nRome.user\nNo.")).toEqual([
      ...["ask > Paris.", "No. > Rome.user\nNo.", "", false],
    ]);
    expect(cut("a.user\nb.user\nc\nassistant\nd").at(-1)).toBe(false);
    expect(cut("The user\nasked.")).toEqual(["ask > The user\nasked.", "", true]);
    const { log, facts } = await open("13.jsonl");
    const [called, told] = log.episodes("verl", 13);
    expect(called!.turns.map(({ text }) => text)).toEqual([
      '<tool_call>\n{"name": "multiply", "arguments": {"a": 6, "b": 7}}\n</tool_call>',
      "#### 42",
    ]);
    expect(called!.turns[1]!.observation).toBe(answer);
    expect(told!.turns).toHaveLength(2);
    expect(facts.notes).toContain(verlWords.unsure);
  });

  it("may hold what Python writes for numbers that are not finite", async () => {
    const row = '{"input":"q","output":"NaN \\" Infinity","score":NaN,"step":1,"kl":-Infinity}';
    const fine = row.replace("NaN,", "1,").replace("-Infinity", "2");
    const { index, bytes, facts } = await readImport([file("1.jsonl", `${fine}\n${row}\n`)]);
    const log = logOf(bytes, index.events);
    const episodes = log.episodes("verl", 1);
    expect(episodes.map(({ reward }) => reward)).toEqual([1, NaN]);
    expect(episodes[1]!.turns[0]!.text).toBe('NaN " Infinity');
    expect(log.series("verl", "kl/mean").y).toEqual([2]);
    expect(facts.warnings).toEqual([words.tally.unrewarded(1, 2), words.notFinite(2, ["line 2"])]);
    const text = readFileSync(join(folder, "unipo.json"), "utf8").replace("0.112", "NaN");
    const whole = await readImport([file("unipo.json", text)]);
    expect(whole.facts).toMatchObject({ title: "UNIPO", warnings: [words.notFinite(1, [])] });
    const list = await readImport([file("r.json", `[${row.replace("step", "s")}]`)]);
    expect(list.facts.warnings).toEqual([words.notFinite(2, [])]);
  });

  it("counts no NaN of what is refused, and all of a list of which something is shown", async () => {
    const fine = '{"input":"q","output":"a","score":1,"step":1}';
    const broken = '{"input":NaN,"score":NaN}';
    const warningsOf = async (name: string, text: string) =>
      (await readImport([file(name, text)])).facts.warnings;
    const why = `(${words.oddValue("input", "null", "a text")})`;
    expect(await warningsOf("l.jsonl", `${fine}\n${broken}\n`)).toEqual([
      words.unread(1, [`line 2 ${why}`]),
    ]);
    expect(await warningsOf("l.json", `[${broken},${fine}]`)).toEqual([
      words.unread(1, [`entry 1 ${why}`]),
      words.notFinite(2, []),
    ]);
    expect(words.notFinite(1, [])).toContain("It counts as unknown: panels leave it out");
    expect(words.notFinite(2, [])).toContain("They count as unknown: panels leave them out");
  });
});

/** Two episodes of RAGEN whose turns earned the same; one of them broke the format. */
const penalised = JSON.stringify(
  [
    { penalty: 0, rewards: [1] },
    { penalty: -0.25, rewards: [0.5, 0.5] },
  ].map(({ penalty, rewards }) => ({
    ...{ group_id: 0, tag: "Sokoban", penalty },
    history: rewards.map((reward) => ({ state: "s", llm_response: "a", actions: [1], reward })),
  })),
);

describe("credits of an imported run", () => {
  const reasonOf = (name: string, episodes: readonly EpisodeRecord[]) =>
    creditOf(resolveAlgorithm(name), episodes).reason;

  it("need no more than a row reads: GRPO the score of each rollout", async () => {
    const { log } = await open("12.jsonl");
    const episodes = log.episodes("verl", 12);
    const { batch, credit } = creditOf(resolveAlgorithm("grpo"), episodes).ok!;
    // Of scores 10.8 and -0.2, both turns of each alike.
    const z = 5.5 / (Math.sqrt(2 * 5.5 ** 2) + 1e-6);
    [z, z, -z, -z].forEach((one, k) => expect(credit.turnAdvantage[k]).toBeCloseTo(one, 9));
    expect(computeCredit(resolveAlgorithm("grpo"), batch)).toEqual(credit);
    expect(reasonOf("gigpo", episodes)).toContain("needs the reward of each turn");
    // Normalised over tokens, of which there are none: the score less the group's mean, as it is.
    const config = resolveAlgorithm("reinforce-pp-baseline");
    const plain = creditOf(config, episodes).ok!;
    [5.5, 5.5, -5.5, -5.5].forEach((one, k) =>
      expect(plain.credit.turnAdvantage[k]).toBeCloseTo(one, 9),
    );
    expect(normalisedOver(config, plain, episodes.length)).toBe(reasons.notNormalised);
    expect(reasonOf("turn-ppo", episodes)).toContain("needs a value for each turn");
    // Of a format penalty, which no turn paid, the score of the episode knows.
    const paid = await readImport([file("r.json", penalised)]);
    const { batch: both, credit: z2 } = creditOf(
      resolveAlgorithm("dr-grpo"),
      logOf(paid.bytes, paid.index.events).episodes("ragen", 1),
    ).ok!;
    expect([...trajectoryScores(both)]).toEqual([1, 0.75]);
    expect([...z2.turnAdvantage]).toEqual([0.125, -0.125, -0.125]);
    // Rows that read the rewards of turns find it in the last turn, where RAGEN adds it: returns 1; 0.75, 0.25.
    const returns = creditOf(
      resolveAlgorithm("reinforce"),
      logOf(paid.bytes, paid.index.events).episodes("ragen", 1),
    ).ok!;
    expect([...returns.batch.turnReward]).toEqual([1, 0.5, 0.25]);
    expect([...returns.credit.turnAdvantage]).toEqual([1, 0.75, 0.25]);
    // Rewards of turns that are known stay where they are.
    const own = (await open("rollouts.json")).log.episodes("ragen", 1);
    expect([...creditOf(resolveAlgorithm("grpo"), own).ok!.batch.turnReward.slice(0, 2)]).toEqual([
      -0.1, 10.9,
    ]);
  });
});

describe("prime-rl's token export", () => {
  it("gives tokens with their numbers, in turns as the loss mask has them", async () => {
    const { log, facts } = await open("rank_0.jsonl");
    expect(facts.title).toBe("prime-rl");
    expect(log.iterationsWithEpisodes("prime-rl")).toEqual([3, 4]);
    const [first, second] = log.episodes("prime-rl", 3);
    expect(first!.turns.map(({ tokens }) => tokens.length)).toEqual([3, 2]);
    expect(first!.turns[0]!.tokens[0]).toEqual({
      ...{ id: 2000, text: "#2000", value: null, advantage: 0.5, entropy: 0.7 },
      ...{ oldLogprob: -0.54, logprob: -0.52, clipped: false },
    });
    expect(first!.turns[0]!.tokens.map(({ clipped }) => clipped)).toEqual([false, true, false]);
    expect(first!.turns[0]!.ratio).toBeCloseTo(Math.exp(3 * 0.02), 10);
    expect(first!.turns.map(({ clipped }) => clipped)).toEqual([true, false]);
    expect(first!.turns[0]!.observation).toContain("4 tokens");
    expect(first!.reward).toBe(1);
    expect(first!.task).toBe(second!.task);
    expect(absentOf({ facts } as ReadImport)).toEqual(
      say("actions", "values", "returns", "success", "updates"),
    );
    const left = ["losses", "mismatch_kl", "prob_delta", "is_masked_high", "is_masked_low"];
    expect(facts.notes).toContain(words.unreadFields(left));
  });
});

describe("RAGEN's rollouts", () => {
  it("give states, answers, actions and rewards of turns", async () => {
    const read = await open("rollouts.json");
    const [first, second] = read.log.episodes("ragen", 1);
    expect(first!.turns.map(({ reward }) => reward)).toEqual([-0.1, 10.9]);
    expect(first!.reward).toBeCloseTo(10.8);
    expect(first).toMatchObject({ success: true, task: "CoordSokoban group 0" });
    expect(first!.finalObservation).toContain("√");
    expect(first!.turns[0]!.actions).toEqual(["Down"]);
    expect(second).toMatchObject({ success: false, reward: -0.1 });
    expect(read.log.series("ragen", "CoordSokoban/success").y).toEqual([0.5]);
    expect(absentOf(read)).toContain(words.absent.tokens);
    expect(absentOf(read)).not.toContain(words.absent.turnRewards);
    expect(absentOf(read)).not.toContain(words.absent.actions);
  });

  it("may name actions by anything", async () => {
    const actions = [2, "Up", { toString: 0, valueOf: 0 }, [{ toString: 0 }], null];
    const history = [
      { state: "s", llm_response: "a", actions, reward: 1 },
      { state: "t", metrics: {} },
    ];
    const { index, bytes } = await readImport([file("r.json", JSON.stringify([{ history }]))]);
    const [episode] = logOf(bytes, index.events).episodes("ragen", 1);
    expect(episode!.turns[0]!.actions).toEqual([
      ...["action 2", "Up", '{"toString":0,"valueOf":0}', '[{"toString":0}]', "null"],
    ]);
  });

  it("may be bare histories, or conversations alone", async () => {
    const rows = JSON.parse(readFileSync(join(folder, "rollouts.json"), "utf8")) as {
      history: unknown[];
    }[];
    const bare = JSON.stringify(rows.map(({ history }) => history));
    const { index, bytes } = await readImport([file("h.json", bare)]);
    const [first] = logOf(bytes, index.events).episodes("ragen", 1);
    expect(first).toMatchObject({ success: true, task: "start state 1" });
    const messages_list = [
      { role: "system", content: "help" },
      { role: "user", content: "board" },
      { role: "assistant", content: "Up" },
    ];
    const talk = await readImport([file("m.json", JSON.stringify([{ messages_list }]))]);
    const [said] = logOf(talk.bytes, talk.index.events).episodes("ragen", 1);
    expect(said!.turns).toMatchObject([{ observation: "help\nboard", text: "Up", actions: null }]);
    expect(said!.turns[0]!.reward).toBeNaN();
  });
});

describe("files of the same rollouts in another form", () => {
  it("RAGEN's pickle as JSON has the scores it trained on, penalties among them", async () => {
    const { log, facts } = await open("ragenDump.json");
    expect(facts).toMatchObject({ title: "RAGEN", warnings: [] });
    expect(facts.notes).toContain(ragenWords.score);
    const episodes = log.episodes("ragen", 1);
    expect(episodes.map(({ reward }) => reward)).toEqual([10.8, -0.2]);
    expect(episodes.map(({ task }) => task)).toEqual(["group 0", "group 0"]);
    const grpo = creditOf(resolveAlgorithm("dr-grpo"), episodes).ok!;
    [...grpo.credit.turnAdvantage].forEach((A, k) => expect(A).toBeCloseTo(k < 2 ? 5.5 : -5.5, 9));
  });

  it("verl's generations, which are Parquet, are read once they are JSON lines", async () => {
    const { log, facts } = await open("generations.parquet.jsonl");
    expect(facts).toMatchObject({ title: "verl", warnings: [] });
    const episodes = log.episodes("verl", 0);
    expect(episodes.map(({ turns }) => turns.map(({ text }) => text))).toEqual([
      ...[["#### 42"], ["#### 41"], ["Paris."]],
    ]);
    expect(episodes[0]!.turns[0]!.observation).toBe("You do sums.\nWhat is 6 times 7?");
    expect(episodes.map(({ task }) => task)).toEqual(["prompt 1", "prompt 1", "prompt 2"]);
    expect(absentOf({ facts } as ReadImport)).toContain(words.absent.rewards);
  });
});

describe("UNIPO's logs", () => {
  it("give metrics, responses and tokens with values", async () => {
    const read = await open("unipo.json");
    const { log } = read;
    expect(log.algorithms).toEqual(["token-ppo"]);
    expect(log.series("token-ppo", "critic/score/mean").y).toEqual([0.35, 0.45]);
    // A null was not measured: no number of the training that is not finite.
    expect(log.series("token-ppo", "kl")).toEqual({ x: [0], y: [0.12] });
    const doctor = new LogDoctor(log);
    doctor.advance(Infinity);
    expect(doctor.diagnosis.findings).toEqual([]);
    const [first] = log.episodes("token-ppo", 0);
    const [turn] = first!.turns;
    expect(turn!.tokens.map(({ text }) => text)).toEqual(["The", " answer", " is", " $4$."]);
    expect(turn!.tokens.map(({ value }) => value)).toEqual([0.42, 0.48, 0.55, 0.81]);
    expect(turn!.tokens[0]!.refLogprob).toBe(-0.24);
    expect(turn!.critics).toEqual({ "token-ppo": [0.42, 0.48, 0.55, 0.81] });
    expect(turn!.ratio).toBeCloseTo(Math.exp(0.04), 10);
    // By its log-probs, advantages and the range that its header says.
    expect(turn!.clipped).toBe(false);
    expect(absentOf(read)).toEqual(say("actions", "entropy", "success", "updates"));
    expect(first!.turns.map((one) => one.return)).toEqual([0]);
  });

  it("give the settings that their header says, where it says those that panels show", async () => {
    const text = readFileSync(join(folder, "unipo.json"), "utf8");
    const startIn = async (changed: string) => {
      const { index, bytes, facts } = await readImport([file("unipo.json", changed)]);
      const log = logOf(bytes, index.events);
      const { notes, warnings } = facts;
      return { spec: log.start?.spec, notes, warnings, log };
    };
    const { spec, notes, warnings, log } = await startIn(text);
    const set = { gamma: 1, lambda: 0.95, epsLow: 0.2, epsHigh: 0.2, betaKl: 0.04 };
    expect(spec!.algorithms).toEqual([{ name: "token-ppo", set: { ...set, dualClip: null } }]);
    expect(bandOf(runConfig(spec, "token-ppo")!)).toMatchObject({ level: "token", dual: null });
    expect(spec!.optimisation.groupSize).toBe(1);
    expect(notes).toContain(unipoWords.settings(set, 1));
    expect(log.algorithms).toEqual(["token-ppo"]);
    expect(promptOf(spec, log.episodes("token-ppo", 0)[0]!, 0).problem).toBe(
      tokenWords.promptOfOthers,
    );
    const own = '"reward": 0.35, "math/success": 1';
    const measured = await startIn(text.replace('"reward": 0.35', own));
    expect(measured.spec!.environment.kind).toBe("imported");
    expect(environmentOf(measured.log)).toBe("math");
    expect(measured.notes).toContain(unipoWords.ownReward);
    const whole = JSON.parse(text) as { entries: object[] };
    const stepless = { ...whole, entries: [...whole.entries, { metrics: {} }, 7] };
    expect((await startIn(JSON.stringify(stepless))).warnings).toEqual([unipoWords.left(2)]);
    expect(warnings).toEqual([]);
    const less = await startIn(text.replace('"clip_eps"', '"clip"'));
    expect(less.spec).toBeUndefined();
    expect(less.notes).toContain(unipoWords.missingSettings(["epsLow", "epsHigh"]));
    const odd = await startIn(text.replace('"gamma": 1.0', '"gamma": 7'));
    expect(odd.spec).toBeUndefined();
    expect(odd.notes).toContain(unipoWords.oddSettings);
  });

  it("may be lines, header first", async () => {
    const { header, entries } = JSON.parse(readFileSync(join(folder, "unipo.json"), "utf8")) as {
      header: object;
      entries: object[];
    };
    const lines = [
      { type: "header", ...header },
      ...entries.map((entry) => ({ type: "step", ...entry })),
    ];
    const text = lines.map((line) => JSON.stringify(line)).join("\n");
    const { index, bytes } = await readImport([file("u.jsonl", text)]);
    expect(logOf(bytes, index.events).episodes("token-ppo", 1)).toHaveLength(1);
  });
});

describe("files that cannot be shown", () => {
  const refusal = (...files: ChosenFile[]) =>
    readImport(files).then(
      () => "read",
      (error: unknown) => (error as Error).message,
    );

  it("are refused in a sentence", async () => {
    const says = words.refused;
    expect(await refusal(file("a", ""))).toBe(says.empty[0]);
    const unknown = (what: string) =>
      `${says.unknown(formatTitles)[0]} The first thing in it, ${what}.`;
    expect(await refusal(file("a", "\n<!doctype html>"))).toBe(unknown("line 2 of a, is not JSON"));
    expect(await refusal(file("a", '{"input":"q","outp'))).toBe(
      unknown("line 1 of a, is not JSON"),
    );
    expect(await refusal(file("a", "[1,2,3]"))).toBe(
      unknown("entry 1 of a, is JSON, but not an object"),
    );
    expect(await refusal(file("a", '{"prompt":"q","answer":1}\n{}'))).toBe(
      unknown(
        "line 1 of a, is an object with the fields prompt, answer: answer is 1, it must be a text or a list of messages",
      ),
    );
    expect(await refusal(file("a", '{"command":"x"}\n{"type":"iteration"}'))).toBe(
      `${says.nothing[0]} 1 line of the recording could not be read: line 2 (${words.noEvent}).`,
    );
    const both = await readImport([fixture("12.jsonl"), fixture("rank_0.jsonl")]);
    expect(both.facts.title).toBe("verl and prime-rl");
    expect(logOf(both.bytes, both.index.events).algorithms).toHaveLength(2);
    const own = file("run.jsonl", syntheticRecording(shortRun()));
    expect(await runsIn([own, fixture("12.jsonl")])).toHaveLength(1);
    expect(await refusal(own, fixture("12.jsonl"))).toBe(
      `${says.mixed[0]} ${words.alsoForeign("run.jsonl", "12.jsonl")}`,
    );
    expect(await refusal(file("h.jsonl", '{"type":"header","algorithm":"ppo"}'))).toBe(
      says.nothing[0],
    );
  });

  it("are read as far as they go when single lines are broken", async () => {
    const text = readFileSync(join(folder, "12.jsonl"), "utf8");
    const read = await readImport([file("12.jsonl", `${text}{"input":"q","out\n{"other":1}\n`)]);
    const lines = text.trimEnd().split("\n").length;
    expect(read.facts.warnings).toEqual([
      `2 lines of the recording could not be read: line ${lines + 1} (${words.noJson}), line ${lines + 2} (${words.noEpisode}).`,
    ]);
    const late = await readImport([file("12.jsonl", `!${text}`)]);
    expect(late.facts.warnings).toEqual([
      `1 line of the recording could not be read: line 1 (${words.noJson}).`,
    ]);
    const two = await readImport([
      file("12.jsonl", text),
      file("13.jsonl", `${text.trimEnd()}\n!\n`),
    ]);
    expect(two.facts.warnings[0]).toContain(`line ${lines + 1} of 13.jsonl (${words.noJson})`);
  });

  it("are told from a recording whose first line is broken, which is shown from the next", async () => {
    const lines = syntheticRecording(shortRun()).trimEnd().split("\n");
    const [header, start, ...rest] = lines as [string, string, ...string[]];
    const warningsOf = async (...broken: string[]) => {
      const { facts, index } = await readImport([file("a.jsonl", broken.join("\n"))]);
      expect(facts.title).toBe("Turnbook");
      expect(index.events.length).toBeGreaterThan(rest.length - 1);
      return facts.warnings;
    };
    const unread = words.unread(1, [`line 1 (${words.noObject})`]);
    const cut = header.slice(0, -1);
    expect(await warningsOf(cut, start, ...rest)).toEqual([words.brokenFirst(true), unread]);
    const unset = await warningsOf(start.slice(0, 200), ...rest);
    expect(unset).toEqual([words.brokenFirst(false), unread]);
    expect(await warningsOf(header, start, ...rest)).toEqual([]);
    expect(await warningsOf(...rest)).toEqual([]);
  });

  it("can be made from the page's own example of a recording", async () => {
    const { facts, bytes, index } = await readImport([file("a.jsonl", recordingWords.example)]);
    expect(facts.warnings).toEqual([]);
    const episodes = logOf(bytes, index.events).episodes("mine", 1);
    expect(episodes[0]!.turns[0]).toMatchObject({ actions: ["Up"], value: null, advantage: 0.5 });
    const fields = recordingWords.kinds.map(([, text]) => text).join(" ");
    const { type: _, ...named } = JSON.parse(recordingWords.example) as object & { type: string };
    const told = [named, episodes[0]!, episodes[0]!.turns[0]!].flatMap(Object.keys);
    for (const name of told) expect(fields).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it("never break the reader, whatever is done to them", async () => {
    const texts = ["12.jsonl", "rank_0.jsonl", "rollouts.json", "unipo.json"].map((name) =>
      readFileSync(join(folder, name), "utf8"),
    );
    const edit = fc.record({
      which: fc.nat(texts.length - 1),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      cut: fc.nat(60),
      insert: fc.oneof(
        fc.string({ maxLength: 5 }),
        fc.constantFrom("null", "[]", "{}", "1e999", "[[", '"'),
      ),
    });
    await fc.assert(
      fc.asyncProperty(edit, async ({ which, at, cut, insert }) => {
        const text = texts[which]!;
        const from = Math.floor(at * text.length);
        const broken = text.slice(0, from) + insert + text.slice(from + cut);
        const read = await readImport([file("x", broken)]).catch((error: Error) => error);
        if (read instanceof Error) {
          expect(read.name).toBe("RefusedError");
          return;
        }
        const log = logOf(read.bytes, read.index.events);
        for (const name of log.algorithms)
          for (const n of log.iterationsWithEpisodes(name)) checkShape(log.episodes(name, n));
      }),
      { numRuns: 200 },
    );
  });
});

function checkShape(episodes: readonly EpisodeRecord[]): void {
  expect(episodes.length).toBeGreaterThan(0);
  for (const { turns, task, reward } of episodes) {
    expect([typeof task, typeof reward]).toEqual(["string", "number"]);
    for (const turn of turns) {
      expect(typeof turn.text).toBe("string");
      expect(typeof turn.reward).toBe("number");
      for (const token of turn.tokens) expect(typeof token.logprob).toBe("number");
    }
  }
}

describe("translate", () => {
  it("keeps the first episodes of an iteration that holds more than can be read at once", () => {
    const row = (score: number) =>
      JSON.stringify({ input: "q", output: "x".repeat(1_000_000), score, step: 1 });
    const text = Array.from({ length: 12 }, (_, i) => row(i)).join("\n");
    const { lines, warnings, part } = translate([{ name: "1.jsonl", text }]);
    const [line] = [...lines];
    expect(warnings()).toEqual([words.cut(7, 12)]);
    expect(part()).toEqual({ kept: 7, all: 12 });
    const { metrics, episodes } = JSON.parse(line!) as { metrics: object; episodes: unknown[] };
    expect(episodes).toHaveLength(7);
    expect(metrics).toMatchObject({ "critic/score/mean": 5.5 });
  });

  it("reads lists, lines and single objects", () => {
    expect([...jsonValues(' [1, {"a": 2}] ')]).toEqual([1, { a: 2 }]);
    expect([...jsonValues('{"a":1}\n\n{"a":2}\nnot json\n')]).toEqual([
      { a: 1 },
      { a: 2 },
      undefined,
    ]);
    expect([...jsonValues('{\n "a": 1\n}\n')]).toEqual([{ a: 1 }]);
    expect([...jsonValues('{\n"a": [\n{\n"b": 1\n}\n]\n}')]).toEqual([{ a: [{ b: 1 }] }]);
    expect([...jsonValues('{"a": 1,\n"b": 2}')]).toEqual([{ a: 1, b: 2 }]);
    expect([...jsonValues('{"a": 1, "b\n{"a": 2}\n[3]')]).toEqual([undefined, { a: 2 }, [3]]);
    expect([...jsonValues("  ")]).toEqual([]);
  });
});
