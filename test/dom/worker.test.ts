import { afterEach, expect, it, vi } from "vitest";
import { FakeTraining } from "../browser/fakeTraining.ts";

afterEach(() => void vi.useRealTimers());

it("made-up training that is left running stays off the fake clock of what comes after it", async () => {
  const { setTimeout: real } = globalThis;
  const training = new FakeTraining(() => {});
  vi.useFakeTimers();
  await new Promise((resolve) => real(resolve, 100));
  expect(vi.getTimerCount()).toBe(0);
  training.stop();
});
