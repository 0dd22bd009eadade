/** Rows as people's own programs write them: read as what they are, or said what is wrong in them; nothing is guessed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { afterAll, describe, expect, it } from "vitest";
import { listItems } from "../../src/interchange/import/items.ts";
import { translate } from "../../src/interchange/import/translate.ts";
import { readRolloutLine } from "../../src/interchange/rollouts/lines.ts";
import type { EpisodeRecord } from "../../src/record/runEvent.ts";
import { turnbook } from "../cli/cliSupport.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-varied-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const out = join(folder, "out.jsonl");

const lines = (...rows: unknown[]) =>
  rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n");

async function imported(content: string | Uint8Array, name = "rows.jsonl", ...options: string[]) {
  writeFileSync(join(folder, name), content);
  const said = await turnbook("import", join(folder, name), "--out", out, "--force", ...options);
  const written = said.code === 0 ? readFileSync(out, "utf8").trim().split("\n") : [];
  const episodes = written.flatMap((line) => {
    const read = readRolloutLine(JSON.parse(line));
    return read.kind === "episode" ? [read.episode] : [];
  });
  const [summary = {}] = said.json;
  return { code: said.code, summary, episodes, warned: said.progress.join("\n") };
}

const user = (content: unknown) => ({ role: "user", content });
const answer = (content: unknown, more: object = {}) => ({ role: "assistant", content, ...more });
const talk = (...messages: unknown[]) => ({ messages, reward: 1, step: 1 });
const row = (more: object = {}) => ({ ...talk(user("Q"), answer("A")), ...more });
const four = (make: (i: number) => unknown) => lines(...[0, 1, 2, 3].map(make));

describe("messages", () => {
  const told: [name: string, messages: unknown[], turns: [heard: string, text: string][]][] = [
    ...["reasoning_content", "reasoning", "thinking"].map(
      (name): [string, unknown[], [string, string][]] => [
        `thoughts in ${name}`,
        [user("Q"), answer("42", { [name]: "hm" })],
        [["Q", "<think>\nhm\n</think>\n42"]],
      ],
    ),
    [
      "thoughts in parts, and twice",
      [
        user("Q"),
        answer([
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "42" },
        ]),
        user("R"),
        answer("43", { reasoning: "so", thinking_blocks: [{ type: "thinking", thinking: "so" }] }),
      ],
      [
        ["Q", "<think>\nhm\n</think>\n42"],
        ["R", "<think>\nso\n</think>\n43"],
      ],
    ],
    [
      "a function's call and its answer",
      [
        user("Q"),
        answer(null, { function_call: { name: "f", arguments: '{"a":1}' } }),
        { role: "function", name: "f", content: "7" },
        answer("7"),
      ],
      [
        ["Q", '<tool_call>\n{"name":"f","arguments":{"a":1}}\n</tool_call>'],
        ["7", "7"],
      ],
    ],
    [
      "a tool's use and result as parts",
      [
        user("Q"),
        answer([
          { type: "text", text: "let me" },
          { type: "tool_use", id: "t", name: "f", input: { a: 1 } },
        ]),
        user([{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: "7" }] }]),
        answer("7"),
      ],
      [
        ["Q", 'let me\n<tool_call>\n{"name":"f","arguments":{"a":1}}\n</tool_call>'],
        ["7", "7"],
      ],
    ],
    [
      "ShareGPT's names",
      [
        { from: "human", value: "Q" },
        { from: "gpt", value: "A" },
      ],
      [["Q", "A"]],
    ],
    ...["model", "Assistant", "ai"].map((role): [string, unknown[], [string, string][]] => [
      `the model as ${role}`,
      [user("Q"), { role, content: "A" }],
      [["Q", "A"]],
    ]),
  ];
  it.each(told)("%s", async (_, messages, turns) => {
    const { episodes, warned } = await imported(lines(talk(...messages)));
    expect(warned).toBe("");
    expect(episodes[0]!.turns.map((turn) => [turn.observation, turn.text])).toEqual(turns);
  });

  it("with images keep a mark for each, and prompts with other images are others", async () => {
    const seen = (url: string) => [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url } },
      { type: "input_audio", input_audio: { data: "x" } },
    ];
    const { episodes } = await imported(
      lines(...["a", "a", "b"].map((url) => talk(user(seen(url)), answer("cat")))),
    );
    expect(episodes[0]!.turns[0]!.observation).toMatch(/^look\n\[image \w+\]\n\[audio \w+\]$/);
    expect(episodes.map(({ group }) => group)).toEqual(["prompt 1", "prompt 1", "prompt 2"]);
  });

  it("as text of JSON in a cell are messages", async () => {
    const messages = JSON.stringify(talk(user("Q"), answer("A")).messages);
    const table = { columns: ["step", "messages", "reward"], data: [[1, messages, 1]] };
    for (const content of [lines(table), lines({ step: 1, messages, reward: 1 })]) {
      const { episodes } = await imported(content);
      expect(episodes).toMatchObject([{ reward: 1, turns: [{ observation: "Q", text: "A" }] }]);
    }
  });
});

describe("messages as Python writes a list", () => {
  const csv = (cell: string) => `step,messages,reward\n1,"${cell.replaceAll('"', '""')}",1\n`;

  it("in a cell of CSV are messages", async () => {
    const cell = String.raw`[{'role': 'user', 'content': "it's\n\\ \xe9 \U0001f600 \'"}, {'role': 'assistant', 'content': 'A', 'tool_calls': None, 'score': -1e-05, 'ok': True, 'at': (1, 2.0,)}]`;
    const { episodes, warned } = await imported(csv(cell), "rows.csv");
    expect(warned).toBe("");
    expect(episodes[0]!.turns).toMatchObject([{ observation: "it's\n\\ é 😀 '", text: "A" }]);
    const parts = await imported(
      `step,prompt,completion,reward\n1,P,A,"{'score': 2, 'form': 0.5}"\n`,
      "rows.csv",
    );
    expect(parts.episodes).toMatchObject([{ reward: 2, rewards: { score: 2, form: 0.5 } }]);
  });

  it.each([
    ["calls", "[{'role': 'user', 'content': open('x')}]"],
    ["names", "[{'role': 'user', 'content': x}]"],
    ["numpy's way", "[{'role': 'user', 'content': 'Q'}\n {'role': 'assistant', 'content': 'A'}]"],
    ["no end", "[{'role': 'user', 'content': 'Q"],
    ["more behind", "[{'role': 'user', 'content': 'Q'}] + []"],
    ["an unknown escape", String.raw`[{'role': 'user', 'content': '\q'}]`],
    ["too much depth", `[{'role': 'user', 'content': ${"[".repeat(99)}${"]".repeat(99)}}]`],
  ])("with %s are refused by the column's name", async (_, cell) => {
    const { code, warned } = await imported(csv(cell), "rows.csv");
    expect([code, warned]).toEqual([2, expect.stringContaining("messages is ")]);
    const table = `step,prompt,completion,reward\n1,"${cell}",A,1\n`;
    const { episodes, ...said } = await imported(table, "rows.csv");
    expect(episodes).toHaveLength(1);
    expect(said.warned).toContain("prompt looks like a Python list that cannot be read");
  });
});

describe("images in a column of their own", () => {
  it("tell prompts of the same text apart, and it is said", async () => {
    for (const name of ["images", "image", "multi_modal_data"]) {
      const { episodes, summary } = await imported(
        four((i) => ({
          prompt: "look",
          completion: "A",
          reward: 1,
          step: 1,
          [name]: [`${i >> 1}`],
        })),
      );
      expect(episodes.map(({ group }) => group)).toEqual([
        "prompt 1",
        "prompt 1",
        "prompt 2",
        "prompt 2",
      ]);
      expect(summary["assumed"]).toContain(
        "Episodes with the same prompt and the same images count as one task.",
      );
    }
    const named = await imported(four((i) => row({ images: [`${i}`], group_id: "g" })));
    expect(named.episodes.map(({ group }) => group)).toEqual(["g", "g", "g", "g"]);
  });
});

describe("AReaL's files", () => {
  it("have another group where a sample's number comes again", async () => {
    const written = [0, 1, 0, 1].map((sample_idx, i) => ({
      ...{ task_id: 7, sample_idx, seqlen: 9, prompt_len: 4, head_version: 1, tail_version: 1 },
      ...{ reward: i % 2, prompt: "user\nQ\nassistant\n", completion: `A${i}` },
    }));
    const { episodes, warned } = await imported(lines(...written));
    expect(episodes.map(({ group, id }) => [group, id])).toEqual([
      ["task 1", "7/0"],
      ["task 1", "7/1"],
      ["task 2", "7/0 again 1"],
      ["task 2", "7/1 again 1"],
    ]);
    expect(warned).toContain("have a sample_idx twice");
    const once = await imported(lines(...written.slice(0, 2)));
    expect(once.warned).not.toContain("sample_idx");
  });
});

it("a folder of metrics alone is no source of credit, and that is said", async () => {
  writeFileSync(
    join(folder, "metrics.jsonl"),
    lines(...[1, 2].map((step) => ({ step, data: { "critic/score/mean": step } }))),
  );
  const said = await turnbook("compare", "--from", join(folder, "metrics.jsonl"));
  expect([said.code, said.progress.join("\n")]).toEqual([
    2,
    expect.stringMatching(/option --from is .*; it has metrics and no episodes/),
  ]);
});

describe("cells of rows", () => {
  const unknown: [name: string, more: object, said: string][] = [
    ["a reward of parts", { reward: { acc: 1, form: 0.5 } }, 'reward is {"acc":1,"form":0.5}'],
    ["a reward in words", { reward: "high" }, 'reward is "high" in some rows'],
    ["a reward of no numbers", { reward: [0, null] }, "reward is [0,null]"],
    ["parts alone", { reward: undefined, rewards: { acc: 1 } }, "parts of a reward without"],
    ["a group that is none", { group_id: true }, "group_id, read as group, is true"],
    ["a success that is none", { success: "no" }, 'success is "no"'],
  ];
  it.each(unknown)("%s is said, and what is right is read", async (_, more, said) => {
    const { episodes, warned } = await imported(lines(row(), row(more)));
    expect(episodes).toHaveLength(2);
    expect(warned).toContain(said);
    if ("reward" in more) expect(episodes[1]!.reward).toBeNull();
  });

  it("keep an episode whose reward is null, NaN or beyond a double", async () => {
    const bad = ["null", "NaN", "1e400"].map((x) =>
      JSON.stringify(row({ reward: 7 })).replace(":7,", `:${x},`),
    );
    const { episodes, warned } = await imported(lines(...bad, row()));
    expect(episodes.map(({ reward }) => reward)).toEqual([null, null, null, 1]);
    expect(warned).toContain("reward is Infinity");
    expect(warned).toContain("3 of 4 episodes have no reward");
  });

  it("take a reward with its parts by name, and an answer that is empty", async () => {
    const { episodes, warned } = await imported(
      lines(
        row({ reward: { score: 2, form: 0.5 } }),
        row({ rewards: { acc: 1 } }),
        { prompt: [user("Q")], completion: [], reward: 0, step: 1 },
        row({ reward: " -0.0 " }),
      ),
    );
    expect(episodes.map(({ reward, rewards }) => [reward, rewards])).toEqual([
      [2, { score: 2, form: 0.5 }],
      [1, { acc: 1 }],
      [0, null],
      [0, null],
    ]);
    expect(warned).toBe("1 of 4 episodes have no trained token, so no turn.");
  });

  it("are found in metadata and by other letters, and it is said where", async () => {
    const nested = four((i) => ({
      ...{ messages: [user("P"), answer(`A${i}`)] },
      metadata: { group_id: i >> 1, step: 4, reward: i % 2 },
    }));
    const other = four((i) => ({
      ...{ Prompt: "P", Completion: `A${i}`, Reward: i % 2, groupId: i >> 1, "Global Step": 4 },
    }));
    for (const content of [nested, other]) {
      const { summary, episodes } = await imported(content);
      expect(episodes.map(({ step, group, reward }) => [step, group, reward])).toEqual(
        [0, 1, 2, 3].map((i) => [4, String(i >> 1), i % 2]),
      );
      if (content === nested)
        expect(summary["assumed"]).toContain("metadata.group_id is read as group.");
    }
    const mapped = await imported(
      four((i) => row({ reward: { acc: i % 2 } })),
      "rows.jsonl",
      "--map",
      "reward=reward.acc",
    );
    expect(mapped.episodes.map(({ reward }) => reward)).toEqual([0, 1, 0, 1]);
  });

  it("that name a kind of task for a group, or one episode twice, are said", async () => {
    const { warned } = await imported(
      four((i) => ({ ...{ task: "math", prompt: `P${i}`, completion: "A", reward: 1, step: 1 } })),
    );
    expect(warned).toContain("In 1 of 1 groups, such as rollouts 1 math, rollouts begin with");
    const twice = await imported(lines(row({ id: "x" }), row({ id: "x" }), row({ id: "y" })));
    expect(twice.warned).toContain("1 of 3 episodes have the id, step and text of another one");
    expect(twice.episodes).toHaveLength(3);
  });

  it.each([
    ["no reward", row({ reward: undefined }), "a conversation without a reward, which stands in"],
    ["no messages", { messages: "hi", reward: 1 }, 'messages is "hi", it must be a list'],
    ["no text", { prompt: "P", completion: 7, reward: 1 }, "completion is 7, it must be a text"],
  ])("with %s are refused, and it is said why", async (_, one, said) => {
    const { code, warned } = await imported(lines(one));
    expect([code, warned]).toEqual([2, expect.stringContaining(said)]);
  });
});

describe("tables of TRL", () => {
  const credit = [-0.7, 0.7];
  const prompt = (i: number) => `P${i >> 1}`;
  it.each([
    [
      "in whatever order",
      (i: number) => ({
        ...{
          advantage: credit[i % 2],
          acc: i % 2,
          completion: `A${i}`,
          prompt: prompt(i),
          step: 3,
        },
      }),
    ],
    [
      "of messages",
      (i: number) => ({
        ...{ step: 3, prompt: [user(prompt(i))], completion: [answer(`A${i}`)], acc: i % 2 },
        advantage: credit[i % 2],
      }),
    ],
  ])("%s", async (_, make) => {
    const { episodes, warned } = await imported(four(make));
    expect(warned).toBe("");
    expect(episodes.map(({ step, reward, turns }) => [step, reward, turns[0]!.advantage])).toEqual(
      [0, 1, 2, 3].map((i) => [3, i % 2, credit[i % 2]]),
    );
  });

  it("whose advantages contradict the rewards are said to", async () => {
    const { warned } = await imported(
      four((i) => ({
        ...{
          step: 3,
          prompt: prompt(i),
          completion: `A${i}`,
          acc: i % 2,
          tokens: 90 - 9 * (i % 2),
        },
        advantage: credit[i % 2],
      })),
    );
    expect(warned).toContain("TRL's advantages do not rise with the sum of acc, tokens");
  });
});

describe("rows of verl's names", () => {
  const said = (i: number, more: object) => ({
    ...{ input: "user\nQ\nassistant\n", output: `A${i}`, score: i % 2, step: 3 },
    ...more,
  });
  it("have groups by number or another column, and a reward by another name", async () => {
    for (const name of ["uid", "group_id", "prompt_id"]) {
      const { episodes, summary } = await imported(
        four((i) => said(i, { [name]: i >> 1, score: undefined, reward: i % 2 })),
      );
      expect(episodes.map(({ group, reward }) => [group, reward])).toEqual(
        [0, 1, 2, 3].map((i) => [`prompt ${1 + (i >> 1)}`, i % 2]),
      );
      expect(summary["assumed"]).toContain(`Groups come from ${name}.`);
    }
  });

  it("say which cell is wrong", async () => {
    const { warned, episodes } = await imported(
      lines(said(0, {}), said(1, { output: null }), said(2, { score: { a: 1 } })),
    );
    expect(episodes.map(({ reward }) => reward)).toEqual([0, null]);
    expect(warned).toContain("line 2 (output is null, it must be a text)");
    expect(warned).toContain('score, read as reward, is {"a":1} in some rows');
  });
});

/** Runs in files of values, as unpacked ones are. */
function translated(...files: [name: string, ...values: unknown[]][]) {
  const found = translate(
    files.map(([name, ...values]) => ({ name, items: () => listItems(values) })),
  );
  const runs = [...found.lines].map(
    (line) => JSON.parse(line) as { algorithm: string; iteration: number; episodes: Episode[] },
  );
  return {
    runs,
    warned: found.warnings().join("\n"),
    notes: found.notes(),
    refused: found.refusedAt,
  };
}

