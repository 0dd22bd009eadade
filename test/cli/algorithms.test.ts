import { describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { outsideNames } from "../../src/spec/algorithmDocs/docs.ts";
import { algorithmNames } from "../../src/spec/algorithms.ts";
import { wordAxes } from "../../src/method/axes.ts";
import { numberAxes } from "../../src/method/numbers.ts";
import { rowAxes } from "../../src/method/rowAxes.ts";

async function run(...argv: string[]) {
  const lines: unknown[] = [];
  const errors: string[] = [];
  const code = await main(["algorithms", ...argv], {
    json: (value) => lines.push(JSON.parse(JSON.stringify(value))),
    progress: (line) => errors.push(line),
  });
  return { code, lines, errors };
}

describe("algorithms", () => {
  it("lists every row with all its axes and defaults", async () => {
    const { code, lines } = await run();
    expect(code).toBe(0);
    const rows = lines as { name: string; axes: object; defaults: object; source: string }[];
    expect(rows.map(({ name }) => name)).toEqual([...algorithmNames]);
    const settings = [...Object.keys(wordAxes), ...Object.keys(numberAxes)].sort();
    for (const { axes, defaults, source } of rows) {
      expect(Object.keys(axes)).toEqual(Object.keys(rowAxes));
      expect(Object.keys(defaults).sort()).toEqual(settings);
      expect(source).not.toBe("");
    }
  });

  it.each([...algorithmNames, ...outsideNames])("tells all about %s", async (name) => {
    const { code, lines } = await run(name);
    expect(code).toBe(0);
    expect(lines).toHaveLength(1);
    const { text, formulas, terms } = lines[0] as Record<string, object[]>;
    expect(Object.keys(text!)).toEqual(["does", "answers", "watch", "sources"]);
    expect(formulas!.length).toBeGreaterThan(1);
    expect(terms!.length).toBeGreaterThan(1);
  });

  it("puts other settings into the formulas", async () => {
    const { lines } = await run("grpo", "--set", "epsLow=0.1", "--set", "aggregation=token-mean");
    const { settings, formulas } = lines[0] as {
      settings: Record<string, unknown>;
      formulas: { id: string; tex: string }[];
    };
    expect(settings).toMatchObject({ epsLow: 0.1, aggregation: "token-mean" });
    expect(settings).not.toHaveProperty("lambda");
    expect(formulas.find(({ id }) => id === "surrogate")!.tex).toContain("{0.1}");
  });

  it.each([
    [["ppo"], /algorithm is "ppo"; allowed: reinforce, /],
    [["grpo", "rloo"], /takes one name, not 2/],
    [["--set", "gamma=1"], /--set needs the name/],
    [["dpo", "--set", "gamma=1"], /dpo is not in the table/],
    [["grpo", "--set", "gamma=2"], /gamma is "2"; it must be a number from 0 to 1/],
  ])("refuses %s", async (argv, message) => {
    const { code, errors } = await run(...argv);
    expect(code).toBe(2);
    expect(errors.join()).toMatch(message);
  });
});
