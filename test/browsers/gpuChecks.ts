/** What has to work on WebGPU, in browsers that have it: on a machine without a graphics card on a software adapter, with small runs. */
import type { ExperimentSpec, PartialSpec } from "../../src/spec/experiment.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { encodeLink } from "../../src/spec/link.ts";
import { example, lakeSpec } from "../definitions/examples.ts";
import type { Check, Shared } from "./check.ts";
import { by, click, clickId, until, type Tab } from "./tab.ts";

/** Only Chromium offers WebGPU on a software adapter. */
const CHROMIUM = ["chromium"];

export const gpuChecks: readonly Check[] = [
  { what: "WebGPU: code of four kinds trains", browsers: CHROMIUM, run: trainsFourKinds },
  { what: "WebGPU: an environment of code trains", browsers: CHROMIUM, run: trainsCorridor },
  { what: "WebGPU: a run resumes after a reload", browsers: CHROMIUM, run: resumes },
  { what: "WebGPU: a link of WebAssembly's numbers", browsers: CHROMIUM, run: isWithinTolerance },
  { what: "WebGPU: a notebook with an estimator", browsers: CHROMIUM, run: notebookTrains },
  { what: "WebGPU: its link in another profile", browsers: CHROMIUM, run: notebookReproduces },
];

/** Seconds: software takes one or more a step. */
const RUN_TAKES = 600;

const TINY = { tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1 };

/** Nano on the lake: two episodes of few turns an iteration. */
function tiny(iterations: number, backend: "webgpu" | "wasm", changes: PartialSpec = {}) {
  const { environment, ...others } = changes;
  return lakeSpec({
    optimisation: { ...TINY, iterations },
    engine: { name: "auto", backend },
    ...others,
    environment: environment ?? { ...lakeSpec().environment, maxTurns: 2 },
  });
}

const cloned = (expert?: string) => ({
  model: { preset: "nano", warmStart: "clone" },
  clone: { levels: 4, steps: 2, batch: 4, lr: 0.003, ...(expert !== undefined && { expert }) },
});

const withCode = tiny(1, "webgpu", {
  definitions: ["turnPpo", "hurry", "uncertain", "wanderer"].map(example),
  algorithms: [{ name: "turn-ppo@turnPpo", set: {} }],
  environment: { ...lakeSpec().environment, maxTurns: 2, reward: "hurry" },
  optimisation: { ...TINY, iterations: 1, segmentation: "uncertain" },
  ...cloned("wanderer"),
});

const corridor = tiny(1, "webgpu", {
  definitions: [example("corridor")],
  environment: {
    kind: "defined",
    definition: "corridor",
    trainLevels: 0,
    maxTurns: 2,
    formatPenalty: -0.1,
  },
  ...cloned(),
});

function trainsFourKinds(tab: Tab, shared: Shared): Promise<string> {
  return trains(tab, shared, withCode);
}

function trainsCorridor(tab: Tab, shared: Shared): Promise<string> {
  return trains(tab, shared, corridor);
}

async function trains(tab: Tab, { url }: Shared, spec: ExperimentSpec): Promise<string> {
  await tab.goto(url + encodeLink(spec));
  await clickId(tab, "run");
  await clickId(tab, "code-allow");
  await finished(tab);
  return engineOf(tab);
}

const STATE = `${by("run-bar")}.dataset.runState`;

async function finished(tab: Tab): Promise<void> {
  await until(tab, "a finished run", `["finished", "failed"].includes(${STATE})`, RUN_TAKES);
  const problem = `document.querySelector(".notice-problem")?.textContent ?? ""`;
  if ((await tab.evaluate<string>(STATE)) === "failed")
    throw new Error(`the run failed: ${await tab.evaluate<string>(problem)}`);
}

/** @throws Error where it was not WebGPU. */
async function engineOf(tab: Tab): Promise<string> {
  const engine = await tab.evaluate<string>(`${by("engine")}.textContent`);
  if (!engine.includes("webgpu")) throw new Error(`it ran on ${engine}`);
  return "trains";
}

/** Resumes by itself after a reload, and ends with its second iteration. */
async function resumes(tab: Tab, { url }: Shared): Promise<string> {
  await tab.goto(url + encodeLink(tiny(2, "webgpu")));
  await clickId(tab, "run");
  const iteration = `Number(${by("run-bar")}.dataset.runIteration ?? 0)`;
  await until(tab, "its first iteration", `${iteration} >= 1`, RUN_TAKES);
  await tab.reload();
  await until(tab, "the page again", by("run-bar"));
  await finished(tab);
  const ended = await tab.evaluate<number>(iteration);
  if (ended !== 2) throw new Error(`it ended with iteration ${ended}`);
  await engineOf(tab);
  return "resumes";
}