type Episode = Pick<EpisodeRecord, "task" | "reward" | "turns">;

describe("slime's samples", () => {
  const sample = (i: number, more: object = {}) => ({
    ...{ group_index: i >> 1, index: i, rollout_id: null, prompt: `Q${i >> 1}`, reward: i % 2 },
    ...{ tokens: [1, 2, 10 + i, 11], response: `A${i}`, response_length: 2, loss_mask: [1, 1] },
    ...more,
  });
  const samples = (...all: unknown[]) => ({ rollout_id: 3, samples: all });

  it("of evaluations are a run of their own", () => {
    const train = [0, 1, 2, 3].map((i) => sample(i));
    const evaluated = [0, 1].map((i) => sample(i, { prompt: "E" }));
    const { runs, warned } = translated(
      ["rollout_3.pt", samples(...train)],
      ["rollout_eval_3.pt", samples(...evaluated)],
    );
    expect(runs.map((run) => [run.algorithm, run.iteration, run.episodes.length])).toEqual([
      ["slime", 3, 4],
      ["slime-validation", 3, 2],
    ]);
    expect(warned).toBe("");
  });

  it("may have a prompt of messages, and a reward with parts", () => {
    const { runs } = translated([
      "rollout_3.pt",
      samples(sample(0, { prompt: [user("P")], reward: { score: 2, form: 1 } }), sample(1)),
    ]);
    const [first] = runs[0]!.episodes;
    expect([first!.reward, first!.turns[0]!.observation]).toEqual([2, "P"]);
  });

  it("that are parts, were removed, or have no reward are said", () => {
    const { warned } = translated([
      "rollout_3.pt",
      samples(
        ...[0, 1].map((i) => sample(i, { rollout_id: 7 })),
        sample(2, { remove_sample: true }),
        sample(3, { reward: { acc: 1 } }),
      ),
    ]);
    expect(warned).toContain("Some rollouts are several samples, by rollout_id");
    expect(warned).toContain("Some samples have remove_sample");
    expect(warned).toContain('reward is {"acc":1} in some rows');
  });
});

