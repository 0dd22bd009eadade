/** What is chosen together, or cannot be read: each file is said for what it is, and nothing is lost without a word. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { advice } from "../../src/interchange/import/advice.ts";
import { splitDialogue } from "../../src/interchange/import/dialogue.ts";
import type { RefusedError } from "../../src/interchange/import/refused.ts";
import { bareEpisode, bareTurn } from "../../src/interchange/import/foreign.ts";
import type { ImportChoices } from "../../src/interchange/import/choices.ts";
import { RunWriter } from "../../src/interchange/import/runWriter.ts";
import { translate } from "../../src/interchange/import/translate.ts";
import { words } from "../../src/interchange/import/words.ts";
import { unipoWords } from "../../src/interchange/import/unipo.ts";
import { ragenWords } from "../../src/interchange/import/ragen.ts";
import { primeRlWords } from "../../src/interchange/import/primeRl.ts";
import { readImport, runsIn, type ChosenFile } from "../../src/reading/log/readImport.ts";
import { logOf } from "../../src/reading/log/recording.ts";
import { shortRun } from "../fixtures/shortRun.ts";
import { syntheticRecording } from "../fixtures/syntheticRun.ts";

const folder = join(import.meta.dirname, "..", "fixtures", "import");
const textOf = (name: string) => readFileSync(join(folder, name), "utf8");
const file = (name: string, text: string): ChosenFile => ({
  name,
  bytes: new TextEncoder().encode(text),
});
const refusal = (...files: ChosenFile[]) =>
  readImport(files).then(
    () => null,
    (error: unknown) => error as RefusedError,
  );

/** Bytes that begin with `start` and hold these words somewhere. */
function binary(name: string, start: readonly number[], ...held: string[]): ChosenFile {
  const text = new TextEncoder().encode(`\0\0${held.join("\0")}`);
  return { name, bytes: Uint8Array.from([...start, ...text]) };
}

const ZIP = [0x50, 0x4b, 3, 4];
const PAR1 = [...new TextEncoder().encode("PAR1")];