/** The tolerance of the page, between two engines that round otherwise. */
async function isWithinTolerance(tab: Tab, { url }: Shared): Promise<string> {
  await tab.goto(url + encodeLink(tiny(2, "wasm")));
  await clickId(tab, "run");
  await finished(tab);
  await clickId(tab, "copy-link");
  await clickId(tab, "link-curves");
  const copied = `${by("copied")}.dataset.link`;
  await until(tab, "the link with curves", `${copied}.includes("curves=")`);
  const link = await tab.evaluate<string>(copied);
  await tab.goto("about:blank");
  const same = link.replace("engine.name=wasm&", "").replace("backend=wasm", "backend=webgpu");
  await tab.goto(same.replace(/^[^#]*/, url));
  await clickId(tab, "run-shared");
  await finished(tab);
  await engineOf(tab);
  const said = `${by("verdict")}.textContent`;
  await until(tab, "a verdict", `!${said}.includes("Not compared yet")`);
  const verdict = await tab.evaluate<string>(said);
  if (!/Same within tolerance/.test(verdict)) throw new Error(`the verdict is ${verdict}`);
  return "Same within tolerance";
}

/** Nano with Turn-PPO as the table has it and as somebody writes it, and cells that read and show the run. */
const NOTEBOOK = `# On the graphics card

\`\`\`code id=turnPpo defines=estimator
${example("turnPpo").source.trimEnd()}
\`\`\`

\`\`\`experiment id=one
preset: nano
algorithms: [turn-ppo, turn-ppo@turnPpo]
engine.backend: webgpu
environment.maxTurns: 2
optimisation: {iterations: 1, tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1}
critic: {warmup: 0, epochs: 1}
evaluation.levels: 0
\`\`\`

\`\`\`code id=same
const { method, advantage } = one.turns;
const of = (name) => advantage.filter((_, i) => method[i] === name).join();
of("turn-ppo").includes(",") && of("turn-ppo") === of("turn-ppo@turnPpo") ? "to the last bit" : "another"
\`\`\`

\`\`\`panel id=tokens of=one
panel: tokens
\`\`\`

\`\`\`compare id=both
metrics: [reward]
\`\`\`
`;

/** Its code asks once; the cell that reads the run computes again when that has trained, and the panel shows it. */
async function notebookTrains(tab: Tab, shared: Shared): Promise<string> {
  await tab.goto(`${shared.url}#text/${notebookToWord(NOTEBOOK)}`);
  const cell = `document.querySelector("[data-cell=same]")`;
  await click(tab, "the question", `${cell}.querySelector("[data-testid=code-ask] button")`);
  await clickId(tab, "code-allow");
  await clickId(tab, "run");
  await finished(tab);
  await engineOf(tab);
  const said = "to the last bit";
  await until(
    tab,
    "equal advantages",
    `${cell}.querySelector(".code-value").textContent === "${said}"`,
  );
  await tab.evaluate(`document.querySelector("[data-cell=tokens]").scrollIntoView()`);
  await until(tab, "the run's tokens", `${by("tokens-conversation")}.textContent`);
  await clickId(tab, "copy-link");
  const copied = `${by("copied")}.dataset.link`;
  await until(tab, "the link", `${copied}.includes("fp=")`);
  shared.gpuLink = await tab.evaluate<string>(copied);
  return `equal ${said}`;
}

async function notebookReproduces(tab: Tab, { gpuLink, url }: Shared): Promise<string> {
  if (gpuLink === null) throw new Error("no run on WebGPU has made a link");
  await tab.goto(gpuLink.replace(/^[^#]*/, url));
  await clickId(tab, "run-shared");
  await clickId(tab, "code-allow");
  await finished(tab);
  await engineOf(tab);
  const verdict = `${by("verdict")}.textContent`;
  await until(tab, "a verdict", `!${verdict}.includes("Not compared yet")`);
  const said = await tab.evaluate<string>(verdict);
  if (!said.includes("Reproduced exactly")) throw new Error(`the verdict is ${said}`);
  return "Reproduced exactly";
}
