/** Single bits changed in every file of a run folder: each is noticed, and none changes what a run ends with. */
import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAltered } from "../../src/cli/verifyFiles.ts";
import { verifyPath } from "../../src/cli/verifyPath.ts";
import { rowOf, type Area, type Tools } from "./area.ts";
import {
  killed,
  remarksOf,
  trainArgs,
  unbrokenFingerprint,
  wrongEnd,
  writeSpec,
} from "./runSupport.ts";

interface Flip {
  file: string;
  at: number;
  bit: number;
}

export const flips: Area = {
  name: "flips",
  run: async (tools) => {
    const spec = writeSpec(join(tools.folder("spec"), "spec.json"), 3);
    const fingerprint = await unbrokenFingerprint(tools, spec);
    const ended = join(tools.folder("ended"), "run");
    await tools.turnbook([...trainArgs(spec, ended), "--keep-every", "1"]);
    const stopped = join(tools.folder("stopped"), "run");
    await killed(trainArgs(spec, stopped), { operation: 30 });
    const random = tools.random("flips");
    const read = flipsOf(ended, tools.full ? 1000 : 200, random);
    const resumed = flipsOf(stopped, tools.full ? 100 : 20, random);
    return [
      await rowOf("bits changed in a run's files, through verify", read, (flip) =>
        isNoticed(flip, ended),
      ),
      await rowOf("of a killed run, then resumed: right or refused", resumed, (flip) =>
        resume(flip, stopped, { spec, fingerprint, tools }),
      ),
    ];
  },
};

/** As many in every file, wherever they fall. */
function flipsOf(folder: string, count: number, random: () => number): Flip[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".lock"))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  return Array.from({ length: count }, (_, i): Flip => {
    const file = files[i % files.length]!;
    const { size } = statSync(join(folder, file));
    return { file, at: Math.floor(random() * size), bit: Math.floor(random() * 8) };
  });
}

function flip(folder: string, { file, at, bit }: Flip): Buffer {
  const path = join(folder, file);
  const bytes = readFileSync(path);
  const before = Buffer.from(bytes);
  bytes[at]! ^= 1 << bit;
  writeFileSync(path, bytes);
  return before;
}

async function isNoticed(one: Flip, folder: string): Promise<string | null> {
  const before = flip(folder, one);
  try {
    const verdicts = await verifyPath(folder, folder);
    const altered = verdicts.filter(isAltered).map(({ file }) => file);
    return altered.length > 0 ? null : `not noticed: ${JSON.stringify(one)}`;
  } finally {
    writeFileSync(join(folder, one.file), before);
  }
}

interface Place {
  spec: string;
  fingerprint: string;
  tools: Tools;
}

/** Refused in one line, or to the right end; what is passed over is said. */
async function resume(one: Flip, folder: string, { spec, fingerprint, tools }: Place) {
  const out = join(tools.folder("flipped"), "run");
  cpSync(folder, out, { recursive: true });
  flip(out, one);
  const end = await tools.turnbook(trainArgs(spec, out));
  if (end.code === 2 && remarksOf(end).length === 1) return null;
  const wrong = wrongEnd(end, fingerprint, true);
  return wrong === null ? null : `${JSON.stringify(one)}: ${wrong}`;
}
