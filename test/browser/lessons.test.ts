/**
 * Lessons, walked to their ends: at a desk with a pointer; and on a phone, by keys alone, without a network. Here two of them, with numbers
 * made up; `npm run test:lessons` walks all that the course has, and trains.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { COURSE } from "../../src/app/course/course.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { serveFaulty } from "./faultyServer.ts";
import { keys, pointer } from "./hands.ts";
import { LessonWalk } from "./lessonWalk.ts";
import { saveData } from "./openPage.ts";
import { builtPage, by, launch, openPage, servePage, type ServedPage } from "./support.ts";

/** Set by `test/lessons.mjs`: lessons by name, or all; and how they are walked. */
const ASKED = process.env["TURNBOOK_LESSONS"];
const WAYS = process.env["TURNBOOK_LESSON_WAYS"];
const worker = ASKED === undefined ? "fake" : "real";

/** Milliseconds of one walk; some lessons train for minutes. */
const LONGEST = worker === "real" ? 1_800_000 : 400_000;

interface Way {
  isPhone: boolean;
  byKeys: boolean;
  isOffline: boolean;
}

const wayOf = (words: string): Way => ({
  isPhone: words.includes("phone"),
  byKeys: words.includes("keys"),
  isOffline: words.includes("offline"),
});

const walks =
  ASKED === undefined
    ? [
        { lesson: "grpo", way: "desk" },
        { lesson: "critic", way: "phone, keys, offline" },
      ]
    : COURSE.filter((name) => ASKED === "all" || ASKED.split(",").includes(name)).map((lesson) => ({
        lesson,
        way: WAYS ?? "phone, keys, offline",
      }));

let site: ServedPage;
let browser: Browser;

beforeAll(async () => {
  [site, browser] = await Promise.all([servePage({ worker }), launch()]);
});

afterAll(async () => {
  await cutOff?.then(({ close }) => close());
  await browser?.close();
  await site?.close();
});

const SMALL: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
};

/** A page that was opened once, and whose server is gone since then; all walks without a network go on in it. */
let cutOff: Promise<{ page: Page; url: string; close(): Promise<void> }> | undefined;

async function openCutOff(isPhone: boolean) {
  const folder = mkdtempSync(join(tmpdir(), "turnbook-lessons-"));
  cpSync(await builtPage(worker), folder, { recursive: true });
  const server = await serveFaulty(folder);
  const context = await browser.newContext({ serviceWorkers: "allow", ...(isPhone && SMALL) });
  const page = await context.newPage();
  await page.goto(server.url);
  const isKept = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active?.state);
  await expect.poll(isKept, { timeout: 600_000 }).toBe("activated");
  await server.goDown();
  // What a lesson asks for is not there by luck, and what only might be needed later is not asked for.
  await context.addInitScript(saveData);
  const close = async () => {
    await context.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { page, url: server.url, close };
}

/** A page to walk in, and what goes wrong in it by itself. */
async function pageFor({ isPhone, isOffline }: Way) {
  if (!isOffline) {
    const opened = await openPage(browser, "about:blank", isPhone ? SMALL : {});
    return { ...opened, url: site.url };
  }
  const { page, url } = await (cutOff ??= openCutOff(isPhone));
  const errors: string[] = [];
  page.removeAllListeners();
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("requestfailed", (request) => {
    // A page that is left ends what it asked for.
    if (request.failure()?.errorText !== "net::ERR_ABORTED")
      errors.push(`${new URL(request.url()).pathname} is not kept`);
  });
  return { page, url, errors, close: async () => {} };
}

it.each(walks)(
  "the lesson $lesson is walked to its end: $way",
  async ({ lesson, way }) => {
    const how = wayOf(way);
    const { page, url, errors, close } = await pageFor(how);
    const walk = new LessonWalk(lesson, page, how.byKeys ? keys : pointer, worker === "real");
    await page.goto("about:blank");
    await page.goto(`${url}#lesson/${lesson}`);
    await walk.toEnd();
    expect([...walk.faults, ...errors.map((one) => `${lesson}: ${one}.`)]).toEqual([]);
    await close();
  },
  LONGEST,
);

