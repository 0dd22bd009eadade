/** What has to work in every browser, each in a tab of its own: throws where it does not. */
import type { ExperimentSpec } from "../../src/spec/experiment.ts";
import { encodeLink } from "../../src/spec/link.ts";
import { example, lakeSpec } from "../definitions/examples.ts";
import type { Check, Shared } from "./check.ts";
import { gpuChecks } from "./gpuChecks.ts";
import { by, click, clickId, until, type Tab } from "./tab.ts";

const RUN = "#v1/nano?iterations=2&backend=wasm";

/** With an estimator, a reward, a segmentation and an expert of somebody's own. */
export const DEFINED = fourKinds();

function fourKinds(): ExperimentSpec {
  const { environment, optimisation } = lakeSpec();
  return lakeSpec({
    definitions: ["turnPpo", "hurry", "uncertain", "wanderer"].map(example),
    algorithms: [{ name: "turn-ppo@turnPpo", set: {} }],
    environment: { ...environment, reward: "hurry" },
    optimisation: { ...optimisation, iterations: 2, segmentation: "uncertain" },
    model: { preset: "nano", warmStart: "clone" },
    clone: { levels: 20, steps: 4, batch: 8, lr: 0.003, expert: "wanderer" },
  });
}

/** Seconds: a run takes ten in Node. */
const RUN_TAKES = 600;

export const checks: readonly Check[] = [
  { what: "two iterations of nano, fingerprint as in Node", run: trains },
  { what: "a link from the first browser", run: reproduces },
  { what: "a link with code of four kinds, fingerprint as in Node", run: defines },
  { what: "a notebook: written, a cell added, undone, kept", run: edits },
  { what: "the lens: a panel chosen, the cursor moved by keys", run: looks },
  ...gpuChecks,
];

async function trains(tab: Tab, shared: Shared): Promise<string> {
  await tab.goto(shared.url + RUN);
  await clickId(tab, "run");
  const said = await endsWith(tab, shared.fingerprint);
  if (shared.link === null) {
    await clickId(tab, "copy-link");
    await clickId(tab, "link-curves");
    await until(tab, "the link with curves", `${by("copied")}.dataset.link.includes("curves=")`);
    shared.link = await tab.evaluate<string>(`${by("copied")}.dataset.link`);
  }
  return said;
}

/** The code asks first: nothing has trained before. */
async function defines(tab: Tab, { url, defined }: Shared): Promise<string> {
  await tab.goto(url + encodeLink(DEFINED));
  await clickId(tab, "run");
  await clickId(tab, "code-allow");
  return endsWith(tab, defined);
}

/** @throws Error where the run ends with another fingerprint than Node's. */
async function endsWith(tab: Tab, fingerprint: string): Promise<string> {
  await until(tab, "a finished run", `document.querySelector(${FINISHED})`, RUN_TAKES);
  const code = `${by("fingerprint")}.querySelector("code")`;
  await until(tab, "its fingerprint", `${code}.textContent`);
  const own = await tab.evaluate<string>(`${code}.textContent`);
  if (own !== fingerprint) throw new Error(`${own} here, ${fingerprint} in Node`);
  return `equal: ${own.slice(0, 12)}`;
}

const FINISHED = `"[data-testid=run-bar][data-run-state=finished]"`;

async function reproduces(tab: Tab, { link, url }: Shared): Promise<string> {
  if (link === null) throw new Error("no browser has made a link");
  await tab.goto(link.replace(/^[^#]*/, url));
  await clickId(tab, "run-shared");
  await until(tab, "a verdict", by("verdict"), RUN_TAKES);
  await until(tab, "a finished run", `document.querySelector(${FINISHED})`, RUN_TAKES);
  const said = await tab.evaluate<string>(`${by("verdict")}.textContent`);
  if (!said.includes("Reproduced exactly")) throw new Error(`the verdict is ${said}`);
  return "Reproduced exactly";
}

const TITLE = "Written here";
const cells = `document.querySelectorAll("[data-testid=edit-cell]")`;
const source = `${by("source")}?.shadowRoot?.querySelector(".cm-content")`;
const headings = `[...document.querySelectorAll("h1")].map((one) => one.textContent)`;

async function edits(tab: Tab, { url }: Shared): Promise<string> {
  await tab.goto(`${url}#notebooks`);
  await clickId(tab, "new-notebook");
  await clickId(tab, "mode-edit");
  await click(tab, "the first cell", `${cells}[0]`);
  await click(tab, "the cell's source", source);
  await tab.press("Control+a");
  await tab.type(`# ${TITLE}\nand *kept*.`);
  await until(tab, "the heading as typed", `${headings}.includes("${TITLE}")`);
  const before = await tab.evaluate<number>(`${cells}.length`);
  await tab.press("Escape");
  await tab.press("Control+Shift+ArrowDown");
  await until(tab, "the cell added by its key", `${cells}.length === ${before + 1}`);
  await click(tab, "the button that adds code", `document.querySelector("[data-testid=add-code]")`);
  await until(tab, "the code", by("code-cell"));
  await tab.evaluate(`${cells}[0].focus()`);
  await tab.press("Control+z");
  await tab.press("Control+z");
  await until(tab, "two cells fewer after undo", `${cells}.length === ${before}`);
  await until(tab, "that it is saved", `${by("keeping")}.dataset.state === "saved"`);
  await tab.reload();
  await until(tab, "the heading after a reload", `${headings}.includes("${TITLE}")`);
  await until(tab, "its second line", `document.querySelector(".prose em").textContent === "kept"`);
  return "usable";
}

async function looks(tab: Tab, { url }: Shared): Promise<string> {
  await tab.goto(`${url}#v1/nano?view=lens`);
  // Before the run has come, all that is drawn is drawn once more: a menu that was open would close.
  await until(tab, "the recorded run", `document.querySelector("[data-recording=shown]")`);
  await until(tab, "the cursor", by("cursor"));
  await clickId(tab, "go-panel");
  await click(tab, "Tokens in the menu of panels", `document.querySelector("[data-go=tokens]")`);
  const focus = `document.activeElement?.closest("[data-pane]")`;
  await until(tab, "the panel, with the focus", `${focus}?.contains(${by("tokens-panel")})`);
  const turn = `Number(/Turn (\\d+) of/.exec(${by("cursor")}.textContent)?.[1])`;
  await until(tab, "which turn it is", turn);
  const [first, last] = await tab.evaluate<[number, number]>(
    `(/Turn (\\d+) of (\\d+)/.exec(${by("cursor")}.textContent).slice(1).map(Number))`,
  );
  const [key, next] = first < last ? ["j", first + 1] : ["k", first - 1];
  await tab.press(key as string);
  await until(tab, `turn ${next} after ${key}`, `${turn} === ${next}`);
  await tab.press("G");
  await until(
    tab,
    "the menu of panels by its key",
    `document.activeElement?.dataset.testid === "go-panel"`,
  );
  await tab.press("Enter");
  await until(tab, "the menu", `document.activeElement?.closest("[role=menu]")`);
  const chosen = `document.activeElement?.dataset.go`;
  for (let i = 0; i < 30 && (await tab.evaluate(chosen)) !== "critic"; i++) {
    const before = JSON.stringify(await tab.evaluate(chosen));
    await tab.press("ArrowDown");
    await until(tab, "the next panel in the menu", `${chosen} !== ${before}`);
  }
  await tab.press("Enter");
  await until(tab, "the critic's panel", by("critic-panel"));
  return "usable";
}
