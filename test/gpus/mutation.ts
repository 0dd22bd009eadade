/** Which check notices a kernel without one of its barriers or bounds. Runs in Node and in a page. */
import { runCase } from "../../src/engine/check/kernelCheck.ts";
import type { OpCase } from "../../src/engine/check/opMakers.ts";
import { ReferenceExecutor } from "../../src/engine/check/reference.ts";
import { WebGpuExecutor } from "../../src/engine/webgpu/executor.ts";
import { dispatchesOf, type KernelTarget } from "../../src/engine/webgpu/kernels/index.ts";
import type { OpenDevice } from "../../src/engine/webgpu/device.ts";
import { toShader } from "../../src/engine/webgpu/shader.ts";
import { ALLOWED, caseDistance } from "../engine/plan/distance.ts";
import { mutantCases, opCases } from "../engine/plan/opCases.ts";
import { withCode } from "../engine/webgpu/withMethods.ts";
import { mutantsOf } from "./mutants.ts";
import { openAdapter, type Adapter } from "./tasks.ts";

/** A place in a kernel's text: what it is known by in the records. */
export interface Place {
  kernel: string;
  site: string;
}

export interface Studied extends Place {
  /** The case that noticed, or "the compiler"; null: none did. */
  noticedBy: string | null;
}

/** A case that reaches a place, which is one of several of these words in the text. */
interface Try {
  one: OpCase;
  target: KernelTarget;
  nth: number;
  /** Letters of the text: how long it takes to compile. */
  length: number;
}

interface Site extends Place {
  /** Cases that were made for such places first, then the shortest text. */
  tries: Try[];
}

export const placeWords = ({ kernel, site }: Place): string => `${kernel}: ${site}`;

/** A card's, those that use subgroups, as SwiftShader has them, and a processor's. */
const TARGETS: readonly KernelTarget[] = [
  { software: false },
  { software: false, subgroup: 4 },
  { software: true },
];

/** A product's sizes left out; kernels say whose they are, but for a card's. */
function kernelOf(name: string, { software, subgroup }: KernelTarget): string {
  const words = name.split(" ").slice(0, 2).join(" ");
  return words + (software ? ", one thread" : subgroup ? ", subgroups" : "");
}

/** What subgroups change of a kernel; the rest of it is the same text as without them. */
const OF_SUBGROUPS = /^lane(Sum|Max), barrier/;

/** All places, those of a card's kernels first. */
export function sites(): Site[] {
  const found = new Map<string, Site>();
  for (const target of TARGETS)
    for (const one of opCases)
      for (const dispatch of dispatchesOf(one.op, target)) {
        const kernel = kernelOf(dispatch.name, target);
        const { code } = toShader(dispatch);
        const seen = new Map<string, number>();
        for (const { site } of mutantsOf(code)) {
          if (target.subgroup && !OF_SUBGROUPS.test(site)) continue;
          const words = placeWords({ kernel, site });
          const known = found.get(words) ?? { kernel, site, tries: [] };
          const nth = seen.get(site) ?? 0;
          known.tries.push({ one, target, nth, length: code.length });
          seen.set(site, nth + 1);
          found.set(words, known);
        }
      }
  const rank = ({ one, length }: Try) => (mutantCases.includes(one) ? 0 : length);
  for (const { tries } of found.values()) tries.sort((a, b) => rank(a) - rank(b));
  return [...found.values()];
}

/** Cases that a mutant is given to before it counts as unnoticed. */
const TRIES = 8;

export interface Study {
  /** How long, in minutes. */
  minutes: number;
  /** Places that are studied already, in words, and those that come before all others. */
  known: readonly string[];
  first: readonly string[];
}

/** Each mutant on the adapter, as long as there is time. */
export async function studyMutants(
  adapter: Adapter,
  { minutes, known, first }: Study,
  heard: (studied: Studied) => void,
): Promise<void> {
  const end = performance.now() + 60_000 * minutes;
  const opened = await openAdapter(adapter);
  const hasSubgroups = opened.device.features.has("subgroups");
  const left = sites().filter(
    (site) =>
      !known.includes(placeWords(site)) && (hasSubgroups || !site.tries[0]!.target.subgroup),
  );
  const rank = (site: Site) => Number(!first.includes(placeWords(site)));
  for (const { kernel, site, tries } of left.sort((a, b) => rank(a) - rank(b))) {
    if (performance.now() > end) break;
    heard({ kernel, site, noticedBy: await whoNotices(opened, { kernel, site }, tries) });
  }
  opened.device.destroy();
}

const reference = new ReferenceExecutor();

async function whoNotices(
  opened: OpenDevice,
  place: Place,
  tries: readonly Try[],
): Promise<string | null> {
  for (const one of spread(tries, TRIES)) {
    const found = await whatNotices(opened, place, one);
    if (found !== null) return found;
  }
  return null;
}

async function whatNotices(
  opened: OpenDevice,
  place: Place,
  { one, target, nth }: Try,
): Promise<string | null> {
  let isChanged = false;
  const change = (code: string, label: string) => {
    if (kernelOf(label, target) !== place.kernel) return code;
    const mutant = mutantsOf(code).filter(({ site }) => site === place.site)[nth];
    isChanged ||= mutant !== undefined;
    return mutant?.code ?? code;
  };
  const device = withCode(opened.device, change);
  const { software: softwareKernels, subgroup = 0 } = target;
  const executor = new WebGpuExecutor({ ...opened, device }, { softwareKernels, subgroup });
  try {
    if (await isWrong(executor, one)) return one.name;
  } catch (error) {
    const { message } = error as Error;
    return message.includes("does not compile") ? "the compiler" : `${one.name}: ${message}`;
  } finally {
    executor.dispose();
  }
  if (!isChanged) throw new Error(`${one.name} does not reach ${placeWords(place)}`);
  return null;
}

/** The first, the last and some between. */
function spread<T>(all: readonly T[], count: number): T[] {
  if (all.length <= count) return [...all];
  return Array.from(
    { length: count },
    (_, i) => all[Math.round((i * (all.length - 1)) / (count - 1))]!,
  );
}

/** Whether one of two runs differs from the reference. */
async function isWrong(executor: WebGpuExecutor, one: OpCase): Promise<boolean> {
  const theirs = await runCase(reference, one);
  for (let i = 0; i < 2; i++) {
    const ours = await runCase(executor, one);
    const far = ([store, words]: [string, Float32Array]) =>
      !(caseDistance(one, store, ours[store]!, words) < ALLOWED);
    if (Object.entries(theirs).some(far)) return true;
  }
  return false;
}
