/**
 * Which modules share a file. By default the build makes one for each set of modules that the same
 * parts need: three hundred, most of them under a kilobyte, and a request for each. Here each step
 * of the page's start is one file, and modules shared by parts are in few files.
 */
import type { Plugin, Rolldown } from "vite";
import { AT_FIRST } from "./pageFiles.ts";

/** The files of the start, by the module that needs each: a later one has what the earlier ones lack. */
const STEPS = [
  { name: "open", end: "/app/main.tsx" },
  ...AT_FIRST.map((end, i) => ({ name: ["live", "page"][i]!, end })),
];

/**
 * Files of shared modules smaller than this many bytes are merged into the one needed by the most
 * similar parts.
 */
const SMALL = 4000;

/** Named after all parts that need it, which is too long for an address. */
const SHARED = "shared";

/** What a plugin can query about a module. */
type ModuleInfo = Pick<Rolldown.PluginContext, "getModuleIds" | "getModuleInfo">;

export function chunksPlugin(): Plugin {
  /** By module; null for one that must have its own file. */
  const steps = new Map<string, string | null>();
  const first = STEPS.map(({ name }, i) => ({
    name,
    test: (id: string) => steps.get(id) === name,
    priority: STEPS.length - i,
  }));
  const shared = {
    name: SHARED,
    test: (id: string) => !steps.has(id),
    minShareCount: 2,
    entriesAware: true,
    entriesAwareMergeThreshold: SMALL,
  };
  const shortened = (name = "") => `assets/${name.startsWith(SHARED) ? SHARED : "[name]"}-[hash]`;
  const output = {
    chunkFileNames: ({ name }: Rolldown.PreRenderedChunk) => `${shortened(name)}.js`,
    assetFileNames: ({ names }: Rolldown.PreRenderedAsset) => `${shortened(names[0])}[extname]`,
    codeSplitting: { groups: [...first, shared] },
  };
  return {
    name: "turnbook-chunks",
    apply: "build",
    config: () => ({ build: { rolldownOptions: { output } } }),
    buildEnd() {
      steps.clear();
      for (const [id, step] of stepsOf(this)) steps.set(id, step);
    },
  };
}

/** The first step that needs each module of the start. */
function stepsOf(context: ModuleInfo): Map<string, string | null> {
  const steps = new Map<string, string | null>();
  const ids = [...context.getModuleIds()];
  const visit = (id: string, step: string) => {
    if (steps.has(id)) return;
    steps.set(id, step);
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) visit(next, step);
  };
  for (const { name, end } of STEPS) {
    const begin = ids.find((id) => id.endsWith(end));
    if (begin) visit(begin, name);
  }
  for (const id of ids) {
    // The build's own helpers.
    if (id.startsWith("\0")) steps.set(id, STEPS[0]!.name);
    if (isPart(id, context)) steps.set(id, null);
  }
  return steps;
}

/** A part loaded by its own address keeps its file: pageFiles.ts lists parts by address. */
function isPart(id: string, { getModuleInfo }: ModuleInfo): boolean {
  const isBeginning = STEPS.some(({ end }) => id.endsWith(end));
  return isBeginning || (getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0;
}
