// What is read of a page, view by view: each walks to its places by keys and clicks, as a reader does, and reads the figures at each.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { settled } from "./reading.mjs";

const root = resolve(import.meta.dirname, "..", "..", "..");
const fixture = (name) => join(root, "test", "fixtures", "import", name);

/** Charts are drawn only while they are on screen: so all of them are. */
const TALL = { width: 1280, height: 16_000 };

/** Milliseconds to wait for a part, on a machine that does other things besides. */
const LONGEST = 180_000;

/** In the page: its reader saves data, so that it fetches nothing beforehand. */
function saveData() {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } });
}

/** A page of its own, where all that depends on reader and place is the same on every machine. */
async function openPage(browser, address) {
  const context = await browser.newContext({
    ...{ viewport: TALL, reducedMotion: "reduce", locale: "en-GB", timezoneId: "UTC" },
  });
  await context.addInitScript(saveData);
  const page = await context.newPage();
  page.setDefaultTimeout(LONGEST);
  page.on("pageerror", ({ message }) => console.error(`  error: ${message}`));
  await page.goto(address);
  return page;
}

/** Of a walk: reads the page at a place, under that name. */
function notesOf(page, selector) {
  const places = {};
  const note = async (name) => {
    places[name] = await settled(page, selector);
  };
  return { places, note };
}

const LENS = "details[data-panel]";

/** Where the cursor goes from its start, one after the other, in keys. */
const STEPS = {
  start: "",
  "turn, token": "j n n",
  "next episode": "l l j",
  "earlier iteration": "[ e",
  "next method": "a l",
  "its token": "j n",
  "third method": "a x",
};

/** All panels of the lens, over the run that the page ships, or over a file that is read in. */
const lens =
  (file) =>
  async (browser, url, { layout, run }) => {
    const page = await openPage(browser, `${url}#v1/nano?view=lens${layout}`);
    const shown = "[data-testid=recording][data-state=shown], [data-recording=shown]";
    await page.locator(shown).first().waitFor();
    const wanted = file ?? run;
    if (wanted !== null) {
      await page.locator("#import-input").setInputFiles([wanted]);
      await page.getByTestId("import-shown").waitFor();
    }
    const closed = page.locator("details[data-panel]:not([open]) > summary");
    while ((await closed.count()) > 0) await closed.first().press("Enter");
    const { places, note } = notesOf(page, LENS);
    for (const [name, keys] of Object.entries(STEPS)) {
      for (const key of keys.split(" ").filter(Boolean)) {
        await page.getByTestId("cursor").focus();
        await page.keyboard.press(key);
      }
      await note(name);
    }
    await page.context().close();
    return places;
  };

const CELLS = "[data-cell], [data-figure=opening], [data-figure=learned]";

/** The opening page: its figures before and after a guess, and where the run's cursor is elsewhere. */
async function opening(browser, url) {
  const page = await openPage(browser, url);
  await page.locator("[data-figure=learned] svg").first().waitFor();
  const { places, note } = notesOf(page, CELLS);
  await note("start");
  for (const turn of ["1", "3"]) {
    await page.keyboard.press(turn);
    await note(`guessed turn ${turn}`);
  }
  const track = page.getByTestId("run-bar").locator("input[type=range]");
  await track.press("Home");
  await track.press("ArrowRight");
  await note("second iteration with episodes");
  await page.context().close();
  return places;
}

const SHOP = "[data-testid=shop]";

/** Looks at each page of the episode that is shown. */
async function watchEpisode(page, note, name) {
  const replay = page.getByTestId("replay");
  const next = replay.locator("[data-action=nextPage]");
  for (;;) {
    await note(`${name}, page ${await replay.getAttribute("data-frame")}`);
    if ((await next.getAttribute("aria-disabled")) === "true") return;
    await next.press("Enter");
  }
}

/** Shops by hand: the first product of a search, its first option, and buys it. */
async function shopByHand(page, note) {
  await page.getByTestId("tab-shop").click();
  await note("by hand, start");
  const write = page.getByTestId("write-action");
  for (const [name, text] of [
    ["results", "search[lamp]"],
    ["nothing", "click[nowhere]"],
  ]) {
    await write.fill(text);
    await write.press("Enter");
    await note(`by hand, ${name}`);
  }
  await page.locator('[data-element^="product:"]').first().press("Enter");
  await note("by hand, product");
  await page.locator('[data-element="button:Buy Now"]').press("Enter");
  await note("by hand, bought");
}

