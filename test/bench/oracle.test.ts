import { expect, test } from "vitest";
import { partName, type Asked } from "./oracle.ts";

test("a kept part is found again by all that was asked, and by nothing else", () => {
  const asked: Asked = { set: {}, branches: 32, tasks: 16, group: 8 };
  const name = partName("runs/a", 26, asked);
  expect(partName("runs/a", 26, { ...asked, set: {} })).toBe(name);
  const others = [
    partName("runs/b", 26, asked),
    partName("runs/a", 3, asked),
    partName("runs/a", 26, { ...asked, set: { gamma: "1" } }),
    partName("runs/a", 26, { ...asked, branches: 64 }),
    partName("runs/a", 26, { ...asked, tasks: 8 }),
    partName("runs/a", 26, { ...asked, group: 4 }),
  ];
  expect(new Set([name, ...others]).size).toBe(7);
});
