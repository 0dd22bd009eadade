/** How many sheets a lesson takes on paper. */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { atRest, by, TAKES_PICTURES } from "./support.ts";

/** Of a page that shows a handout, once its figures are there. */
export async function handoutPages(page: Page): Promise<number> {
  const handout = by(page, "handout");
  await handout.waitFor();
  await handout.getByText("Sources.").waitFor();
  // Words come before formulas and figures.
  await page.waitForFunction(
    () =>
      document.querySelector(
        ".handout :is(.prose-waiting, .maths-waiting, .empty, [aria-busy=true])",
      ) === null,
  );
  await handout.evaluate(atRest);
  const pdf = await page.pdf({ preferCSSPageSize: false, format: "A4" });
  if (TAKES_PICTURES)
    writeFileSync(join(tmpdir(), `handout-${page.url().split("/").at(-1)}.pdf`), pdf);
  return (pdf.toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g) ?? []).length;
}
