import { describe, expect, test } from "vitest";
import { deal } from "../../../src/engine/plan/deal.ts";

const after = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Deals and tells where each job ran: -1 here, else the remote. [count] */
async function places(count: number, remotes: number, slowness: (job: number) => number = () => 0) {
  const ran: number[][] = Array.from({ length: count }, () => []);
  const here = async (job: number) => void ran[job]!.push(-1);
  const there = async (remote: number, job: number) => {
    await after(slowness(job));
    ran[job]!.push(remote);
  };
  await deal(count, remotes, here, there);
  expect(ran.every((runs) => runs.length === 1)).toBe(true);
  return ran.flat();
}

describe("jobs dealt to threads", () => {
  test.each([
    [0, 2],
    [1, 0],
    [1, 3],
    [5, 0],
    [5, 1],
    [20, 3],
  ])("each of %i jobs runs once, with %i remotes", async (count, remotes) => {
    expect(await places(count, remotes, (job) => job % 4)).toHaveLength(count);
  });

  test("a single job stays here; as many jobs as threads are one for each", async () => {
    expect(await places(1, 3)).toEqual([-1]);
    expect((await places(4, 3)).sort()).toEqual([-1, 0, 1, 2]);
  });

  test("a slow remote gets less", async () => {
    const ran = await places(20, 1, () => 50);
    expect(ran.filter((place) => place === 0).length).toBeLessThan(5);
  });

  test.each(["here", "there"])("the first failure %s rejects, once all is quiet", async (where) => {
    let under = 0;
    const job = async (place: string, milliseconds: number) => {
      under++;
      await after(milliseconds);
      under--;
      if (place === where) throw new Error(`failed ${place}`);
    };
    const dealt = deal(
      9,
      2,
      () => job("here", 1),
      () => job("there", 5),
    );
    await expect(dealt).rejects.toThrow(`failed ${where}`);
    expect(under).toBe(0);
  });
});
