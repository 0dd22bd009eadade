// `node test/notebookPoints.mjs OUT [--page DIR] [--only N,...]`: pictures in OUT of the twelve points in which other notebooks were better
// (src/notebook/README.md), as a built page has them now (DIR; dist if absent, `npm run build` makes it): written by keys and mouse in
// Chromium, trained for real. Prints what each says in numbers; ends with 1 where a point is not as the table says.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { root } from "../src/cli/setup.mjs";
import { serve } from "./bench/firstPaint.mjs";
import { findBrowser } from "./browser/find.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { page: { type: "string" }, only: { type: "string" } },
});
if (positionals.length !== 1) throw new Error("Name one folder for the pictures.");
const out = resolve(positionals[0]);
mkdirSync(out, { recursive: true });

const cellText = (head, body) => `\`\`\`${head}\n${body}\n\`\`\`\n`;

/** Inputs, code that depends on them, and a run of seconds. */
const BOOK = [
  "# Twelve points\n\nThe mean is $\\bar r$. Click any word of this sentence.\n",
  cellText("input id=scale", "min: 0\nmax: 10\nstep: 1\nvalue: 2\nlabel: Scale"),
  cellText("input id=shape", "kind: choice\noptions: [line, dots]\nlabel: Shape"),
  cellText("input id=caption", "kind: text\nvalue: my own rows\nlabel: Caption"),
  cellText("code id=rows", "[1, 2, 3, 4].map((x) => ({ x, y: scale * x ** 2 }))"),
  cellText(
    "code id=picture",
    `const mark = shape === "line" ? Plot.lineY : Plot.dot;\nPlot.plot({ title: caption, marks: [mark(rows, { x: "x", y: "y" })] })`,
  ),
  cellText("code id=solution fold", "rows.length"),
  cellText(
    "experiment id=first",
    "preset: nano\nalgorithms: turn-ppo\niterations: 3\noptimisation: {tasksPerIteration: 2, groupSize: 4, minibatch: 8}\nevaluation: {levels: 4}",
  ),
  cellText("curves id=curves", ""),
  cellText("sweep id=rates of=first", "over: {optimisation.epochs: [1, 2]}\nseeds: [1, 2, 3]"),
].join("\n");

/** A page with what the points do to it. */
class Reader {
  constructor(page, url, number) {
    Object.assign(this, { page, url, number, taken: 0 });
  }

  by = (id) => this.page.getByTestId(id);
  cell = (id) => this.page.locator(`[data-cell="${id}"]`);
  /** Of a cell in edit mode, by its label. */
  region = (name) => this.page.getByRole("region", { name, exact: true });
  stateOf = (id, state) => this.cell(id).locator(`[data-state=${state}]`).first().waitFor();

  /** As a file of the reader's own, in edit mode. */
  async open(text = BOOK) {
    await this.page.goto(`${this.url}#notebooks`);
    const file = { name: "a.md", mimeType: "text/markdown", buffer: Buffer.from(text) };
    await this.by("notebook-file").setInputFiles(file);
    await this.by("book-bar").waitFor();
    const edit = this.by("mode-edit");
    if ((await edit.getAttribute("aria-pressed")) !== "true") await edit.click();
    await this.by("edit").waitFor();
  }

  /** Whatever came as a file waits until its code was shown. */
  async runCode() {
    await this.by("code-ask").first().getByRole("button").click();
    await this.by("code-allow").click();
    await this.stateOf("picture", "fresh");
    await this.page.getByRole("dialog").waitFor({ state: "detached" });
  }

  /** The notebook's one experiment. */
  async train() {
    await this.by("run").click();
    await this.page.locator("[data-run-state=finished]").waitFor();
    await this.by("card-fingerprint").waitFor();
  }

  /** A file that an entry of the notebook's menu makes. */
  async exported(entry) {
    await this.by("book-menu").click();
    const [file] = await Promise.all([this.page.waitForEvent("download"), this.by(entry).click()]);
    return readFileSync(await file.path(), "utf8");
  }

