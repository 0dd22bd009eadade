/** No golden file lies idle. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tests = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts") && !name.endsWith("goldensUsed.test.ts"))
  .map((name) => readFileSync(root + name, "utf8"));

it.each(["rl", "dpo"])("every file of test/golden/%s is read by a test", (folder) => {
  const files = readdirSync(`${root}golden/${folder}`).map((name) => name.replace(/\.json$/, ""));
  expect(files.length).toBeGreaterThan(3);
  const unread = files.filter((name) => !tests.some((text) => text.includes(`"${name}"`)));
  expect(unread).toEqual([]);
});
