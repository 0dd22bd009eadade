import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { main } from "../../src/cli/main.ts";
import { golden } from "../env/webshop/golden.ts";

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "turnbook-webshop-"));
  vi.stubEnv("INIT_CWD", dir);
  mkdirSync(join(dir, "shop"));
  const { items_shuffle_format, items_ins_format, items_human_ins_format } = golden.catalogue;
  file("shop/items_shuffle_1000.json", JSON.stringify(items_shuffle_format));
  file("shop/items_ins_v2_1000.json", JSON.stringify(items_ins_format));
  file("shop/items_human_ins.json", JSON.stringify(items_human_ins_format));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(dir, name), text);
  return name;
}

/** Runs one command line and keeps what it writes. */
async function run(...argv: string[]) {
  const lines: Record<string, unknown>[] = [];
  const errors: string[] = [];
  const code = await main(argv, {
    json: (value) => lines.push(JSON.parse(JSON.stringify(value)) as Record<string, unknown>),
    progress: (line) => errors.push(line),
  });
  return { code, lines, errors };
}

describe("play webshop", () => {
  it.each(golden.sessions)("plays the golden session $id", async (session) => {
    const [start, ...steps] = session.steps;
    const actions = file("actions.txt", steps.map(({ action }) => `${action}\n`).join(""));
    const { code, lines, errors } = await run(
      ...["play", "webshop", "--data", "shop", "--goal", "0", "--actions", actions],
      ...["--observation", session.observation_mode],
    );
    expect([code, errors]).toEqual([0, []]);
    expect(lines.length).toBe(session.steps.length);
    expect(lines[0]).toEqual({
      observation: start!.obs,
      reward: null,
      terminated: false,
      truncated: false,
      info: { goal: 0, turnsLeft: 100, goals: 12, products: 16 },
      available: start!.available,
    });
    steps.forEach(({ obs, reward, done, available }, i) => {
      const expected = { observation: obs, reward, terminated: done, truncated: false, available };
      expect(lines[i + 1]).toMatchObject(expected);
    });
  });

  it("tells each term of the reward after buying, and no more turns", async () => {
    const text = "search[dress shirt]\nnonsense\nclick[b0syn00001]\nclick[buy now]\nsearch[x]\n";
    const argv = ["play", "webshop", "--data=shop", "--goal=0"];
    const { lines } = await run(...argv, "--actions", file("buy.txt", text), "--format-penalty=-1");
    expect(lines.length).toBe(5);
    expect(lines[2]).toMatchObject({ reward: -1, info: { action: null, valid: false } });
    expect(lines[3]).toMatchObject({
      info: {
        action: { name: "click", argument: "b0syn00001" },
        valid: true,
        page: "item",
        reward: null,
        turnsLeft: 97,
      },
    });
    expect(lines[4]).toMatchObject({
      reward: 0.6,
      terminated: true,
      available: null,
      info: {
        success: false,
        reward: { reward: 0.6, rType: 1, rAtt: 1, rOption: 0, rPrice: true },
      },
    });
  });

  it("obeys its limit of turns, and plays goals that people wrote", async () => {
    const actions = file("limit.txt", "search[tee]\nclick[b0syn00003]\nclick[buy now]\n");
    const argv = ["play", "webshop", "--data", "shop", "--goal", "0", "--actions", actions];
    const { lines, errors } = await run(...argv, "--max-turns", "2", "--goals", "human");
    expect(lines.length).toBe(3);
    expect(lines[0]!["observation"]).toContain("i want a red short sleeve tee");
    expect(lines[2]).toMatchObject({ truncated: true, terminated: false, available: null });
    expect(lines[0]).toMatchObject({ info: { goals: 1 } });
    expect(errors).toEqual([]);
  });
});

