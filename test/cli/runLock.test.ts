/** Waiting for the lock of a run folder: a process that is ending keeps it for a moment. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { RunLock, waitForLock } from "../../src/cli/runLock.ts";

const folder = mkdtempSync(join(tmpdir(), "turnbook-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Resolves to whether the lock was free within that many milliseconds. */
const isFree = async (path: string, most: number) => {
  const began = performance.now();
  await waitForLock(path, most);
  return performance.now() - began < most;
};

test("a lock is waited for while a process that runs holds it, and no longer than is said", async () => {
  const path = join(folder, "lock");
  expect(await isFree(path, 300)).toBe(true);
  const lock = RunLock.take(path, false, () => undefined);
  expect(await isFree(path, 300)).toBe(false);
  setTimeout(lock.release, 400);
  expect(await isFree(path, 30_000)).toBe(true);
  expect(await isFree(join(folder, "nowhere", "lock"), 300)).toBe(true);
});