  async copied(entry) {
    await this.by("book-menu").click();
    await this.by(entry).click();
    await this.by("book-said").getByText("copied").waitFor();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Replaces the source of the cell. */
  async write(label, text) {
    await this.region(label).click({ position: { x: 5, y: 5 } });
    await this.region(label).locator(".cm-content").click();
    await this.page.keyboard.press("Control+a");
    await this.page.keyboard.insertText(text);
  }

  /** Of the window, once what should be seen in it is in its middle. */
  async picture(target) {
    await target?.evaluate((one) => one.scrollIntoView({ block: "center" }));
    await this.page.waitForTimeout(400);
    const letter = "abcdef"[this.taken++];
    await this.page.screenshot({
      path: join(out, `${String(this.number).padStart(2, "0")}${letter}.png`),
    });
  }
}

function claim(holds, what) {
  if (!holds) throw new Error(`not so: ${what}`);
}

async function writing(reader) {
  const { page, by } = reader;
  await by("new-notebook").click();
  await page.locator(".cm-focused").waitFor();
  claim(
    (await by("mode-edit").getAttribute("aria-pressed")) === "true",
    "own notebooks open in Edit",
  );
  await reader.open();
  const text = page.getByText("Click any word");
  const at = await text.evaluate((one) => {
    const walker = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    let node = walker.nextNode();
    while (!node.data.includes("sentence")) node = walker.nextNode();
    const range = document.createRange();
    range.setStart(node, node.data.indexOf("sentence"));
    range.setEnd(node, node.data.indexOf("sentence") + 1);
    const { left, top, height } = range.getBoundingClientRect();
    return { x: left + 1, y: top + height / 2 };
  });
  await page.mouse.click(at.x, at.y);
  await page.locator(".cm-focused").waitFor();
  await page.keyboard.type("long ");
  await page.getByText("of this long sentence").first().waitFor();
  await reader.picture();
  return "a click on “sentence”, five letters: “this long sentence”";
}

async function codeAbove(reader) {
  await reader.open();
  await reader.runCode();
  await reader.region("Code: picture").click({ position: { x: 5, y: 5 } });
  await reader.region("Code: picture").getByTestId("source").waitFor();
  const bottom = await reader
    .region("Code: picture")
    .getByTestId("source")
    .evaluate((one) => one.getBoundingClientRect().bottom);
  const top = await reader
    .cell("picture")
    .locator("svg")
    .first()
    .evaluate((one) => one.getBoundingClientRect().top);
  claim(bottom <= top, "code stands above its output");
  await reader.picture(reader.region("Code: picture"));
  const folded = reader.region("Code: solution").locator("details");
  claim((await folded.count()) === 1, "a solution is folded");
  await reader.region("Code: solution").click({ position: { x: 5, y: 5 } });
  await folded.waitFor({ state: "detached" });
  await reader.picture(reader.region("Code: solution"));
  return `source ends at ${Math.round(bottom)} px, its output begins at ${Math.round(top)} px`;
}

async function dependents(reader) {
  await reader.open();
  await reader.runCode();
  const link = await reader.copied("copy-book-link");
  const other = new Reader(await reader.page.context().newPage(), reader.url, reader.number);
  await other.page.goto(link);
  await other.by("code-ask").first().waitFor();
  await other.page.waitForTimeout(1000);
  claim(
    (await other.by("code-output").count()) === 0,
    "code from elsewhere waits until it is let run",
  );
  await other.picture(other.cell("rows"));
  await other.page.close();
  const shape = () => reader.cell("picture").locator(".cell-plot-svg").innerHTML();
  const before = await shape();
  await reader.by("input-scale").focus();
  for (let i = 0; i < 5; i++) await reader.page.keyboard.press("ArrowRight");
  for (let i = 0; i < 50 && (await shape()) === before; i++) await reader.page.waitForTimeout(100);
  claim((await shape()) !== before, "an input that moves runs what reads it, and what reads that");
  reader.taken = 1;
  await reader.picture(reader.cell("picture"));
  return `the picture, two cells behind the input, is drawn again by an arrow key`;
}

async function marked(reader) {
  await reader.open();
  await reader.runCode();
  await reader.train();
  await reader.write("Code: rows", "[1, 2].map((x) => ({ x, y: scale + x }))");
  for (const id of ["rows", "picture"]) await reader.stateOf(id, "late");
  await reader.region("Experiment: first").click({ position: { x: 5, y: 5 } });
  await reader.region("Experiment: first").getByTestId("settings").click();
  await reader.page.getByLabel("Seed", { exact: true }).first().fill("7");
  await reader.page.keyboard.press("Escape");
  await reader.by("out-of-date").first().waitFor();
  const said = await reader.by("run-late").textContent();
  await reader.picture(reader.cell("picture"));
  await reader.picture(reader.by("out-of-date").first());
  await reader.by("run-late").click();
  await reader.stateOf("picture", "fresh");
  return `“${said}”, and one press of it makes the picture fresh`;
}

async function inputs(reader) {
  await reader.open();
  await reader.by("mode-read").click();
  await reader.runCode();
  await reader.by("input-shape").selectOption({ label: "dots" });
  await reader.by("input-caption").fill("set by a reader");
  await reader.cell("picture").getByText("set by a reader").first().waitFor();
  await reader.cell("picture").locator("svg circle").nth(3).waitFor();
  await reader.picture(reader.by("input-caption"));
  const text = await reader.exported("download-book");
  claim(!text.includes("set by a reader"), "what readers set is not written into the text");
  return "choice and text change the picture, and the text stays as it was";
}

async function plots(reader) {
  await reader.open();
  await reader.runCode();
  for (const colorScheme of ["light", "dark"]) {
    await reader.page.emulateMedia({ colorScheme });
    await reader.stateOf("picture", "fresh");
    await reader.picture(reader.cell("picture"));
  }
  await reader.page.emulateMedia({ colorScheme: "light" });
  await reader.write("Code: picture", "Plot.plot({ marks: [Plot.tree(rows)] })");
  await reader.page.keyboard.press("Control+Enter");
  const said = await reader.cell("picture").getByRole("alert").textContent();
  await reader.picture(reader.cell("picture"));
  return said;
}

async function places(reader) {
  const { page, by } = reader;
  await reader.open();
  const bars = await page.locator(".edit-place .add-bar").count();
  claim(bars === (await by("edit-cell").count()), "buttons stand between all cells");
  await page.locator(".edit-place .add-bar").nth(2).hover();
  await reader.picture(page.locator(".edit-place .add-bar").nth(2));
  await by("add-prose").last().click();
  await page.locator(".cm-focused").waitFor();
  await page.keyboard.type("/");
  await page.getByRole("listbox").waitFor();
  await reader.picture();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  const handle = reader.region("Input: shape").getByTestId("drag-cell");
  await handle.scrollIntoViewIfNeeded();
  const { x, y } = await handle.boundingBox();
  await page.mouse.move(x + 8, y + 8);
  await page.mouse.down();
  for (let i = 1; i < 20; i++) await page.mouse.move(x + 40, y - 8 * i);
  await page.locator("[data-drop]").waitFor();
  await reader.picture();
  await page.mouse.up();
  const moved = page.getByRole("status").getByText("is now cell");
  const said = [await moved.first().textContent()];
  await reader.region("Input: shape").getByTestId("drag-cell").focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("status").getByText("is now cell 3").waitFor();
  return `${said[0]} Then, by an arrow key, it is cell 3.`;
}

/** By the browser's own clipboard. */
async function pasting(reader) {
  const { page, by } = reader;
  await by("new-notebook").click();
  await page.locator(".cm-focused").waitFor();
  await page.keyboard.press("Escape");
  const pasteText = async (text) => {
    await page.evaluate((one) => navigator.clipboard.writeText(one), text);
    const before = await by("edit-cell").count();
    await by("edit-cell").last().focus();
    await page.keyboard.press("Control+v");
    for (let i = 0; i < 50 && (await by("edit-cell").count()) === before; i++)
      await page.waitForTimeout(100);
    return (await by("edit-cell").count()) - before;
  };
  const counts = [];
  counts.push(await pasteText("method,reward\ngrpo,0.5\nturn-ppo,0.75\n"));
  counts.push(await pasteText(`${reader.url}#v1/nano?seed=7`));
  counts.push(await pasteText("## Pasted\n\nText with $x^2$.\n\n```code id=six\n6 * 7\n```\n"));
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2400, 1600);
    const context = canvas.getContext("2d");
    const noise = context.createImageData(2400, 1600);
    for (let i = 0; i < noise.data.length; i++)
      noise.data[i] = i % 4 === 3 ? 255 : (i * i * 2654435761) >>> 24;
    context.putImageData(noise, 0, 0);
    const picture = await canvas.convertToBlob({ type: "image/png" });
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    window.pastedBytes = picture.size;
  });
  await by("edit-cell").last().focus();
  await page.keyboard.press("Control+v");
  await page.locator(".prose img").first().waitFor();
  const kept = await page
    .locator(".prose img")
    .first()
    .evaluate((one) => [
      window.pastedBytes,
      Math.round((one.src.length - one.src.indexOf(",") - 1) * 0.75),
    ]);
  claim(kept[1] <= 150_000, "a picture stays within 150 kB");
  await reader.picture(reader.region("Code: data"));
  await reader.picture(page.locator(".prose img").first());
  return `cells from table, link, Markdown: ${counts.join(", ")}; a picture of ${kept[0]} bytes is kept in ${kept[1]}`;
}

