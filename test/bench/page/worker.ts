/** One job in a worker: the meter first, then whatever the job needs. */
import { Meter } from "../meter.ts";
import type { Answer, Job, Machine } from "./protocol.ts";

const meter = new Meter();
meter.install();

self.onmessage = async ({ data }: MessageEvent<Job>) => self.postMessage(await answer(data));

async function answer(job: Job): Promise<Answer> {
  try {
    return await work(job);
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { kind: "error", message };
  }
}

async function work(job: Job): Promise<Answer> {
  if (job.kind === "machine") return { kind: "machine", machine: await machine() };
  if (job.kind === "rate") {
    const { pageRate } = await import("./rate.ts");
    return { kind: "rate", rate: await pageRate(job.backend) };
  }
  const { openContender } = await import("../contenders/open.ts");
  const { measureCell } = await import("../measure.ts");
  const contender = await openContender(job.contender);
  return { kind: "cell", cell: await measureCell(contender, job.workload, job.effort, meter) };
}

async function machine(): Promise<Machine> {
  const adapter = await navigator.gpu?.requestAdapter({ powerPreference: "high-performance" });
  const { vendor, architecture, device, description } = adapter?.info ?? {};
  const words = [...new Set([vendor, architecture, device, description])].filter(Boolean);
  return { adapter: words.join(" ") || "none", isolated: self.crossOriginIsolated };
}
