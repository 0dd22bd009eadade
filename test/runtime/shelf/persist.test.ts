/** Storage that the browser promises to keep. */
import { expect, it } from "vitest";
import { askToPersist, isPersistent } from "../../../src/runtime/shelf/persist.ts";

const storage = (before: boolean, answer: boolean | Error) => {
  const asked: string[] = [];
  return {
    asked,
    persisted: async () => (asked.push("persisted"), before),
    persist: async () => {
      asked.push("persist");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
};

it("asks once, and not where it has been promised", async () => {
  const [yes, no, already, broken] = [
    storage(false, true),
    storage(false, false),
    storage(true, false),
    storage(false, new Error("no")),
  ];
  expect(await askToPersist(yes)).toBe(true);
  expect(await askToPersist(no)).toBe(false);
  expect(await askToPersist(already)).toBe(true);
  expect(already.asked).toEqual(["persisted"]);
  expect(await askToPersist(broken)).toBe(false);
  expect(await askToPersist({})).toBe(false);
  expect(await isPersistent(no)).toBe(false);
  expect(await isPersistent({})).toBe(false);
});
