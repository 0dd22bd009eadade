/** A class of thirty, end to end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { by, launch, servePage } from "../browser/support.ts";
import { BROKEN, NO_CODES } from "./broken.ts";
import { CHEATS, type Cheat } from "./cheats.ts";
import { classText, SEATS } from "./lesson.ts";
import { atMost, trainAt } from "./student.ts";
import {
  checkAll,
  classLink,
  giveFile,
  handIn,
  openTeacher,
  pasteMore,
  standings,
  type Standing,
} from "./teacher.ts";

/** Profiles at a time. */
const MOST = 6;

/** @param words how many desks there are; none for all. @returns the exit code. */
export async function main(words: string[]): Promise<number> {
  const desks = Number(words[0] ?? SEATS);
  if (!Number.isInteger(desks) || desks < 3 || desks > SEATS) {
    console.error(`desks is ${words[0]}; it must be a whole number from 3 to ${SEATS}`);
    return 2;
  }
  const folder = mkdtempSync(join(tmpdir(), "turnbook-class-"));
  process.env["TURNBOOK_TEST_PAGES"] ??= folder;
  const site = await servePage({ worker: "real" });
  // With a flag it is one of its own, which can be closed.
  const browser = await launch(["--mute-audio"]);
  try {
    return await hold(browser, site.url, desks);
  } finally {
    await browser.close();
    await site.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hold(browser: Browser, url: string, n: number): Promise<number> {
  const teacher = await openTeacher(browser, url, classText());
  const codes = await codesOf(browser, { url, link: await classLink(teacher), n });
  await handIn(teacher, codes);
  console.log(await by(teacher, "class-count").textContent());
  const broken = await handInBroken(teacher, codes[BESIDE - 1]!);
  const before = await standings(teacher);
  if (before.every(({ doubt }) => doubt !== null)) throw new Error("no code counts");
  await checkAll(teacher);
  const after = await standings(teacher);
  const wrong = report(before, after, n) + broken;
  console.log(`\n${await by(teacher, "class-count").textContent()}`);
  console.log(await outcomeOf(teacher));
  return wrong === 0 ? 0 : 1;
}

/** The honest desk whose code the broken ones are made of. */
const BESIDE = 1;

/** Beside the class's codes. @returns how many files were answered otherwise than they should be. */
async function handInBroken(teacher: Page, honest: string): Promise<number> {
  let wrong = 0;
  for (const { name, text, says } of NO_CODES) {
    const said = await giveFile(teacher, name, text, says);
    if (said !== says) wrong++;
    console.log(`${name}: ${said} ${said === says ? "" : "WRONG"}`);
  }
  await pasteMore(
    teacher,
    BROKEN.map(({ code }) => code(honest)),
  );
  return wrong;
}

/** What each desk hands in, desk 1 first. */
async function codesOf(
  browser: Browser,
  { url, link, n }: { url: string; link: string; n: number },
): Promise<string[]> {
  const desks = Array.from({ length: n }, (_, i) => i + 1);
  const honest = await atMost(MOST, desks, (desk) => timed(desk, trainAt(browser, link, desk)));
  const codes = [...honest];
  const codeOf = (desk: number) => honest[desk - 1]!;
  for (const cheat of CHEATS.filter(({ desk }) => desk < n)) {
    const own = cheat.trains ? await otherRun(browser, url, cheat) : codeOf(cheat.desk);
    codes[cheat.desk - 1] = cheat.code(own, codeOf);
    console.log(`desk ${cheat.desk} ${cheat.what}`);
  }
  return codes;
}

async function timed(desk: number, code: Promise<string>): Promise<string> {
  const started = performance.now();
  const own = await code;
  console.log(`desk ${desk}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return own;
}

/** From a class of the cheat's own: with more desks, or with other settings. */
async function otherRun(browser: Browser, url: string, cheat: Cheat): Promise<string> {
  const { desk = cheat.desk, changes = {}, name } = cheat.trains ?? {};
  const text = classText(changes).replace(`seats: ${SEATS}`, "seats: 200");
  const page = await openTeacher(browser, url, text);
  const link = await classLink(page, name);
  await page.context().close();
  return trainAt(browser, link, desk);
}

/** @returns how many are not as they should be. */
function report(before: readonly Standing[], after: readonly Standing[], desks: number): number {
  console.log("\n| desk | does | when handed in | after training again | |");
  console.log("| --- | --- | --- | --- | --- |");
  const isWrong = after.map(({ doubt, says }, i) => {
    const broken = BROKEN[i - desks];
    const cheat = CHEATS.find(({ desk }) => desk === i + 1 && desk < desks);
    const isRight = broken
      ? doubt !== null && broken.says.test(says)
      : cheat
        ? cheat.found.includes(doubt ?? "")
        : doubt === null;
    const name = broken ? `beside | ${broken.what}` : `${i + 1} | ${cheat?.what ?? "honest"}`;
    const result = isRight ? "" : "WRONG";
    console.log(`| ${name} | ${before[i]!.says} | ${says} | ${result} |`);
    return !isRight;
  });
  return isWrong.filter(Boolean).length;
}

/** What the class found, as the teacher's page has it. */
async function outcomeOf(teacher: Page): Promise<string> {
  const rows = await by(teacher, "class-outcome")
    .locator("tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
  return rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