it("has glossary cards that open by focus and close by Escape", async () => {
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/grpo`);
  const term = by(page, "lesson").locator(".lesson-words [data-term-id]").first();
  await term.focus();
  await by(page, "term-card").waitFor();
  await page.keyboard.press("Escape");
  await by(page, "term-card").waitFor({ state: "detached" });
  expect(errors).toEqual([]);
  await close();
});

const WIDE = `# Wide

\`\`\`explore id=temperature
figure: temperature
data: { logits: [2, 1, 1, 0, 0, 0], tokens: [Right, end, Left, Down, Up, other] }
\`\`\`
`;

it("lets a figure too wide for a phone scroll in its own box, with a shade at its edges", async () => {
  const address = `${site.url}#text/${notebookToWord(WIDE)}`;
  const { page, errors, close } = await openPage(browser, address, {
    viewport: { width: 390, height: 844 },
  });
  const box = by(page, "explore").locator(".table-scroll");
  await box.waitFor();
  const found = await box.evaluate((element) => {
    element.scrollLeft = 10_000;
    const last = element.querySelector("tr > :last-child")!.getBoundingClientRect();
    return {
      page: document.documentElement.scrollWidth,
      isCut: element.scrollWidth > element.clientWidth,
      isReached: last.right <= element.getBoundingClientRect().right + 1,
      shade: getComputedStyle(element).backgroundAttachment,
    };
  });
  expect(found).toEqual({
    ...{ page: 390, isCut: true, isReached: true },
    shade: "local, local, scroll, scroll",
  });
  expect(errors).toEqual([]);
  await close();
});

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

it("has steps and handles for fingers on a phone, and handles that keys move by a step", async () => {
  // The lesson with the most steps.
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/shop`, PHONE);
  const steps = by(page, "lesson").locator(".lesson-head li > button");
  await steps.first().waitFor();
  for (const step of await steps.all()) {
    const { width, height } = await boxOf(step);
    expect(height).toBeGreaterThanOrEqual(44);
    expect(width).toBeGreaterThanOrEqual(44);
  }
  await steps.nth(3).tap();
  const handle = by(page, "handle-chosen");
  const { width, height } = await boxOf(handle);
  expect(height).toBeGreaterThanOrEqual(44);
  const says = () => by(page, "explore-says").textContent();
  const before = await says();
  await handle.tap({ position: { x: 2, y: height / 2 } });
  await expect.poll(() => handle.inputValue()).toBe("0");
  expect(await says()).not.toBe(before);
  await handle.press("ArrowRight");
  await expect.poll(() => handle.inputValue()).toBe("1");
  await expect.poll(says).toBe(before);
  expect(width).toBeGreaterThan(80);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(errors).toEqual([]);
  await close();
});

/** In the page, before its first script: at a step with a figure, what has been asked for when the figure is there. */
function watchFigure(title: string): void {
  sessionStorage.setItem(`turnbook-lesson:${title}`, "1");
  const look = () => {
    if (!document.querySelector(".lesson-figures [data-panel] table")) requestAnimationFrame(look);
    else {
      const names = performance.getEntriesByType("resource").map(({ name }) => name);
      Object.assign(window, { askedFor: names.map((name) => name.replace(/^.*\//, "")) });
    }
  };
  requestAnimationFrame(look);
}

it("asks for nothing that may come later before the first figure of a step", async () => {
  const { page, errors, close } = await openPage(browser, "about:blank", { preloads: true });
  await page.addInitScript(watchFigure, "What a critic knows");
  await page.goto(`${site.url}#lesson/critic`);
  await page.waitForFunction(() => "askedFor" in window);
  const asked = await page.evaluate(() => (window as unknown as { askedFor: string[] }).askedFor);
  expect(asked.filter((name) => /^RibbonTable/.test(name)).length).toBeGreaterThan(0);
  const LATER =
    /^(EditView|LensView|CurvePlot|Present|TeacherWindow|Handout|Class|CourseQuiz|Gallery|CodeContent|Explore|ExperimentCell|GlossaryView|trainingWorker)|\.wasm$/;
  expect(asked.filter((name) => LATER.test(name))).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});
