// What is looked at: by name, what is done on the opening page before the picture is taken.

const opening = (page) => page.locator(".opening-board").first().waitFor();

/** Charts are drawn one after another. */
const settled = (page) => page.waitForTimeout(3500);

async function lens(page, settings = "") {
  await opening(page);
  const link = await page.locator(".opening a[href*='view=lens']").first().getAttribute("href");
  await page.evaluate((to) => (location.hash = to), link + settings);
  await page.locator("[data-testid=lens] .lens-panels[data-recording=shown]").waitFor();
  await settled(page);
}

async function view(page, hash) {
  await opening(page);
  await page.evaluate((to) => (location.hash = to), hash);
  await settled(page);
}

/** Before the page has come, most keys do nothing. */
const keysWork = (page) => page.locator("[data-testid=present-button]").waitFor();

async function present(page, figure = 0) {
  await keysWork(page);
  await page.keyboard.press("F");
  await page.locator("[data-testid=present]").waitFor();
  for (let i = 0; i < figure; i++) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(1000);
}

/** A lesson at one of its steps, from 1. */
async function lesson(page, name, step) {
  await view(page, `#lesson/${name}`);
  for (let at = 1; at < step; at++) await page.locator("[data-testid=lesson-next]").click();
  await settled(page);
}

/** A copy of the opening page, whose curves are selected. */
async function edit(page) {
  await opening(page);
  await page.locator("[data-testid=edit-copy]").click();
  await page.locator(".book-contents button", { hasText: "Curves: curves" }).click();
  await page.locator("[data-testid=cell-form]").waitFor();
  await settled(page);
  await page.locator("[data-selected=true]").evaluate((cell) => {
    cell.scrollIntoView({ block: "end" });
    window.scrollBy(0, 120);
  });
  await page.waitForTimeout(1000);
}

/** A link with curves, made of a run in this page and run again. @param changed what becomes of the link on its way. */
async function shared(page, changed = (link) => link) {
  await opening(page);
  await page.evaluate(() => (location.hash = "#v1/nano?iterations=4&backend=wasm"));
  await page.locator("[data-testid=run]").click();
  const finished = "[data-testid=run-bar][data-run-state=finished]";
  await page.locator(finished).waitFor({ timeout: 300_000 });
  await page.locator("[data-testid=copy-link]").click();
  await page.locator("[data-testid=link-curves]").check();
  const link = await page.waitForFunction(
    () => /curves=/.exec(document.querySelector("[data-testid=copied]").dataset.link)?.input,
  );
  const asked = changed(await link.jsonValue());
  await page.goto("about:blank");
  await page.goto(asked);
  await page.locator("[data-testid=run-shared]").click();
  await page.locator(finished).waitFor({ timeout: 300_000 });
  await settled(page);
}

/** As another engine might have sent it: no fingerprint that holds here, and other numbers from the third iteration on. */
function fromElsewhere(link) {
  const plain = link
    .replaceAll(/(fp|trace)=\w+&/g, "")
    .replace(/by=[^&]+/, "by=0.1.0,webgpu,a-card");
  // Of the first series, two letters a number.
  return plain.replace(/(curves=reward,[^,]+,[^,]+,[^,]+,.{4})(..)(..)/, "$1AA$3");
}

/** Of which pictures are kept, in one look: beside their mocks. */
export const BESIDE_MOCKS = {
  edit,
  gallery: (page) => view(page, "#notebooks"),
  shared: (page) => shared(page),
  "shared-diverged": (page) => shared(page, fromElsewhere),
};

/** Of which pictures are kept. */
export const KEPT_SCENES = {
  home: async (page) => {
    await opening(page);
    await settled(page);
  },
  revealed: async (page) => {
    await opening(page);
    await page.locator(".opening-board").nth(1).click();
    await settled(page);
  },
  lens: (page) => lens(page),
  present: async (page) => {
    await opening(page);
    await present(page);
  },
  "present-revealed": async (page) => {
    await opening(page);
    await present(page, 1);
  },
  lesson: (page) => lesson(page, "grpo", 2),
  "lesson-revealed": async (page) => {
    await lesson(page, "grpo", 2);
    await page.locator(".lesson input[type=radio]").nth(2).check();
    await page.getByRole("button", { name: "Check", exact: true }).click();
    await settled(page);
  },
};

const LAYOUTS = ["health", "critic", "compare", "logs"];
const ALONE = [
  ...["fork", "playground", "group", "formula", "credits", "ribbon", "tokens", "episodes"],
  ...["turns", "curves", "critic", "byTurn", "doctor", "clip", "speed", "gradient", "run"],
];

const named = (names, scene) => Object.fromEntries(names.map(scene));

export const SCENES = {
  ...KEPT_SCENES,
  ...BESIDE_MOCKS,
  ...named(LAYOUTS, (name) => [`lens-${name}`, (page) => lens(page, `&layout=${name}`)]),
  ...named(ALONE, (id) => [`alone-${id}`, (page) => lens(page, `&alone=${id}&open=${id}`)]),
  "present-learned": async (page) => {
    await opening(page);
    await present(page, 2);
  },
  "present-cuts": async (page) => {
    await opening(page);
    await present(page, 3);
  },
  "lens-present": async (page) => {
    await lens(page);
    await present(page, 1);
  },
  "home-below": async (page) => {
    await opening(page);
    await settled(page);
    await page.locator("#content").evaluate((main) => {
      window.scrollTo(0, main.getBoundingClientRect().top + window.scrollY + window.innerHeight);
    });
    await settled(page);
  },
  algorithms: (page) => view(page, "#algorithms"),
  "algorithms-two": (page) => view(page, "#algorithms-grpo-vs-turn-ppo"),
  glossary: (page) => view(page, "#glossary"),
  shop: (page) => view(page, "#shop"),
  "shop-yourself": (page) => view(page, "#shop-1-5"),
  machine: (page) => view(page, "#machine"),
  help: async (page) => {
    await opening(page);
    await keysWork(page);
    await page.keyboard.press("?");
    await page.locator("[role=dialog]").waitFor();
    await page.waitForTimeout(800);
  },
  palette: async (page) => {
    await opening(page);
    await keysWork(page);
    await page.keyboard.press("Control+k");
    await page.waitForTimeout(800);
    await page.keyboard.type("gr");
    await page.waitForTimeout(500);
  },
};

/** Scenes whose address has `?embed=`. */
export const EMBEDS = {
  "embed-opening": { embed: "opening", hash: "" },
  "embed-learned": { embed: "learned", hash: "" },
  "embed-ribbon": { embed: "ribbon-panel", hash: "#v1/nano?view=lens&at=grpo,26,20,1" },
  "embed-credits": { embed: "credits-panel", hash: "#v1/nano?view=lens&at=grpo,26,20,1" },
  "embed-curves": { embed: "curves-panel", hash: "#v1/nano?view=lens&at=grpo,26,20,1" },
};