describe("SkyRL's batches as it writes them", () => {
  type Row = [prompt: number[], answer: number[], advantage: number];
  function batch(rows: Row[], metadata: object) {
    const [P, T] = [0, 1].map((k) => Math.max(...rows.map((row) => (row[k] as number[]).length)));
    const left = (list: number[]) => [...Array<number>(P! - list.length).fill(0), ...list];
    const right = (list: number[]) => [...list, ...Array<number>(T! - list.length).fill(0)];
    const ones = (list: number[]) => list.map(() => 1);
    return {
      batch_dict: {
        sequences: rows.map(([p, a]) => [...left(p), ...right(a)]),
        attention_mask: rows.map(([p, a]) => [...left(ones(p)), ...right(ones(a))]),
        response_mask: rows.map(([, a]) => right(ones(a))),
        loss_mask: rows.map(([, a]) => right(ones(a))),
        advantages: rows.map(([, a, credit]) => right(a.map(() => credit))),
        pixel_values: { format: "tensor_list", items: [] },
      },
      metadata,
    };
  }
  const name = "dumped_data/global_step_3_training_input.pkl";

  it("have groups by the bounds of prompts, no rewards, and no rows that fill the batch", () => {
    const rows: Row[] = [
      [[1, 2], [10, 11], 0.7],
      [[1, 2], [12], -0.7],
      [[3], [13], 0.7],
      [[1, 2], [10, 11], 0.7],
    ];
    const about = {
      policy_prompt_boundaries: [
        [0, 2],
        [2, 3],
      ],
      pad_size: 1,
    };
    const { runs, warned, notes } = translated([name, batch(rows, about)]);
    expect(runs[0]!.episodes.map(({ task, reward }) => [task, reward])).toEqual([
      ["prompt 1", null],
      ["prompt 1", null],
      ["prompt 2", null],
    ]);
    expect(runs[0]!.episodes.map(({ turns }) => turns[0]!.advantage)).toEqual([0.7, -0.7, 0.7]);
    expect(warned).toContain("SkyRL drops the rewards");
    expect(notes).toContain("Groups come from policy_prompt_boundaries.");
  });

  it("have steps of a trajectory as turns of one episode", () => {
    const rows: Row[] = [
      [[1, 2], [10, 11], 0.7],
      [[1, 2, 10, 11, 50], [12], 0.7],
      [[1, 2], [13], -0.7],
      [[1, 2, 13, 51, 52], [14], -0.7],
    ];
    const { runs } = translated([name, batch(rows, { policy_prompt_boundaries: [[0, 4]] })]);
    expect(
      runs[0]!.episodes.map(({ turns }) => turns.map(({ tokens }) => tokens.map(({ id }) => id))),
    ).toEqual([
      [[10, 11], [12]],
      [[13], [14]],
    ]);
    expect(runs[0]!.episodes[1]!.turns[1]!.observation).toContain("2 tokens");
  });
});

