/** Everything large: specs with fields at their maximum, boards that take long, recordings that hold very much. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gated } from "../../src/numeric/sliced.ts";
import type { presetSpec } from "../../src/spec/presets.ts";
import { toSpec } from "../../src/spec/presets.ts";
import { trainingSeeds } from "../../src/train/iterate.ts";
import { type IterationContext } from "../../src/train/context.ts";
import { cloneSeeds, demonstrationRows } from "../../src/train/clone.ts";
import { taskFamilyOf, holdOutLevels } from "../../src/train/warmStart.ts";
import { emptyEpisodes, longEpisode, manyIterations } from "../fixtures/longRun.ts";
import { rowOf, type Area, type Finished, type Tools } from "./area.ts";
import { sizesInPage } from "./sizePage.ts";

export const size: Area = {
  name: "size",
  run: async (tools) => [
    await largeSpecs(tools),
    await largeBoards(),
    await largeFiles(tools),
    await sizesInPage(tools),
  ],
};

const sokoban = { kind: "sokoban" };
/** Each has one thing at its maximum; a second number is there where the first asks for it. */
const SPECS: [what: string, spec: object][] = [
  ["tasks x group 65,536", { optimisation: { tasksPerIteration: 4096, groupSize: 16 } }],
  ["a group of 1024", { optimisation: { tasksPerIteration: 1, groupSize: 1024, minibatch: 8 } }],
  [
    "a minibatch of 65,536",
    { optimisation: { tasksPerIteration: 64, groupSize: 1024, minibatch: 65_536 } },
  ],
  ["tokens of a turn", { sampling: { maxTokensPerTurn: 4096 }, context: "full" }],
  [
    "turns of an episode",
    { environment: { ...sokoban, maxTurns: 50, maxActions: 200 }, context: "full" },
  ],
  [
    "the largest board",
    { environment: { ...sokoban, rows: 16, columns: 16, boxes: 6, searchDepth: 900 } },
  ],
  [
    "levels to clone",
    { model: { warmStart: "clone" }, clone: { levels: 100_000, steps: 100_000 } },
  ],
  ["a batch to clone", { model: { warmStart: "clone" }, clone: { batch: 4096, levels: 200 } }],
  [
    "recorded episodes",
    { recordEpisodes: 4096, optimisation: { tasksPerIteration: 512, groupSize: 8 } },
  ],
  ["test levels", { evaluation: { levels: 512, every: 1 } }],
  ["epochs", { optimisation: { epochs: 100 }, critic: { epochs: 100 } }],
  ["temperature and top-k", { sampling: { temperature: 10, topK: 1_000_000 } }],
  ["rates", { optimisation: { actorLr: 1, entropyCoef: 10, rewardScale: 1e6 }, critic: { lr: 1 } }],
  ["a seed", { seed: Number.MAX_SAFE_INTEGER }],
  [
    "everything",
    {
      environment: { ...sokoban, rows: 16, columns: 16, boxes: 6, maxTurns: 50, maxActions: 200 },
      optimisation: { tasksPerIteration: 4096, groupSize: 16, minibatch: 65_536, epochs: 100 },
      sampling: { maxTokensPerTurn: 4096 },
      context: "full",
    },
  ],
];
const OVER: [what: string, spec: object][] = [
  ["a field over its maximum", { sampling: { maxTokensPerTurn: 4097 } }],
  ["tasks x group over the limit", { optimisation: { tasksPerIteration: 4096, groupSize: 17 } }],
  ["a number beyond all", { seed: 1e300 }],
];

/** It finishes an iteration, is refused in one line, or says how long it takes or how far it is until it is stopped. */
function largeSpecs(tools: Tools) {
  const folder = tools.folder("specs");
  const cases = [...SPECS, ...OVER];
  return rowOf("specs at and over their limits, by train", cases, async ([what, spec], i) => {
    const path = join(folder, `${i}.json`);
    writeFileSync(path, JSON.stringify({ preset: "nano", ...spec }));
    const limit = tools.full ? 120 : 15;
    const args = ["train", path, "--iterations", "1"];
    const ended = await tools.turnbook(args, { limit, starts: true });
    return (
      (i < SPECS.length ? wrongEnd(ended) : notRefused(ended)) &&
      `${what}: ${wrongEnd(ended) ?? notRefused(ended)}`
    );
  });
}

/** An estimate, or a count of what is done: "[3/512] making test levels". */
const ANNOUNCED = /^Setting up takes about|^\[\d+\/\d+\] /m;

