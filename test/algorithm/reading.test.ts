/** The three algorithms to read compute what their rows compute, and the test notices errors in them. */
import { build, type Plugin } from "esbuild";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import * as registry from "../../src/algorithm/registry.ts";
import * as grpo from "../../src/algorithm/reading/grpo.ts";
import * as tokenPpo from "../../src/algorithm/reading/tokenPpo.ts";
import * as turnPpo from "../../src/algorithm/reading/turnPpo.ts";
import { resolveAlgorithm } from "../../src/spec/algorithms.ts";
import {
  cases,
  firstDifference,
  readRows,
  type Reading,
  type Readings,
  type Table,
} from "./readingCases.ts";
import { readingMutants, tableMutants, type Mutant } from "./readingMutants.ts";

const root = resolve(import.meta.dirname, "../..");
const table: Table = { ...registry, resolveAlgorithm };
const readings: Readings = { grpo, "token-ppo": tokenPpo, "turn-ppo": turnPpo };

describe("the three algorithms to read", () => {
  it("agree with their rows on losses, advantages, returns and gradients", () => {
    expect(firstDifference(table, readings, readRows)).toBeNull();
  });

  it("meet every case that they have a line for", () => {
    const seen = cases().map(({ batch, set }) => {
      const config = resolveAlgorithm("token-ppo", set);
      const { tokenRatio, metrics } = registry.computeObjective(
        config,
        batch,
        registry.computeCredit(config, batch),
      );
      return {
        truncated: batch.terminated.includes(false),
        groups: new Set(batch.task).size > 1,
        alone: batch.task.some((name) => batch.task.filter((x) => x === name).length === 1),
        clipped: metrics["actor/pg_clipfrac"]! > 0,
        dual: metrics["actor/pg_clipfrac_lower"]! > 0,
        limit: tokenRatio.some((w) => w > 4e8),
        off: tokenRatio.some((w) => w !== 1),
      };
    });
    for (const what of Object.keys(seen[0]!) as (keyof (typeof seen)[0])[])
      expect(seen.filter((one) => one[what]).length, what).toBeGreaterThan(2);
  });

  it("are of 120 lines at most, have the same stages, and say the shape of every array they make", () => {
    const texts = ["grpo", "tokenPpo", "turnPpo"].map((name) =>
      readFileSync(join(root, `src/algorithm/reading/${name}.ts`), "utf8"),
    );
    const stages = texts.map((text) => [...text.matchAll(/\/\/ (\d\. \w+)/g)].map(([, s]) => s));
    expect(stages[0]).toHaveLength(7);
    for (const own of stages) expect(own).toEqual(stages[0]);
    const makes =
      /(\.map\(|new Float64Array|segment\w+\(|broadcast\(|\.slice\(\)|Offsets\(|batch\.\w+!;)/;
    for (const text of texts) {
      const lines = text.trimEnd().split("\n");
      expect(lines.length).toBeLessThanOrEqual(120);
      const bare = lines.filter(
        (line) => /^ {2}const /.test(line) && makes.test(line) && line.endsWith(";"),
      );
      expect(bare).toEqual([]);
    }
  });
});

describe("forty slips", () => {
  it("are twenty of the texts to read and twenty of the table, each another", () => {
    for (const list of [readingMutants, tableMutants]) {
      expect(list).toHaveLength(20);
      expect(new Set(list.map(String)).size).toBe(20);
    }
    const isReading = ([file]: Mutant) => file.startsWith("algorithm/reading/");
    expect(readingMutants.every(isReading)).toBe(true);
    expect(tableMutants.some(isReading)).toBe(false);
  });

  it("leave a copy without a slip as it is", async () => {
    expect(firstDifference(await bundled<Table>(TABLE), await read(null), readRows)).toBeNull();
  });

  it.each(readingMutants)("of %s are noticed: %s becomes %s", async (...mutant) => {
    expect(firstDifference(table, await read(mutant), rowsOf(mutant))).not.toBeNull();
  });

  it.each(tableMutants)("of the table's %s are noticed: %s becomes %s", async (...mutant) => {
    expect(firstDifference(await bundled<Table>(TABLE, mutant), readings, readRows)).not.toBeNull();
  });
});

const TABLE = `
  export { computeCredit, computeObjective } from "./src/algorithm/registry.ts";
  export { resolveAlgorithm } from "./src/spec/algorithms.ts";`;
const READINGS = `
  export * as grpo from "./src/algorithm/reading/grpo.ts";
  export * as tokenPpo from "./src/algorithm/reading/tokenPpo.ts";
  export * as turnPpo from "./src/algorithm/reading/turnPpo.ts";`;

async function read(mutant: Mutant | null): Promise<Readings> {
  type Modules = Record<"grpo" | "tokenPpo" | "turnPpo", Reading>;
  const { grpo, tokenPpo, turnPpo } = await bundled<Modules>(READINGS, mutant);
  return { grpo, "token-ppo": tokenPpo, "turn-ppo": turnPpo };
}

/** A slip in one file must show in its own row. */
function rowsOf([file]: Mutant) {
  return readRows.filter((row) => file.toLowerCase().endsWith(`/${row.replace("-", "")}.ts`));
}

/** The modules of a few lines of code, all sources in them as they are but for the slip. */
async function bundled<Module>(contents: string, mutant: Mutant | null = null): Promise<Module> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    write: false,
    plugins: mutant ? [slip(mutant)] : [],
    logLevel: "error",
  });
  const code = Buffer.from(outputFiles[0]!.contents).toString("base64");
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`) as Promise<Module>;
}

function slip([file, old, now]: Mutant): Plugin {
  const path = join(root, "src", file);
  return {
    name: "slip",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, (loaded) => {
        if (loaded.path !== path) return null;
        const parts = readFileSync(path, "utf8").split(old);
        if (parts.length !== 2) throw new Error(`${old} occurs ${parts.length - 1} times`);
        return { contents: parts.join(now), loader: "ts" };
      });
    },
  };
}