describe("files that are no text", () => {
  const cases: [ChosenFile, keyof typeof advice][] = [
    [binary("old.pt", [0x80, 2, 0x8a, 0x0a, 0x6c, 0xfc]), "torch"],
    [binary("a.npy", [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59]), "numpy"],
    [binary("a.xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]), "xz"],
    [binary("a.arrow", [...new TextEncoder().encode("ARROW1")]), "arrow"],
    [binary("g.db", [...new TextEncoder().encode("SQLite format 3")]), "sqlite"],
  ];

  it.each(cases.map(([chosen, kind]) => [chosen.name, kind, chosen] as const))(
    "%s is said to be %s, with advice for that",
    async (name, kind, chosen) => {
      const error = await refusal(chosen);
      const [why, action] = advice[kind](name);
      expect([error!.message, error!.action]).toEqual([why, action]);
    },
  );

  it("have advice that names the file", () => {
    expect(advice.xz("out/1.jsonl.xz")[1]).toContain("unxz -k 1.jsonl.xz makes 1.jsonl");
  });

  const damaged: [ChosenFile, string][] = [
    [binary("1.jsonl.gz", [0x1f, 0x8b]), words.refused.damaged(0)[0]],
    [binary("1.jsonl.zst", [0x28, 0xb5, 0x2f, 0xfd]), words.refused.damaged(0)[0]],
    [binary("rollout.zip", ZIP, "rollout/1.jsonl"), words.refused.damaged(0)[0]],
    [binary("step.pkl", [0x80, 4], "skyrl"), "This pickle has the instruction 0"],
    [binary("c.parquet", PAR1, "prompt"), "This Parquet file could not be read"],
  ];
  it.each(damaged)("that are damaged are said to be: $name", async (chosen, why) => {
    const error = await refusal(chosen);
    expect(error!.message).toContain(why);
  });
});

describe("lines that are too long", () => {
  it("of a recording are said to be, instead of an unknown format", async () => {
    const line = `{"type":"iteration","algorithm":"grpo","iteration":1,"pad":"${"x".repeat(16_000_100)}"}`;
    const error = await refusal(file("run.jsonl", line));
    expect(error!.message).toBe(
      `${words.refused.longLines[0]} ${words.unread(1, [`line 1 (${words.tooLong})`])}`,
    );
    expect(words.tooLong).toContain("16 MB");
  });
});

describe("files that lie beside a log", () => {
  it("are skipped by name, and the log is read", async () => {
    const { facts, index } = await readImport([
      file("run/12.jsonl", textOf("12.jsonl")),
      file("run/config.json", '{"trainer":{"n_gpus":8}}'),
      file("run/13.jsonl", "\n"),
      binary("run/14.db", [...new TextEncoder().encode("SQLite format 3")]),
    ]);
    expect(facts.title).toBe("verl");
    expect(index.events).toHaveLength(1);
    expect(facts.warnings).toEqual([
      words.skippedBinary([words.binary("run/14.db", advice.sqlite()[0])]),
      words.empty(["run/13.jsonl"]),
      words.skipped(["run/config.json"]),
    ]);
  });

  it("may be recordings of one's own, compressed: read as they were, of a damaged one its good part", async () => {
    const text = syntheticRecording(shortRun());
    const { name, bytes } = file("run.jsonl", text);
    const packed = { name: `${name}.gz`, bytes: Uint8Array.from(gzipSync(bytes)) };
    const runs = await runsIn([
      packed,
      file("run10.jsonl", text.replace('"trajectory":0', '"trajectory":7')),
    ]);
    expect(runs.map((run) => run.map((one) => one.name))).toEqual([["run.jsonl"], ["run10.jsonl"]]);
    expect(runs[0]![0]!.bytes).toEqual(bytes);
    expect((await readImport(runs[0]!)).facts.title).toBe("Turnbook");
    const cut = { ...packed, bytes: packed.bytes.slice(0, packed.bytes.length / 2) };
    const [[part]] = (await runsIn([cut])) as [[ChosenFile]];
    expect(part!.bytes.length).toBeGreaterThan(0);
    const { facts } = await readImport([part]);
    expect([facts.title, facts.warnings.join(" ")]).toEqual([
      "Turnbook",
      expect.stringContaining("could not be read: line"),
    ]);
  });

  it("and one's own logs are no other program's, where only those are read", () => {
    const text = syntheticRecording(shortRun());
    expect(() => translate([{ name: "run.jsonl", text }], {})).toThrow(words.refused.own[0]);
  });

  it("are skipped beside recordings of one's own, of which the same counts once", async () => {
    const text = syntheticRecording(shortRun());
    const own = file("run.jsonl", text);
    const late = file("run10.jsonl", text.replace('"trajectory":0', '"trajectory":7'));
    const all = [late, file("spec.json", "{}"), { ...own, name: "copy.jsonl" }, own];
    const runs = await runsIn(all);
    expect(runs.map((run) => run.map(({ name }) => name))).toEqual([
      ["copy.jsonl", "run.jsonl", "spec.json"],
      ["run10.jsonl"],
    ]);
    const { facts } = await readImport(runs[0]!);
    expect(facts.title).toBe("Turnbook");
    expect(facts.warnings).toEqual([
      words.skipped(["spec.json"]),
      words.sameFile([words.sameAs("run.jsonl", "copy.jsonl")]),
    ]);
  });
});

const primeRow = (fields: object) =>
  `${JSON.stringify({
    ...{ step: 1, token_ids: [1, 2, 3], loss_mask: [false, true, true] },
    ...{ advantages: [0, 1, 1], ...fields },
  })}\n`;

describe("numbers that are missing, doubled or none", () => {
  const read = async (files: Record<string, string>) => {
    const all = Object.entries(files).map(([name, text]) => file(name, text));
    const { facts, bytes, index } = await readImport(all);
    return { facts, log: logOf(bytes, index.events) };
  };

  it("show rows that are trained with advantages of 0", async () => {
    const zero = { advantages: [0, 0, 0] };
    const { facts, log } = await read({ "1.jsonl": primeRow({}) + primeRow(zero) });
    expect(facts.warnings).toEqual([words.tally.flat(1, 2, 0)]);
    expect(log.episodes("prime-rl", 1)[1]!.turns[0]!.advantage).toBe(0);
    // Where all rollouts of the task earned the same, GRPO's advantages are 0 by right.
    const equal = (A: number) => primeRow({ rewards: [1, 1, 1], advantages: [A, A, A] });
    const right = await read({ "1.jsonl": equal(0) + equal(0) });
    expect(right.facts.warnings).toEqual([]);
    expect(right.facts.notes).toContain(words.tally.flat(2, 2, 2));
    const turns = { token_ids: [1, 2, 3, 4], loss_mask: [false, true, false, true] };
    const part = primeRow({ ...turns, advantages: [0, 0, 0, 1] });
    expect((await read({ "1.jsonl": part })).facts.warnings).toEqual([words.tally.partly(1, 1)]);
  });

  it("say where rewards or trained tokens are missing", async () => {
    const line = (score: unknown) => `${JSON.stringify({ input: "q", output: "a", score })}\n`;
    const scored = await read({ "1.jsonl": line(1) + line("much") });
    expect(scored.facts.warnings).toEqual([
      words.oddCell("score", "reward", '"much"', "a number, true or false, or a list of numbers"),
      words.tally.unrewarded(1, 2),
    ]);
    const bare = await read({
      "1.jsonl": primeRow({}) + primeRow({ loss_mask: [0, 0, 0] }),
    });
    expect(bare.facts.warnings).toEqual([words.tally.turnless(1, 2)]);
    const short = await read({ "1.jsonl": primeRow({ entropy: [1] }) });
    expect(short.facts.warnings).toEqual([primeRlWords.lengths(["entropy"])]);
  });

  it("read masks that are written as numbers", async () => {
    const { log } = await read({
      "1.jsonl": primeRow({ loss_mask: [0, 1, 1], is_masked: [0, 1, 0] }),
    });
    const { turns } = log.episodes("prime-rl", 1)[0]!;
    expect(turns.map(({ clipped, tokens }) => [clipped, tokens.length])).toEqual([[true, 2]]);
  });

  it("keep runs of prime-rl and RAGEN apart whose files come from two folders", async () => {
    const [zero, one] = [0, 1].map((A) => primeRow({ rewards: [A, A, A] }));
    const prime = await read({ "a/step_1/rank_0.jsonl": zero!, "b/step_1/rank_0.jsonl": one! });
    expect(prime.log.algorithms).toEqual(["prime-rl-a", "prime-rl-b"]);
    const history = (reward: number) =>
      JSON.stringify([{ penalty: 0, history: [{ state: "s", llm_response: "a", reward }] }]);
    const ragen = await read({
      "a/1.json": history(0),
      "b/1.json": history(1),
      "b/val/1.json": history(2),
    });
    const scores = ragen.log.algorithms.map((name) => ragen.log.series(name, "critic/score/mean"));
    expect(scores).toEqual([
      { x: [1], y: [0] },
      { x: [1], y: [1] },
      { x: [1], y: [2] },
    ]);
  });

  it("leave RAGEN's reward unknown where its penalty is not a number", async () => {
    const episode = (fields: object) =>
      JSON.stringify([{ ...fields, history: [{ state: "s", llm_response: "a", reward: 1 }] }]);
    const odd = await read({ "1.json": episode({ penalty: "NaN" }) });
    expect(odd.log.episodes("ragen", 1)[0]!.reward).toBeNaN();
    const none = await read({ "1.json": episode({}) });
    expect(none.log.episodes("ragen", 1)[0]!.reward).toBe(1);
    expect(none.facts.notes).toContain(ragenWords.noPenalty);
  });

  it("keep UNIPO's runs of one method apart, and give a step's file its own method", async () => {
    const header = (algorithm: string) => ({ algorithm, hparams: {} });
    const whole = (loss: number) =>
      JSON.stringify({ header: header("ppo"), entries: [{ step: 1, metrics: { loss } }] });
    const two = await read({ "seed1.json": whole(1), "seed2.json": whole(2) });
    const losses = two.log.algorithms.map((name) => two.log.series(name, "loss").y);
    expect(two.log.algorithms).toEqual(["token-ppo", "token-ppo-2"]);
    expect(losses).toEqual([[1], [2]]);
    expect(two.facts.notes).toContain(unipoWords.another("token-ppo-2", "seed2.json"));
    const metrics = (algorithm: string) =>
      JSON.stringify({ header: header(algorithm), entries: [{ step: 1, metrics: { loss: 1 } }] });
    const step = (reward: number) =>
      JSON.stringify({ step: 1, prompts: [{ prompt: "q", responses: [{ reward }] }] });
    const built = await read({
      "grpo/step-1.json": step(0),
      "grpo_metrics.json": metrics("grpo"),
      "ppo/step-1.json": step(1),
      "ppo_metrics.json": metrics("ppo"),
    });
    const rewardOf = (name: string) => built.log.episodes(name, 1).map(({ reward }) => reward);
    expect([rewardOf("grpo"), rewardOf("token-ppo")]).toEqual([[0], [1]]);
  });

  it("say which value is used of a metric that is given twice", async () => {
    const text = ["1", "2"].map((loss) => `{"step":3,"metrics":{"loss":${loss}}}`).join("\n");
    const head = '{"type":"header","algorithm":"grpo"}\n';
    const { facts, log } = await read({ "a.jsonl": head + text });
    expect(log.series("grpo", "loss").y).toEqual([2]);
    expect(facts.warnings).toEqual([words.doubled(["loss"], 3)]);
  });

  it("show UNIPO's tokens by number where their text is missing, and prompts of the blueprint", async () => {
    const response = { reward: 1, tokens: { ids: [5, 6], log_probs: [-1, -2] } };
    const prompts = [{ prompt: "q", responses: [response] }];
    const log = JSON.stringify({
      header: { algorithm: "grpo" },
      blueprint: { prompts },
      entries: [{ step: 1 }, { step: 2, prompts: [] }],
    });
    const built = await read({ "a.json": log });
    const [episode] = built.log.episodes("grpo", 1);
    expect(episode!.turns[0]!.tokens.map(({ text }) => text)).toEqual(["#5", "#6"]);
    expect(built.log.iterationsWithEpisodes("grpo")).toEqual([1]);
  });
});

/** What is looked at of a line. */
interface Written {
  type: string;
  algorithm?: string;
  spec?: { algorithms: unknown[] };
  episodes?: { turns: { reward: number | null }[] }[];
}

describe("what is written of other programs' files", () => {
  it("is limited to what is read of a recording, and the rest is counted", () => {
    const episode = {
      ...{ task: "a", seed: null, reward: 1, success: null, terminated: null, truncated: null },
      ...{ finalObservation: "x".repeat(400), turns: [] },
    };
    const writer = new RunWriter(2_000);
    for (const iteration of [1, 2, 3]) {
      writer.episode("verl", iteration, episode);
      writer.episode("verl", iteration, episode);
    }
    const lines = [...writer.lines()].map((line) => JSON.parse(line) as { episodes: unknown[] });
    expect(lines.map(({ episodes }) => episodes.length)).toEqual([2, 1, 0]);
    expect(writer.warnings).toContain(words.cut(3, 6));
  });

  it("is cut by whole groups, in whatever order their episodes come", () => {
    const writer = new RunWriter(3_000);
    const tasks = ["a", "b", "c", "a", "b", "c", "c"];
    const scored = (task: string, i: number) =>
      bareEpisode(task, i, [], { finalObservation: "x".repeat(400) });
    tasks.forEach((task, i) => writer.episode("verl", 1, scored(task, i)));
    // The third group's episode was the one too many.
    expect(writer.telling).toMatchObject({ iteration: 1, episode: 0 });
    const [line] = [...writer.lines()].map(
      (text) => JSON.parse(text) as { episodes: { task: string; trajectory: number }[] },
    );
    expect(line!.episodes.map(({ task, trajectory }) => `${task}${trajectory}`)).toEqual([
      ...["a0", "b1", "a3", "b4"],
    ]);
    expect(writer.warnings).toContain(words.cut(4, 7));
  });

  it("has the settings that a reader says, for the run that trained and no evaluation", () => {
    const set = { gamma: 1, lambda: 0.9, epsLow: 0.2, epsHigh: 0.3 };
    const episode = bareEpisode("a", 1, [bareTurn("q", "a"), bareTurn("r", "b")]);
    const eventsWith = (choices: ImportChoices) => {
      const writer = new RunWriter(undefined, choices);
      writer.episode("verl", 1, episode);
      writer.episode("verl-validation", 1, episode);
      const { open } = writer;
      return { open, events: [...writer.lines()].map((line) => JSON.parse(line) as Written) };
    };
    const plain = eventsWith({});
    expect(plain.open).toEqual({ paidLast: true, trained: { method: null, set: {} } });
    expect(plain.events.map(({ type }) => type)).toEqual(["iteration", "iteration"]);
    const trained = { method: "token-ppo", set };
    const said = eventsWith({ trained, paidLast: true });
    expect(said.open).toEqual({ paidLast: true, trained });
    expect(said.events.map(({ algorithm }) => algorithm)).toEqual([
      ...[undefined, "token-ppo", "verl-validation"],
    ]);
    expect(said.events[0]!.spec!.algorithms).toEqual([
      { name: "token-ppo", set: { dualClip: null, ...set } },
    ]);
    expect(said.events[1]!.episodes![0]!.turns.map(({ reward }) => reward)).toEqual([0, 1]);
  });

  it("opens at the episode that differs most, in the group that scored most apart", () => {
    const writer = new RunWriter();
    const episode = (task: string, reward: number | null, advantages: (number | null)[]) =>
      bareEpisode(
        task,
        reward,
        advantages.map((advantage) => ({ ...bareTurn("q", "a"), advantage })),
      );
    expect(writer.telling).toBeNull();
    writer.episode("verl", 1, episode("equal", 1, [0.5, 0.5]));
    writer.episode("verl", 1, episode("equal", 1, [0.5, -2]));
    writer.episode("verl-validation", 2, episode("apart", 0, [null, null]));
    writer.episode("verl-validation", 2, episode("apart", 9, [null, null]));
    // Without scores apart, by its credit.
    expect(writer.telling).toMatchObject({ iteration: 1, episode: 1, turn: 1 });
    for (const iteration of [3, 4])
      for (const reward of [0, 1, 0])
        writer.episode("verl", iteration, episode("near", reward, [null, null]));
    const place = { algorithm: "verl", iteration: 4, episode: 1, turn: 0 };
    expect(writer.telling).toEqual(place);
  });

  it("takes a time that grows with the length of a text alone", async () => {
    const long = 400_000;
    const texts = [
      ...[" ".repeat(long), "<|start|>" + "a".repeat(long), "functions.".repeat(long / 10)],
      ...["</b> ".repeat(long / 5), "<information>".repeat(long / 13), "\nuser\n".repeat(long / 6)],
    ];
    for (const input of ["assistant", "assistant\n", "model\n"])
      for (const output of texts) {
        const began = performance.now();
        splitDialogue(input, `final${output}`);
        expect(performance.now() - began).toBeLessThan(5_000);
      }
  });
});

describe("iterations that are in a recording twice", () => {
  it("are named", async () => {
    const [header, start, ...rest] = syntheticRecording(shortRun()).trimEnd().split("\n");
    const again = rest.find((line) => line.startsWith('{"type":"iteration"'))!;
    const { algorithm, iteration } = JSON.parse(again) as { algorithm: string; iteration: number };
    const text = [header, start, ...rest, again].join("\n");
    const { facts } = await readImport([file("run.jsonl", text)]);
    expect(facts.warnings).toEqual([words.twice(iteration, algorithm, 0)]);
  });
});
