/** Code that reads a cell follows the cell's new name; what is only called the same stays. */
import { expect, test } from "vitest";
import { renameFree } from "../../../src/runtime/sandbox/freeNames.ts";

test.each([
  ["first.metrics", "base.metrics"],
  ["runs.first.metrics + runs['first'].n", 'runs.base.metrics + runs["base"].n'],
  ["runs?.first", "runs?.base"],
  ["({ first, other })", "({ first: base, other })"],
  ["const n: number = first.n; // first\nn", "const n: number = base.n; // first\nn"],
  ["first.first + x.first + 'first' + `${first}`", "base.first + x.first + 'first' + `${base}`"],
  ["((first) => first)(first2)", "((first) => first)(first2)"],
  ["const first = 1;\nfirst", "const first = 1;\nfirst"],
  // A name that one case declares is every case's own, before it is declared, too; what is switched on is not in it.
  [
    "switch (first.n) { case 1: first.m; case 2: let first = 2; first.n; }\nfirst.n",
    "switch (base.n) { case 1: first.m; case 2: let first = 2; first.n; }\nbase.n",
  ],
  ["first +", "first +"],
])("%s", async (before, after) => {
  expect(await renameFree(before, "first", "base")).toBe(after);
});

test("a name that code cannot have is read from all runs", async () => {
  const renamed = await renameFree("runs.first.n + first.n", "first", "my-run");
  expect(renamed).toBe('runs["my-run"].n + runs["my-run"].n');
});