describe("the largest seed and limit of turns", () => {
  it("still draw random results", async () => {
    const seed = `--seed=${Number.MAX_SAFE_INTEGER}`;
    const searched = await run("search", "webshop", "--query", "<r>", seed);
    expect(searched.lines).toEqual([expect.objectContaining({ total: 50 })]);
    const actions = file("random.txt", "search[<r>]");
    const argv = ["play", "webshop", "--goal=0", "--actions", actions, seed];
    const played = await run(...argv, `--max-turns=${2 ** 32 - 1}`);
    expect(played.lines[1]).toMatchObject({ info: { valid: true, turnsLeft: 2 ** 32 - 2 } });
  });
});

describe("files that begin with a byte-order mark", () => {
  it("are read as if it were not there", async () => {
    const actions = file("marked.txt", "\ufeffsearch[dress shirt]\n");
    const played = await run("play", "webshop", "--data=shop", "--goal=0", "--actions", actions);
    const action = { name: "search", argument: "dress shirt" };
    expect(played.lines[1]).toMatchObject({ info: { action, valid: true } });
    const plain = JSON.stringify(golden.reward_cases[0]);
    const cases = [file("plain.json", plain), file("marked.json", `\ufeff${plain}`)];
    const [expected, marked] = await Promise.all(
      cases.map((path) => run("reward", "webshop", "--case", path)),
    );
    expect(marked).toEqual(expected);
    expect(marked!.code).toBe(0);
  });
});

describe("files with broken rows", () => {
  it("play on, and are told of on stderr", async () => {
    mkdirSync(join(dir, "odd"));
    const { items_shuffle_format: items, items_ins_format } = golden.catalogue;
    const odd = [...items, { ...items[0], asin: "nan" }, 3, items[1]];
    file("odd/items_shuffle.json", JSON.stringify(odd));
    file("odd/items_ins_v2.json", JSON.stringify(items_ins_format));
    const { code, lines, errors } = await run("play", "webshop", "--data=odd", "--goal=0");
    expect([code, lines.length]).toEqual([0, 1]);
    expect(errors).toEqual([
      "odd: 19 rows, 16 products, 3 instructions, 12 goals",
      'odd: asin is "nan": row left out (1: row 17)',
      "odd: is not an object: row left out (1: row 18)",
      "odd: asin occurs again: row left out (1: row 19)",
    ]);
  });
});

describe("reward webshop", () => {
  it.each(golden.reward_cases)("scores the golden case $id", async (testCase) => {
    const { code, lines } = await run(
      "reward",
      "webshop",
      "--case",
      file("case.json", JSON.stringify(testCase)),
    );
    expect(code).toBe(0);
    const { expected } = testCase;
    expect(lines[0]!["reward"]).toBeCloseTo(expected.reward, 9);
    expect(lines[0]).toMatchObject({
      rType: expected.r_type,
      rAtt: expected.r_att,
      rOption: expected.r_option ?? null,
      rPrice: expected.r_price,
      queryMatch: expected.query_match,
      categoryMatch: expected.category_match,
    });
  });
});

describe("search webshop", () => {
  it("shows the ids and titles of a page", async () => {
    const argv = ["search", "webshop", "--data", "shop", "--query", "Cable"];
    const second = await run(...argv, "--page", "2");
    expect(second.lines).toEqual([
      {
        query: "Cable",
        page: 2,
        total: 13,
        results: [
          { id: "B0SYN00015", title: "Volt Cable Model 15 Braided", price: "$45.0" },
          { id: "B0SYN00016", title: "Volt Cable Model 16 Braided", price: "$48.0" },
          { id: "B0SYN00004", title: "Volt HDMI Cable Gold Plated", price: "$9.99" },
        ],
      },
    ]);
    expect((await run(...argv)).lines[0]!["results"]).toHaveLength(10);
    expect((await run(...argv, "--page=3")).lines[0]).toMatchObject({ total: 13, results: [] });
  });

  it("without files has the generated shop, one for each seed", async () => {
    const argv = ["search", "webshop", "--query", "cotton dress shirt"];
    const [first, same, other] = await Promise.all([
      run(...argv),
      run(...argv, "--catalog-seed", "1"),
      run(...argv, "--catalog-seed=2"),
    ]);
    expect(first).toEqual(same);
    expect(first.lines[0]!["results"]).toHaveLength(10);
    expect(other.lines).not.toEqual(first.lines);
    const played = await run("play", "webshop", "--catalog-seed=2", "--goal=3");
    expect(played.lines[0]).toMatchObject({ info: { goal: 3, products: 336 } });
  });

  it("needs no goals, which playing does", async () => {
    mkdirSync(join(dir, "bare"), { recursive: true });
    file("bare/items_shuffle.json", JSON.stringify(golden.catalogue.items_shuffle_format));
    file("bare/items_ins_v2.json", "{}");
    const searched = await run("search", "webshop", "--data", "bare", "--query", "cable");
    expect([searched.code, searched.lines[0]!["total"]]).toEqual([0, 13]);
    const played = await run("play", "webshop", "--data", "bare", "--goal", "0");
    expect(played.errors.join()).toContain("no goal can be made from items_ins_v2.json");
  });

  it("finds other forms of a word with stems", async () => {
    const argv = ["search", "webshop", "--data", "shop", "--query", "shirts"];
    expect((await run(...argv)).lines[0]).toMatchObject({ total: 0 });
    const stemmed = await run(...argv, "--analyser", "stemmed");
    expect(stemmed.lines[0]).toMatchObject({ total: 3 });
  });
});