/** The shop: a recorded trip before and after a guess, what a trained model and the expert do, page by page, and a trip by hand. */
async function shop(browser, url) {
  const page = await openPage(browser, `${url}#shop`);
  await page.getByTestId("trip").waitFor();
  const { places, note } = notesOf(page, SHOP);
  await note("recorded trip");
  await page.keyboard.press("3");
  await note("recorded trip, guessed turn 3");
  await page.getByTestId("tab-watch").click();
  const attempts = page.locator("[data-testid=trained-shopper] .attempts button");
  await attempts.first().waitFor();
  await watchEpisode(page, note, "trained, best");
  for (let i = 0; i < (await attempts.count()); i++) {
    await attempts.nth(i).press("Enter");
    await note(`trained, attempt ${i + 1}`);
  }
  for (const policy of ["expert", "random"]) {
    await page.getByTestId("episode-choice").selectOption(policy);
    await page.getByTestId("watch").press("Enter");
    await watchEpisode(page, note, policy);
  }
  await shopByHand(page, note);
  await page.context().close();
  return places;
}

/** Which are read beside which. */
const PAIRS = ["grpo-vs-rloo", "token-ppo-vs-turn-ppo", "gspo-vs-grpo"];

/** The algorithms page as a whole, then each algorithm, in numbers and in symbols, and some side by side. */
async function algorithms(browser, url) {
  const page = await openPage(browser, `${url}#algorithms`);
  await page.locator("[data-credit]").first().waitFor();
  // Folded: what is measured is fetched when they open.
  for (const id of ["open-questions", "ablations"])
    await page.getByTestId(id).locator("summary").first().click();
  const parts = ["credit-picture", "algorithms-table", "open-questions", "ablations"];
  const whole = notesOf(page, parts.map((id) => `[data-testid=${id}]`).join());
  await whole.note("all");
  const links = page.locator("[data-credit] a, .outsiders a");
  const hashes = await links.evaluateAll((all) => all.map((one) => one.getAttribute("href")));
  const one = notesOf(page, "[data-testid=algorithm], [data-testid=differences]");
  for (const hash of [...hashes, ...PAIRS.map((pair) => `#algorithms-${pair}`)]) {
    await page.evaluate((to) => (location.hash = to), hash);
    const name = hash.replace("#algorithms-", "");
    await page.locator(`[data-testid=algorithm][data-name="${name.split("-vs-")[0]}"]`).waitFor();
    await page.locator("[data-testid=formulas] .katex-html").first().waitFor();
    await one.note(name);
  }
  await page.getByTestId("as-numbers").uncheck();
  await one.note("in symbols");
  await page.context().close();
  return { ...whole.places, ...one.places };
}

/** In a step of a lesson: what waits for an answer is shown. */
async function skipQuestions(page) {
  const skip = page.locator("[data-testid=cell-waits] button");
  while ((await skip.count()) > 0) await skip.first().press("Enter");
}

/** In a step: every handle three steps up, and the cursor of every panel to the next turn and token. */
async function moveFigures(page) {
  const handles = await page.locator("[data-testid=explore] input[type=range]").all();
  for (const handle of handles) for (let i = 0; i < 3; i++) await handle.press("ArrowRight");
  const panels = await page.locator(".lesson-figures [data-panel]").all();
  for (const panel of panels) {
    const part = panel.locator("button, a[href], input, select, [tabindex='0']").first();
    if ((await part.count()) === 0) continue;
    for (const key of ["l", "j", "n"]) {
      await part.focus();
      await page.keyboard.press(key);
    }
  }
  return handles.length + panels.length > 0;
}

/** Figures only: what is said in words is the notebook's own. */
const FIGURES = ".lesson-figures [data-cell], [data-testid=quiz-turns]";

const lesson = (name) => async (browser, url) => {
  const page = await openPage(browser, `${url}#lesson/${name}`);
  await page.getByTestId("lesson").waitFor();
  const { places, note } = notesOf(page, FIGURES);
  const next = page.getByTestId("lesson-next");
  for (let step = 1; ; step++) {
    await page.locator(`[data-testid=lesson][data-step="${step}"]`).waitFor();
    await skipQuestions(page);
    await note(`step ${step}`);
    if (await moveFigures(page)) await note(`step ${step}, moved`);
    if ((await next.count()) === 0) break;
    await next.press("Enter");
  }
  await page.context().close();
  return places;
};

/** All that can be read of a built page, by name. */
export function viewsOf(folder) {
  const taught = readdirSync(join(folder, "notebooks", "teacher")).map((file) =>
    file.replace(/\.md$/, ""),
  );
  return {
    recorded: lens(null),
    verl: lens(fixture("12.jsonl")),
    ragen: lens(fixture("rollouts.json")),
    unipo: lens(fixture("unipo.json")),
    opening,
    shop,
    algorithms,
    ...Object.fromEntries(taught.toSorted().map((name) => [`lesson ${name}`, lesson(name)])),
  };
}
