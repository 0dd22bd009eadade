// @vitest-environment happy-dom
/** A notebook leaves the page as a file and comes back: with its runs as a zip, and as a Jupyter notebook. */
import { deleteDB } from "idb";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { carriedHtml } from "../../src/app/carried/carriedHtml.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import type { KeptRun } from "../../src/runtime/shelf/keptRuns.ts";
import { shelf } from "../../src/app/book/openBook.ts";
import { records } from "../../src/app/keptRuns.ts";
import { packNotebook, unpackNotebook } from "../../src/store/notebookZip.ts";
import { blankEstimator, newStudy } from "../../src/notebook/study/studyFile.ts";
import { openApp, usesApp, type OpenedInDom } from "./app.tsx";
import { by } from "./page.ts";
import "fake-indexeddb/auto";

usesApp();

let files: Blob[];
beforeEach(async () => {
  await Promise.all([deleteDB("turnbook-notebooks"), deleteDB("turnbook-runs")]);
  files = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((one) => `blob:${files.push(one as Blob)}`);
});
afterEach(() => void vi.restoreAllMocks());

const TEXT = `# Sent along

\`\`\`experiment id=own
preset: nano
algorithms: turn-ppo
environment: { maxTurns: 2 }
optimisation: { iterations: 1, tasksPerIteration: 1, groupSize: 2, minibatch: 2, epochs: 1 }
critic: { warmup: 0, epochs: 1 }
evaluation: { levels: 0 }
engine: { name: wasm, backend: wasm }
\`\`\`

\`\`\`quiz id=asked
question: Which?
options: [one, two]
answer: 2
\`\`\`

\`\`\`code id=sum
1 + 1
\`\`\`
`;

type Page = OpenedInDom["page"];

/** A copy of the reader's own, to read. */
async function ownCopy(page: Page): Promise<void> {
  await by(page, "edit-copy").click();
  await by(page, "mode-read").click();
}

async function exported(page: Page, what: string): Promise<Blob> {
  const before = files.length;
  await by(page, "book-menu").click();
  await by(page, `export-${what}`).click();
  await expect.poll(() => files.length).toBe(before + 1);
  return files.at(-1)!;
}

async function opened(page: Page, content: Blob, name: string): Promise<void> {
  await by(page, "to-gallery").click();
  await by(page, "gallery").waitFor();
  await by(page, "notebook-file").setInputFiles([new File([content], name)]);
  await by(page, "book-bar").waitFor();
}

