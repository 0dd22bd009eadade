// A reader of the page: does what a person would do, and counts it.

/** Seconds; see ../tasks.mjs. */
const DECIDE = 1.35;
const POINT = 1.1;
const PRESS = 0.2;
const SCROLL = 2;
const READ = 4;

/**
 * In the page: brings an element into view as a person would, by scrolling what it lies in, and says how far that was, in
 * screens of what was scrolled: 0 where all of it, or as much as fits, is in sight already.
 */
function bring(element) {
  const covered = (box) => {
    let { top, bottom, left, right } = box;
    for (let up = element.parentElement; up; up = up.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(up);
      const room = up.getBoundingClientRect();
      if (overflowY !== "visible") {
        top = Math.max(top, room.top);
        bottom = Math.min(bottom, room.bottom);
      }
      if (overflowX !== "visible") {
        left = Math.max(left, room.left);
        right = Math.min(right, room.right);
      }
    }
    const bar = document.querySelector(".run-bar")?.getBoundingClientRect();
    const floor = bar && !element.closest(".run-bar") ? bar.top : innerHeight;
    bottom = Math.min(bottom, floor);
    top = Math.max(top, 0);
    left = Math.max(left, 0);
    right = Math.min(right, innerWidth);
    return { height: Math.max(0, bottom - top), width: Math.max(0, right - left) };
  };
  const box = element.getBoundingClientRect();
  const seen = covered(box);
  const enough = (have, want, most) => have >= Math.min(want, most) - 2;
  if (enough(seen.height, box.height, innerHeight * 0.5) && enough(seen.width, box.width, 120))
    return 0;
  const boxes = [];
  for (let up = element.parentElement; up; up = up.parentElement) boxes.push(up);
  const before = boxes.map((one) => [one.scrollTop, one.scrollLeft]);
  const window0 = scrollY;
  element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  let screens = Math.abs(scrollY - window0) / innerHeight;
  boxes.forEach((one, i) => {
    if (one === document.documentElement || one === document.body) return;
    screens += Math.abs(one.scrollTop - before[i][0]) / (one.clientHeight || 1);
    screens += Math.abs(one.scrollLeft - before[i][1]) / (one.clientWidth || 1);
  });
  return screens;
}

export function createReader(page, pictures) {
  const count = { clicks: 0, keys: 0, screens: 0, waited: 0, reads: 0 };
  const answers = [];
  let shots = 0;

  /** What the page takes until something is there, in seconds. */
  async function timed(work) {
    const started = performance.now();
    const made = await work();
    count.waited += (performance.now() - started) / 1000;
    return made;
  }

  async function picture(name) {
    if (!pictures) return;
    shots += 1;
    await page.screenshot({ path: `${pictures}-${shots}-${name.replaceAll(/\W+/g, "-")}.png` });
  }

  async function see(target) {
    const element = target.first();
    await timed(() => element.waitFor());
    const screens = await element.evaluate(bring);
    if (screens > 0) count.screens += Math.max(1, Math.round(screens));
  }

  return {
    page,
    answers,
    picture,
    async click(target, name) {
      await see(target);
      await target.first().click();
      count.clicks += 1;
      await page.waitForTimeout(400);
      await picture(name);
    },
    async choose(target, value, name) {
      await see(target);
      await target.first().selectOption(value);
      count.clicks += 2;
      await page.waitForTimeout(400);
      await picture(name);
    },
    async press(key, name) {
      await page.keyboard.press(key);
      count.keys += 1;
      await page.waitForTimeout(400);
      await picture(name);
    },
    /** The file dialog itself is the system's: one click more. */
    async open(target, file, name) {
      await see(target);
      const [dialog] = await Promise.all([
        page.waitForEvent("filechooser"),
        target.first().click(),
      ]);
      count.clicks += 2;
      await dialog.setFiles(file);
      await page.waitForTimeout(400);
      await picture(name);
    },
    /** Reads what answers the question; what is said of it is its text, unless `say` makes something of it. */
    async read(target, name, say = (text) => text) {
      await see(target);
      count.reads += 1;
      const text = (await target.first().innerText()).replaceAll(/\s+/g, " ").trim();
      answers.push(`${name}: ${say(text).slice(0, 220)}`);
      await picture(name);
      return text;
    },
    /** Waits for what the page computes. */
    wait: (target, options) => timed(() => target.first().waitFor(options)),
    counts() {
      const { clicks, keys, waited, reads } = count;
      const screens = Math.round(count.screens);
      const acts = clicks * (DECIDE + POINT + PRESS) + keys * (DECIDE + PRESS);
      return { ...count, screens, waited, reading: acts + screens * SCROLL + reads * READ };
    },
  };
}
