/** The page and README promise the same of each engine's numbers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { panelWords } from "../src/panels/shared/strings.ts";
import { PROMISES } from "../src/spec/reproducible.ts";

const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
const oneLine = readme.replaceAll(/\s+/g, " ");

it.each(Object.entries(PROMISES))("%s: %s", (kind, sentence) => {
  expect(oneLine).toContain(`"${sentence}"`);
  expect(panelWords.status.reproducible[kind as keyof typeof PROMISES].startsWith(sentence)).toBe(
    true,
  );
});

it("promises WebGPU's numbers on one device only, and for one browser and driver", () => {
  expect(PROMISES.device).toMatch(/on one device with one browser and driver\.$/);
  expect(oneLine).toMatch(
    /WebGPU, and tfjs on wasm [^"]*"Same experiment, same numbers, on one device with one browser and driver\."/,
  );
});