describe("bad input", () => {
  it.each([
    ["play webshop", "option --goal I is missing"],
    ["play webshop --goal 0 --limit 5", "option --limit needs --data DIR"],
    [
      "play webshop --goal 0 --data shop --catalog-seed 1",
      "--catalog-seed cannot be combined with --data",
    ],
    ["play webshop --goal 0 --catalog-seed -1", "--catalog-seed"],
    ["play webshop --goal 12 --data shop", "goal is 12; it must be a whole number from 0 to 11"],
    ["play webshop --goal -1 --data shop", "--goal"],
    ["play webshop --goal 0 --data nowhere", "nowhere has no file items_shuffle_1000.json or"],
    ["play webshop --goal 0 --data shop --actions none.txt", "cannot read none.txt (ENOENT)"],
    ["play webshop --goal 0 --data shop --observation html", "allowed: text, text_rich"],
    ["play webshop --goal 0 --data shop --max-turns 0", "--max-turns"],
    ["play webshop --goal 0 --max-turns 5000000000", 'option --max-turns is "5000000000"; it must'],
    [
      "play webshop --goal 0 --seed 1e300 --actions random.txt",
      'option --seed is "1e300"; it must',
    ],
    ["search webshop --query <r> --seed 1e300", 'option --seed is "1e300"; it must'],
    ["play webshop --goal 0 --data shop extra", 'no argument "extra"'],
    ["play webshop --goal 0 --data empty", "items_shuffle.json holds no product"],
    ["play webshop --goal 0 --data text", 'items_shuffle.json begins with "asin,name'],
    ["reward", "reward needs an environment, not nothing; allowed: webshop"],
    ["reward webshop", "option --case FILE is missing"],
    ["reward webshop --case none.json", "cannot read none.json (ENOENT)"],
    ["reward webshop --case broken.json", "broken.json is not valid JSON"],
    ["reward webshop --case list.json", "list.json: the case is []; it must be an object"],
    ["search sokoban", 'not "sokoban"'],
    ["search webshop --data shop", "option --query TEXT is missing or empty"],
    ["search webshop --data shop --query a --page 0", "--page"],
    ["search webshop --query a --data-seed 1", "option --data-seed needs --data DIR"],
  ])("%s: one line and exit code 2", async (line, message) => {
    file("broken.json", "{");
    file("list.json", "[]");
    file("random.txt", "search[<r>]");
    for (const [name, text] of [
      ["empty", "[]"],
      ["text", "asin,name\n1,2\n"],
    ] as const) {
      mkdirSync(join(dir, name), { recursive: true });
      file(`${name}/items_shuffle.json`, text);
      file(`${name}/items_ins_v2.json`, "{}");
    }
    const { code, lines, errors } = await run(...line.split(" "));
    expect(errors).toEqual([expect.stringContaining(message)]);
    expect([code, lines]).toEqual([2, []]);
  });
});