async function names(reader) {
  const { page } = reader;
  await reader.open();
  await reader.runCode();
  await reader.write("Code: solution", "// names\n");
  await page.keyboard.type("ro");
  const options = page.locator(".cm-tooltip-autocomplete [role=option]");
  await options.first().waitFor();
  const inCode = await options.allTextContents();
  claim(
    inCode.some((one) => one.startsWith("rows")),
    "code completes the names of other code",
  );
  await reader.picture(reader.region("Code: solution"));
  await page.keyboard.press("Escape");
  await reader.write("Code: solution", "1;\nnowhere + 1");
  await page.keyboard.press("Control+Enter");
  const problem = await reader.cell("solution").getByRole("alert").textContent();
  claim(/line 2/.test(problem), "an error of code has its line");
  await reader.picture(reader.region("Code: solution"));
  await reader.write("Experiment: first", "preset: nano\nsede: 1\n");
  await page.keyboard.type("opt");
  await options.first().waitFor();
  const said = await reader.by("cell-problems").first().textContent();
  await reader.picture(reader.region("Experiment: first").locator(".cm-content"));
  return `code: ${inCode.join(", ")}; ${problem} Body: ${said}`;
}

async function git(reader) {
  await reader.open();
  const paths = ["a.md", "b.md"].map((name) => join(out, name));
  writeFileSync(paths[0], await reader.exported("download-book"));
  await reader.write("Code: rows", "[1, 2].map((x) => ({ x, y: scale + x }))");
  await reader.page.locator("[data-testid=keeping][data-state=saved]").waitFor();
  writeFileSync(paths[1], await reader.exported("download-book"));
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--unified=0", ...paths]);
  const lines = String(stdout)
    .split("\n")
    .filter((line) => /^[-+](?![-+])/.test(line));
  claim(lines.length === 2, "one changed line of a cell is a diff of that line");
  const check = spawnSync("node", ["src/cli/turnbook.mjs", "notebook", "check", ...paths], {
    cwd: root,
  });
  claim(check.status === 0, `notebook check: ${check.stderr}`);
  await reader.picture(reader.region("Code: rows"));
  return `${lines.join("\n")}\n${String(check.stdout).match(/"problems":\[.*?\]/g)}`;
}