describe("other trainers' files", () => {
  it("of rLLM's validation are no training, and objects are shown as JSON", () => {
    const episode = (i: number) => ({
      ...{ training_step: 3, episode_id: `t:${i}`, task_hash: "h", is_correct: true },
      trajectories: [
        { reward: i, steps: [{ observation: { board: "P" }, action: { move: "up" }, reward: i }] },
      ],
    });
    const { runs } = translated(
      ["e/train_step_3_epoch_0/a.json", episode(0)],
      ["e/val_step_3_epoch_0/b.json", episode(1)],
    );
    expect(runs.map(({ algorithm, episodes }) => [algorithm, episodes.length])).toEqual([
      ["rLLM", 1],
      ["rLLM-validation", 1],
    ]);
    const [turn] = runs[0]!.episodes[0]!.turns;
    expect([turn!.observation, turn!.text]).toEqual(['{"board":"P"}', '{"move":"up"}']);
  });

  it("of prime-rl leave out judges and episodes without a trace, by name and count", () => {
    const nodes = [
      { message: user("Q"), sampled: false, token_ids: [], mask: [] },
      { parent: 0, message: answer("A"), sampled: true, token_ids: [1], mask: [true] },
    ];
    const trace = (name: string, trainable: boolean) => ({
      ...{ id: name, agent: { name, trainable }, nodes, rewards: { r: { score: 1, weight: 1 } } },
    });
    const row = (traces: unknown[]) => ({
      ...{ id: "e", task: { key: "k" }, errors: [], traces, group: { id: "g" } },
      run: { work: { type: "train", step: 3, policy: { start: 2, end: 3 } } },
    });
    const { runs, warned, refused } = translated([
      "rollouts/step_3/train/all/traces.jsonl",
      row([]),
      row([trace("solver", true), trace("judge", false)]),
    ]);
    expect(runs.map(({ algorithm, episodes }) => [algorithm, episodes.length])).toEqual([
      ["prime-rl", 1],
    ]);
    expect(runs[0]!.episodes[0]!.task).toBe("g");
    expect(warned).toContain("The agent judge was not trained");
    expect(refused).toEqual(["entry 1 (an episode that failed before it had a trace)"]);
  });
});