it("a run, its checkpoint and answers go into a duplicate, and come back with its file, checked", async () => {
  const { page, errors, close } = await openApp(`#text/${notebookToWord(TEXT)}`, {
    worker: "real",
  });
  await ownCopy(page);
  await by(page, "run").click();
  const finished = () => page.locator("[data-run-state=finished]").count();
  await expect.poll(finished).toBe(1);
  await page.getByLabel("two").click();
  await page.getByRole("button", { name: "Check" }).click();
  await expect.poll(async () => (await records.list())[0]?.state).toBe("finished");
  const [{ place, bytes }] = (await records.list()) as [KeptRun];
  await by(page, "book-menu").click();
  await by(page, "duplicate-book").click();
  await expect.poll(() => place.startsWith(/#book\/\w+/.exec(page.url())![0])).toBe(false);
  await expect.poll(finished).toBe(1);
  const runs = await records.list();
  expect(runs.map((run) => [run.state, run.bytes])).toEqual(Array(2).fill(["finished", bytes]));
  expect(new Set(runs.map((run) => run.id)).size).toBe(2);
  const zip = await exported(page, "zip");
  await opened(page, zip, "a.notebook.zip");
  await page.locator("[data-testid=recording][data-state=shown]").waitFor();
  await page
    .getByText(/^Chain intact: 4 events/)
    .first()
    .waitFor();
  // The checkpoint is there, too.
  await by(page, "save-models").waitFor();
  await by(page, "code-ask").first().waitFor();
  await expect.poll(() => by(page, "quiz").getAttribute("data-verdict")).toBe("right");
  expect(errors).toEqual([]);
  await close();
});

const SWEEP = `${TEXT}
\`\`\`sweep id=rates of=own
over: { optimisation.epochs: [1, 2] }
\`\`\`
`;

it("runs of a sweep come along and are not trained again; what its notebook does not ask for stays out", async () => {
  const { page, errors, close } = await openApp(`#text/${notebookToWord(SWEEP)}`, {
    worker: "real",
  });
  await ownCopy(page);
  await by(page, "run-sweep").click();
  const finished = () =>
    expect.poll(() => by(page, "run-sweep").textContent()).toBe("All runs have finished");
  await finished();
  const table = await by(page, "sweep-table").textContent();
  const zip = await exported(page, "zip");
  for (const { id } of await records.list()) await records.drop(id);

  await opened(page, zip, "a.notebook.zip");
  await by(page, "sweeps-came").waitFor();
  await finished();
  expect(await by(page, "sweep-table").textContent()).toBe(table);
  const kept = await records.list();
  expect(kept.map(({ name, state }) => `${name}: ${state}`).sort()).toEqual([
    "rates, epochs 1, seed 1: finished",
    "rates, epochs 2, seed 1: finished",
  ]);

  const { sweeps } = await unpackNotebook(new Uint8Array(await zip.arrayBuffer()));
  const strangers = await packNotebook({
    ...{ text: SWEEP.replace("[1, 2]", "[1, 3]"), runs: new Map(), sweeps, answers: null },
  });
  await opened(page, new Blob([strangers as Uint8Array<ArrayBuffer>]), "b.notebook.zip");
  await by(page, "sweeps-came").getByText("1 finished run").first().waitFor();
  await expect.poll(() => by(page, "run-sweep").textContent()).toBe("Run 1 run");
  expect(errors).toEqual([]);
  await close();
});

it("a notebook that came by a link is copied to the reader's own, with its answers, and replaces none", async () => {
  const link = `#text/${notebookToWord(TEXT)}`;
  const { page, errors, close } = await openApp(link);
  await page.getByLabel("two").click();
  await page.getByRole("button", { name: "Check" }).click();
  const isRight = () => by(page, "quiz").getAttribute("data-verdict");
  await expect.poll(isRight).toBe("right");
  await by(page, "not-mine").getByTestId("keep-copy").click();
  await by(page, "book-bar").waitFor();
  await expect.poll(isRight).toBe("right");
  // Its code is still somebody else's.
  await by(page, "code-ask").first().waitFor();
  const [first, ...others] = await shelf.list();
  expect([others, first!.source, first!.isForeign]).toEqual([[], link, true]);
  location.hash = link;
  await by(page, "local-version").getByTestId("keep-copy").click();
  await expect.poll(async () => (await shelf.list()).length).toBe(2);
  expect(await shelf.get(first!.id)).toEqual(first);
  expect(errors).toEqual([]);
  await close();
});

it("a copy that is made to edit has the answers and the newest run, too", async () => {
  const link = `#text/${notebookToWord(TEXT)}`;
  const { page, errors, close } = await openApp(link, { worker: "real" });
  await by(page, "run").click();
  const finished = () => page.locator("[data-run-state=finished]").count();
  await expect.poll(finished).toBe(1);
  await page.getByLabel("two").click();
  await page.getByRole("button", { name: "Check" }).click();
  await expect.poll(async () => (await records.list())[0]?.state).toBe("finished");
  await ownCopy(page);
  await expect.poll(finished).toBe(1);
  await expect.poll(() => by(page, "quiz").getAttribute("data-verdict")).toBe("right");
  const places = (await records.list()).map(({ place }) => place).sort();
  expect(places).toEqual([`${/#book\/\w+/.exec(page.url())![0]}/own`, `${link}/own`]);
  expect(errors).toEqual([]);
  await close();
});

it("a Jupyter notebook is opened as what it was made of; a broken file is refused by name", async () => {
  const { page, errors, close } = await openApp(`#text/${notebookToWord(TEXT)}`);
  await ownCopy(page);
  const file = await exported(page, "jupyter");
  await opened(page, file, "a.ipynb");
  await page.getByText("Sent along").first().waitFor();
  expect(await by(page, "experiment").count()).toBe(1);
  await by(page, "to-gallery").click();
  for (const [name, why] of [
    ["b.ipynb", "not a Jupyter notebook"],
    ["b.zip", "the file is not a zip"],
    ["b.html", "no notebook is in this web page"],
  ] as const) {
    await by(page, "notebook-file").setInputFiles([new File(["{}"], name)]);
    await page.getByText(new RegExp(`${name} was not opened: .*${why}`)).waitFor();
  }
  expect(errors).toEqual([]);
  await close();
});

it("a web page that was exported is opened as the notebook that it carries", async () => {
  const { page, errors, close } = await openApp("#notebooks");
  const hashes = { script: "sha256-a", style: "sha256-b" };
  const made = { script: "let x;", style: "a{}", hashes };
  const bytes = new TextEncoder().encode(TEXT.replace("Sent along", "Sent – along"));
  const files = { "notebooks/first.md": btoa(String.fromCharCode(...bytes)) };
  await by(page, "notebook-file").setInputFiles([
    new File([carriedHtml("T", made, files)], "a.html"),
  ]);
  await page.getByText("Sent – along").first().waitFor();
  expect(await by(page, "experiment").count()).toBe(1);
  expect(page.url()).toContain("#book/");
  expect(errors).toEqual([]);
  await close();
});

it("a study of the command line opens as a notebook of its arms, and another YAML is refused by field", async () => {
  const study = newStudy({
    ...{ name: "mine", against: ["grpo"], preset: "nano", study: 1 },
    code: [blankEstimator("mine")],
  });
  const { page, errors, close } = await openApp(`#text/${notebookToWord("# One")}`);
  await opened(page, new Blob([study]), "study.yaml");
  await page.getByRole("heading", { name: "Study: mine" }).waitFor();
  await expect.poll(() => by(page, "sweep").count()).toBe(1);
  await by(page, "to-gallery").click();
  await by(page, "notebook-file").setInputFiles([
    new File([study.replace("measure: success", "measure: luck")], "study.yaml"),
  ]);
  await page.getByText(/study\.yaml: measure is "luck"/).waitFor();
  expect(errors).toEqual([]);
  await close();
});

it("a run's log is no notebook: it is said where it opens, and nothing is made of it", async () => {
  const { page, close } = await openApp("#own");
  const tell = async (content: string, name: string) => {
    await by(page, "notebook-file").setInputFiles([new File([content], name)]);
    await page.getByText(`${name} was not opened: it is no notebook`).waitFor();
  };
  await tell('{"type":"start"}\n', "events.jsonl");
  await tell('{"type":"start"}\n', "events.txt");
  await tell("PAR1\0", "rollouts.dat");
  await tell("step,reward\n1,2\n", "log.csv");
  expect(page.url()).toContain("#own");
  await close();
});
