/** What axe finds wrong with a page. */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";

export interface AxeScope {
  /** Selector of the part that is looked at; absent for the whole page. */
  within?: string;
  /** Selector of what is left out of it. */
  without?: string;
  /** Whether colours are judged, which takes most of the time. */
  colours?: boolean;
}

/** Each rule that is broken, with its weight and the elements that break it. */
export async function axeFaults(page: Page, scope: AxeScope = {}): Promise<string[]> {
  const { within, without, colours = true } = scope;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const context = {
    ...(within !== undefined && { include: [within] }),
    ...(without !== undefined && { exclude: [without] }),
  };
  const options = {
    resultTypes: ["violations"],
    rules: { "color-contrast": { enabled: colours } },
  };
  return page.evaluate(faultsIn, { context, options });
}

interface Task {
  context: { include?: string[]; exclude?: string[] };
  options: object;
}

/** In the page, which has no frames: only what is broken leaves it, as what is in order takes longer to write than to judge. */
async function faultsIn({ context, options }: Task): Promise<string[]> {
  const { axe } = window as unknown as {
    axe: { run: (context: object, options: object) => Promise<AxeResults> };
  };
  const isWhole = Object.keys(context).length === 0;
  const { violations } = await axe.run(isWhole ? document : context, options);
  return violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join("\n")}`,
  );
}
