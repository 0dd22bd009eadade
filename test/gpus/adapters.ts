/** The adapters: Dawn, set up in several ways, on a card where there is one and on SwiftShader else, and Firefox on whatever Mesa offers. */
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describeAdapter } from "../../src/engine/webgpu/device.ts";
import { launchFirefox } from "../hostile/firefox.ts";
import { dawnGpu, UNCLEARED } from "./dawn.ts";
import { studyMutants, type Studied, type Study } from "./mutation.ts";
import type { Look } from "./page.ts";
import { tryAdapter, type Line, type Tried } from "./tasks.ts";

const GOLDEN = join(import.meta.dirname, "..", "golden", "model");
const golden = async (path: string) => new Uint8Array(await readFile(join(GOLDEN, path)));

export interface AdapterRun {
  /** What is special about it. */
  words: string;
  tasks(heard: (line: Line) => void): Promise<Tried>;
  mutation(study: Study, heard: (studied: Studied) => void): Promise<void>;
}

interface DawnSetting {
  /** Of its own, switched on. */
  features?: string[];
  plain?: boolean;
  /** Not on a processor. */
  card?: boolean;
}

function dawn(
  words: string,
  { features = [], plain = false, card = false }: DawnSetting = {},
): AdapterRun {
  const adapter = async (isStudy = false) => {
    const gpu = await dawnGpu(features);
    const found = await gpu.requestAdapter();
    const isCard = found !== null && !describeAdapter(found.info).software;
    if (card && !isCard) throw new Error("no graphics card here");
    // Its records are those of a software adapter.
    if (isStudy && isCard && !card) throw new Error("here is a graphics card: study card");
    return { gpu, plain, golden };
  };
  return {
    words,
    tasks: async (heard) => tryAdapter({ ...(await adapter()), heard }),
    mutation: async (study, heard) => studyMutants(await adapter(true), study, heard),
  };
}

const PREFS = { "dom.webgpu.enabled": true, "gfx.webgpu.ignore-blocklist": true };

/** Milliseconds between two looks at a page: one look that waits for the end would itself be given up. */
const LOOK_MS = 500;

/** Lets a page of Firefox that has ./page.ts do a work. */
async function inFirefox<H, R>(work: string, heard: (one: H) => void): Promise<R> {
  const site = await servePage();
  const browser = await launchFirefox(PREFS);
  try {
    const page = await browser.newPage();
    await page.goto(site.url);
    await page.evaluate(`window.begin(${work})`);
    for (;;) {
      const { news, end } = (await page.evaluate("window.look()")) as Look;
      for (const one of news) heard(one as H);
      if (end && "error" in end) throw new Error(end.error);
      if (end) return end.result as R;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  } finally {
    await browser.close();
    site.close();
  }
}

async function servePage() {
  const entry = join(import.meta.dirname, "page.ts");
  const built = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    write: false,
    logLevel: "error",
  });
  const script = built.outputFiles[0]!.contents;
  const html = `<!doctype html><title>adapter</title><script type="module" src="/page.js"></script>`;
  const server = createServer((request, response) => {
    const url = request.url ?? "/";
    if (url === "/") return void response.setHeader("content-type", "text/html").end(html);
    if (url === "/page.js")
      return void response.setHeader("content-type", "text/javascript").end(script);
    golden(url.replace(/^\/golden\//, "")).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const firefox: AdapterRun = {
  words: "Firefox, as it comes",
  tasks: (heard) => inFirefox(`"try"`, heard),
  mutation: (study, heard) => inFirefox(`"study", ${JSON.stringify(study)}`, heard),
};

/** By the names that the command takes. */
export const ADAPTERS: Readonly<Record<string, AdapterRun>> = {
  dawn: dawn("Dawn, as it comes"),
  plain: dawn("Dawn, default limits and no features", { plain: true }),
  unchecked: dawn("Dawn without robustness", {
    features: ["allow_unsafe_apis", "disable_robustness"],
  }),
  uncleared: dawn("Dawn without workgroup initialisation", { features: UNCLEARED }),
  firefox,
  card: dawn("Dawn on a card", { card: true }),
};

/** What is tried where no names are given: what can be had on every machine. */
export const EVERYWHERE = Object.keys(ADAPTERS).filter((name) => name !== "card");