describe("packed rows", () => {
  const rows = lines(row(), row());
  it("in old protocols of pickle are read, and run nothing", async () => {
    // pickle.dumps([{"prompt": "P", "completion": "A", "reward": 1.0, "step": 3}], 0)
    const old =
      "(lp0\n(dp1\nVprompt\np2\nVP\np3\nsVcompletion\np4\nVA\np5\nsVreward\np6\nF1.0\nsVstep\np7\nI3\nsa.";
    const { episodes } = await imported(old, "rows.pkl");
    expect(episodes).toMatchObject([{ step: 3, reward: 1, turns: [{ text: "A" }] }]);
    const evil = await imported("cposix\nsystem\np0\n(Vtouch\np1\ntp2\nRp3\n.", "evil.pkl");
    expect([evil.code, evil.warned]).toEqual([2, expect.stringContaining('names "posix.system"')]);
  });

  it("of a zip that cannot be opened are named", async () => {
    const zip = zipSync({
      "run/1.jsonl": strToU8(rows),
      "run/2.jsonl.xz": Uint8Array.of(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0),
      "__MACOSX/run/._1.jsonl": Uint8Array.of(0, 5, 22),
    });
    const { episodes, warned } = await imported(zip, "a.zip");
    expect(episodes).toHaveLength(2);
    expect(warned).toContain("run/2.jsonl.xz");
    expect(warned).not.toContain("MACOSX");
  });
});