async function sharing(reader) {
  const { page, by } = reader;
  await reader.open();
  await reader.runCode();
  const link = await reader.copied("copy-book-link");
  await by("book-menu").click();
  await reader.picture();
  await page.keyboard.press("Escape");
  const badge = await reader.copied("copy-badge");
  claim(/^\[!\[Open in Turnbook\]/.test(badge), "a badge is Markdown");
  const sizes = [];
  for (const entry of ["export-page", "export-jupyter"])
    sizes.push((await reader.exported(entry)).length);
  await page.goto(link);
  await by("keep-copy").waitFor();
  await reader.picture();
  await by("keep-copy").click();
  await by("book-bar").waitFor();
  const word = new URL(link).hash;
  await page.goto(`${reader.url}embed.html?embed=cell-first${word}`);
  await page.locator("[data-figure-shown]").waitFor();
  await reader.picture();
  return `link ${link.length} characters, web page ${sizes[0]}, Jupyter ${sizes[1]}; one press makes a copy`;
}

async function model(reader) {
  const { by } = reader;
  await reader.open();
  await reader.train();
  await reader.picture(by("experiment-card").first());
  await reader.region("Experiment: first").click({ position: { x: 5, y: 5 } });
  await by("settings").first().click();
  await reader.picture();
  await reader.page.keyboard.press("Escape");
  await by("run-sweep").click();
  await reader.page.getByText("All runs have finished", { exact: true }).waitFor();
  await reader.picture(by("sweep-table"));
  return `${await by("card-fingerprint").first().textContent()}; ${await by("sweep-conclusions").textContent()}`;
}

/** In the order of the table. */
const POINTS = [
  writing,
  codeAbove,
  dependents,
  marked,
  inputs,
  plots,
  places,
  pasting,
  names,
  git,
  sharing,
  model,
];

const asked = values.only?.split(",").map(Number);
const site = await serve(resolve(values.page ?? join(root, "dist")));
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ["--headless=new", "--no-sandbox"],
  ignoreDefaultArgs: ["--headless"],
});
for (const [i, point] of POINTS.entries()) {
  if (asked && !asked.includes(i + 1)) continue;
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  try {
    await page.goto(`${site.url}#notebooks`);
    console.log(`${i + 1}. ${point.name}: ${await point(new Reader(page, site.url, i + 1))}`);
  } catch (error) {
    console.log(`${i + 1}. ${point.name}: ${error.message.split("\n").slice(0, 3).join(" ")}`);
    await page.screenshot({ path: join(out, `${i + 1}-fault.png`) });
    process.exitCode = 1;
  }
  await context.close();
}
await browser.close();
site.close();
