/** What the machine was like while something was measured. */
import { cpus, loadavg } from "node:os";

export interface Conditions {
  date: string;
  cpu: string;
  cores: number;
  /** One-minute load average before and after. */
  load: [number, number];
  node: string;
}

export function startConditions(): () => Conditions {
  const before = loadavg()[0]!;
  return () => ({
    date: new Date().toISOString().slice(0, 16).replace("T", " "),
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    load: [before, loadavg()[0]!],
    node: process.version,
  });
}

export function sayConditions({ date, cpu, cores, load, node }: Conditions): string {
  const [before, after] = load.map((x) => x.toFixed(2));
  return `${date} UTC, ${cpu}, ${cores} cores, load average ${before} before and ${after} after, Node ${node}`;
}
