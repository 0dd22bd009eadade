import { describe, expect, it } from "vitest";
import { encodeBatch } from "../../src/record/encodeBatch.ts";
import { decodeBatch } from "../../src/record/decodeBatch.ts";
import { InputError } from "../../src/numeric/inputError.ts";

const token = { logprob: -1, oldLogprob: -1.1, refLogprob: -1, value: 0.1, newValue: 0.1 };
const turn = { reward: 0.5, value: 0.2, newValue: 0.3, tokens: [token, token] };
const whole = {
  trajectories: [
    { task: "t0", terminated: true, bootstrapValue: 0, turns: [turn] },
    {
      task: "t0",
      terminated: false,
      bootstrapValue: 0.4,
      turns: [turn, { ...turn, tokens: [token] }],
    },
  ],
};

/** The batch with one field replaced; a path of keys, undefined removes. */
function changed(path: (string | number)[], value: unknown): unknown {
  const copy: unknown = JSON.parse(JSON.stringify(whole));
  let node = copy as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) node = node[key] as Record<string | number, unknown>;
  if (value === undefined) delete node[path.at(-1)!];
  else node[path.at(-1)!] = value;
  return copy;
}

it("packs the columns", () => {
  const batch = decodeBatch(whole);
  expect([...batch.turnStart]).toEqual([0, 1, 3]);
  expect([...batch.tokenStart]).toEqual([0, 2, 4, 5]);
  expect(batch.task).toEqual(["t0", "t0"]);
  expect(batch.terminated).toEqual([true, false]);
  expect([...batch.bootstrapValue]).toEqual([0, 0.4]);
  expect([...batch.turnReward]).toEqual([0.5, 0.5, 0.5]);
  expect([...batch.turnNewValue!]).toEqual([0.3, 0.3, 0.3]);
  expect([...batch.oldLogprob!]).toEqual(Array(5).fill(-1.1));
  expect(batch).not.toHaveProperty("tokenReward");
  expect(batch).not.toHaveProperty("turnAdvantage");
});

it("fills what may be absent", () => {
  const batch = decodeBatch({
    trajectories: [{ turns: [{ tokens: [{}] }] }, { turns: [{ tokens: [{}] }] }],
  });
  expect(batch.terminated).toEqual([true, true]);
  expect(new Set(batch.task).size).toBe(2);
  expect([...batch.turnReward, ...batch.bootstrapValue]).toEqual([0, 0, 0, 0]);
  expect(batch).not.toHaveProperty("logprob");
});

it("marks single missing numbers with NaN, and missing token rewards with 0", () => {
  const path = ["trajectories", 1, "turns", 0];
  expect([...decodeBatch(changed([...path, "value"], undefined)).turnValue!]).toEqual([
    0.2,
    NaN,
    0.2,
  ]);
  const rewarded = decodeBatch(changed([...path, "tokens", 1, "reward"], 2));
  expect([...rewarded.tokenReward!]).toEqual([0, 0, 0, 2, 0]);
});

it("takes what comes with methods on pairs", () => {
  const path = ["trajectories", 0, "turns", 0, "tokens", 0, "kl"];
  expect(decodeBatch(changed(path, 0.1))).toEqual(decodeBatch(whole));
});

it("takes who solved the task, as far as it is said", () => {
  const batch = decodeBatch(changed(["trajectories", 0, "success"], true));
  expect([...batch.success!]).toEqual([1, NaN]);
  expect(decodeBatch(encodeBatch(batch))).toEqual(batch);
});

it("reads back what is written, of episodes that ended and of others", () => {
  const batch = decodeBatch(whole);
  expect(decodeBatch(encodeBatch(batch))).toEqual(batch);
  const ended = { ...batch, bootstrapValue: Float64Array.of(3, 0.4) };
  expect(decodeBatch(encodeBatch(ended))).toEqual(batch);
});

describe("refuses, naming the path:", () => {
  const tokenPath = ["trajectories", 1, "turns", 0, "tokens", 1];
  it.each([
    [
      [...tokenPath, "logprob"],
      "x",
      'trajectories[1].turns[0].tokens[1].logprob is "x"; it must be a number from -1e+100 to 1e+100',
    ],
    [
      [...tokenPath, "value"],
      null,
      "trajectories[1].turns[0].tokens[1].value is null; it must be a number from -1e+100 to 1e+100",
    ],
    [tokenPath, 3, "trajectories[1].turns[0].tokens[1] is 3; it must be an object"],
    [["trajectories", 0, "turns", 0, "tokens"], [], "trajectories[0].turns[0].tokens is empty"],
    [
      ["trajectories", 0, "turns", 0, "tokens"],
      undefined,
      "trajectories[0].turns[0].tokens is nothing; it must be a list",
    ],
    [
      ["trajectories", 0, "turns"],
      [],
      "trajectories[0].turns is empty; it must have at least one entry",
    ],
    [
      ["trajectories", 0, "turns", 0, "reward"],
      Infinity,
      "trajectories[0].turns[0].reward is Infinity; it must be a number from -1e+100 to 1e+100",
    ],
    [
      ["trajectories", 0, "turns", 0, "value"],
      -1e308,
      "trajectories[0].turns[0].value is -1e+308; it must be a number from -1e+100 to 1e+100",
    ],
    [["trajectories", 0, "task"], 7, "trajectories[0].task is 7; it must be a text"],
    [
      ["trajectories", 0, "terminated"],
      1,
      "trajectories[0].terminated is 1; it must be true or false",
    ],
    [
      ["trajectories", 0, "truncated"],
      true,
      "trajectories[0].truncated is not a field of a trajectory; allowed: task, terminated, bootstrapValue, success, greedyScore, finalAnchor, turns; an episode that was cut off has terminated false",
    ],
    [
      ["trajectories", 0, "bootstrapValue"],
      0.5,
      "trajectories[0].bootstrapValue is 0.5; it must be 0 or absent, unless terminated is false",
    ],
    [
      ["trajectories", 0, "turns", 0, "rewards"],
      [1],
      "trajectories[0].turns[0].rewards is not a field of a turn; allowed: reward, anchor, action, value, newValue, advantage, gain, format, process, tokens",
    ],
    [
      [...tokenPath, "logProb"],
      -1,
      "trajectories[1].turns[0].tokens[1].logProb is not a field of a token; allowed: reward, value, newValue, advantage, logprob, oldLogprob, refLogprob, rolloutLogprob, sumPiSquared, kl",
    ],
    [["notes"], "x", "notes is not a field of a batch; allowed: trajectories"],
    [["trajectories"], {}, "trajectories is {}; it must be a list"],
    [["trajectories"], [], "trajectories is empty"],
  ])("%j = %j", (path, value, message) => {
    expect(() => decodeBatch(changed(path, value))).toThrow(InputError);
    expect(() => decodeBatch(changed(path, value))).toThrow(message);
  });
  it.each([null, [], "x", 3])("%j as a whole", (value) => {
    expect(() => decodeBatch(value)).toThrow("the batch is");
  });
});