/** Null where a command ended with 0, with one line and 2, or was still at work and had said how far. */
function wrongEnd({ code, stderr }: Finished): string | null {
  if (/fault of Turnbook|itself failed|stack|heap out of memory|RangeError/i.test(stderr))
    return lastLine(stderr);
  if (code === null)
    return ANNOUNCED.test(stderr) ? null : `stopped without a count: ${lastLine(stderr)}`;
  return code === 0 || code === 2 ? null : `exit ${code}: ${lastLine(stderr)}`;
}

function notRefused({ code, stderr }: Finished): string | null {
  return code === 2 ? null : `not refused (exit ${code}): ${lastLine(stderr)}`;
}

const lastLine = (text: string) => text.trim().split("\n").at(-1) ?? "";

/** Limit of milliseconds between two chances to cancel; about 8 are expected, more on a busy machine. */
const LONGEST_BLOCK = 200;

/** Work on boards that take long is cancelled soon: what it does between two gates is measured by processor time. */
function largeBoards() {
  const boards = [
    { rows: 16, columns: 16, boxes: 6, searchDepth: 900 },
    { rows: 16, columns: 16, boxes: 6, searchDepth: 300 },
    { rows: 12, columns: 12, boxes: 6, searchDepth: 300 },
    { rows: 8, columns: 8, boxes: 4, searchDepth: 100 },
  ];
  const kinds = ["test levels", "levels of an iteration", "levels to clone"] as const;
  const cases = boards.flatMap((board) => kinds.map((kind) => ({ board, kind })));
  return rowOf("large boards, cancelled while they are made", cases, async ({ board, kind }) => {
    const gate = countedGate(20);
    const spec = toSpec({ preset: "nano", environment: { ...sokoban, ...board } });
    const family = taskFamilyOf(spec);
    const context: IterationContext = { spec, family, gate: gate.pass, clock: () => 0 };
    const set = { tasks: 4096, episodes: 4096, pool: 0 };
    const host = { gate: gate.pass } as Parameters<typeof holdOutLevels>[2];
    const work = {
      "test levels": () => holdOutLevels(family.levels, 512, host),
      "levels of an iteration": () => trainingSeeds(context, 1, set),
      "levels to clone": () => gated(solveAll(spec), gate.pass),
    }[kind];
    const ended = await work().then(
      () => "done",
      (error: unknown) => (error === CANCEL ? "cancelled" : String(error)),
    );
    const name = `${kind}, ${JSON.stringify(board)}`;
    if (ended !== "cancelled") return `${name}: ${ended} instead of cancelled`;
    return gate.longest() < LONGEST_BLOCK
      ? null
      : `${name}: ${Math.round(gate.longest())} ms without a gate`;
  });
}

function* solveAll(spec: ReturnType<typeof presetSpec>) {
  const family = taskFamilyOf(spec);
  const seeds = yield* cloneSeeds(family, { ...spec, clone: { ...spec.clone, levels: 4 } });
  yield* demonstrationRows(family, spec, seeds);
}

const CANCEL = new Error("cancelled");

/** A gate that cancels after that many passes. */
function countedGate(passes: number) {
  let [longest, left, before] = [0, passes, process.cpuUsage()];
  const pass = async () => {
    const { user, system } = process.cpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
    await new Promise((resolve) => setTimeout(resolve));
    before = process.cpuUsage();
    if (--left < 0) throw CANCEL;
  };
  return { pass, longest: () => longest };
}

/** Logs that hold very much, read by commands. */
function largeFiles(tools: Tools) {
  const folder = tools.folder("files");
  const files: [name: string, text: () => string][] = [
    ["50,000 turns", () => longEpisode(50_000)],
    ["1,000,000 empty episodes", () => emptyEpisodes(1_000_000, "{}")],
    ["10,000 iterations", () => manyIterations(10_000, 0)],
    ["10,000 findings", () => manyIterations(10, 10_000)],
  ];
  return rowOf("large logs, by doctor", files, async ([name, text], i) => {
    const path = join(folder, `${i}.jsonl`);
    writeFileSync(path, text());
    const ended = await tools.turnbook(["doctor", path], { limit: 120 });
    // 1: it found something.
    if (ended.code === 1) return null;
    const wrong = ended.code === null ? "it does not end" : wrongEnd(ended);
    return wrong && `${name}: ${wrong}`;
  });
}
