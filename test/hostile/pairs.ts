/** Two processes started at once on one `--out`: one runs, the other is refused in one line, and the log is whole. */
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { rowOf, type Area, type Finished, type Tools } from "./area.ts";
import { trainArgs, unbrokenFingerprint, wrongEnd, writeSpec } from "./runSupport.ts";

const START = ["a new folder", "an empty folder", "the lock of a process that is gone"] as const;
type Start = (typeof START)[number];

export const pairs: Area = {
  name: "pairs",
  run: async (tools) => {
    const spec = writeSpec(join(tools.folder("spec"), "spec.json"), 2);
    const fingerprint = await unbrokenFingerprint(tools, spec);
    const count = tools.full ? 200 : 50;
    const starts = Array.from({ length: count }, (_, i) => START[i % START.length]!);
    const random = tools.random("pairs");
    return [
      await rowOf("two processes at once on one --out", starts, async (start) => {
        const out = await prepare(start, spec, tools);
        const wrong = await runPair(trainArgs(spec, out), fingerprint, random() * 40, tools);
        return wrong === null ? null : `${start}: ${wrong}`;
      }),
    ];
  },
};

async function prepare(start: Start, spec: string, tools: Tools): Promise<string> {
  const out = join(tools.folder("run"), "run");
  if (start !== "a new folder") mkdirSync(out);
  if (start !== "the lock of a process that is gone") return out;
  await tools.turnbook([...trainArgs(spec, out), "--iterations", "2"]);
  const lock = { pid: 2 ** 22 + 1, host: hostname(), boot: "gone", space: null, started: null };
  writeFileSync(join(out, "turnbook-run.lock"), JSON.stringify(lock));
  return out;
}

async function runPair(
  args: string[],
  fingerprint: string,
  delay: number,
  tools: Tools,
): Promise<string | null> {
  const first = tools.turnbook(args);
  await new Promise((resolve) => setTimeout(resolve, delay));
  const ends = await Promise.all([first, tools.turnbook(args)]);
  const refused = ends.filter(({ code }) => code !== 0);
  const ran = ends.filter(({ code }) => code === 0);
  // One after the other is as good: the second one finds a finished run.
  if (ran.length === 0) return `both failed: ${ends.map(({ stderr }) => stderr).join(" | ")}`;
  for (const end of ran) {
    const wrong = wrongEnd(end, fingerprint, true);
    if (wrong !== null) return wrong;
  }
  const odd = refused.find((end) => !isRefusal(end));
  if (odd) return `refused with code ${odd.code}: ${odd.stderr}`;
  const { code, stdout } = await tools.turnbook(["verify", args[3]!]);
  return code === 0 ? null : `verify: ${stdout}`;
}

function isRefusal({ code, stderr }: Finished): boolean {
  return code === 2 && /^process \d+ on host \S+ is writing to .*\n$/.test(stderr);
}
