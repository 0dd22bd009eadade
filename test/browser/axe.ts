/** What axe finds wrong with a page. */
import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { markKinds } from "./axeKinds.ts";

export interface AxeScope {
  /** Selector of the part that is looked at; absent for the whole page. */
  within?: string;
  /** Selector of what is left out of it. */
  without?: string;
  /** Whether colours are judged, which takes most of the time. */
  colours?: boolean;
}

/** Kinds of texts, see `markKinds`, whose colours were found in order, on any page. */
const judged = new Set<string>();

/** Each rule that is broken, with its weight and elements that break it. */
export async function axeFaults(page: Page, scope: AxeScope = {}): Promise<string[]> {
  const { within, without, colours = true } = scope;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const asked = { within: within ?? "body", known: [...judged] };
  if (colours) await page.evaluate(markKinds, asked);
  const context = {
    ...(within !== undefined && { include: [within] }),
    ...(without !== undefined && { exclude: [without] }),
  };
  const rules = { "color-contrast": { enabled: colours } };
  const first = await page.evaluate(faultsIn, { context, options: { rules } });
  for (const kind of first.kinds) judged.add(kind);
  const { unsure } = first;
  if (unsure.length === 0) return first.faults;
  // Of some texts axe cannot say: the next of their kind is judged, for its colours alone.
  await page.evaluate(markKinds, { ...asked, unsure });
  const next = await page.evaluate(faultsIn, { context, options: { runOnly: ["color-contrast"] } });
  for (const kind of next.kinds) judged.add(kind);
  return [...first.faults, ...next.faults];
}

/** What is asked of axe in the page. */
interface InPage {
  run(context: object, options: object): Promise<AxeResults>;
  configure(settings: { rules: { id: string; selector: string }[] }): void;
}

interface Task {
  context: { include?: string[]; exclude?: string[] };
  options: object;
}

/** In the page, which has no frames: only what is broken leaves it, as what is in order takes longer to write than to judge. */
async function faultsIn({ context, options }: Task) {
  const { axe } = window as unknown as { axe: InPage };
  const isWhole = Object.keys(context).length === 0;
  axe.configure({ rules: [{ id: "color-contrast", selector: "[data-axe-kind]" }] });
  const results = ["violations", "incomplete"] as const;
  const found = await axe.run(isWhole ? document : context, {
    ...{ resultTypes: results, ...options, selectors: false, elementRef: true },
  });
  const among = (key: (typeof results)[number]) =>
    new Set(found[key].flatMap(({ nodes }) => nodes.map((node) => node.element)));
  const [broken, open] = [among("violations"), among("incomplete")];
  const marked = [...document.querySelectorAll<HTMLElement>("[data-axe-kind]")];
  const kindsOf = (ones: HTMLElement[]) => ones.map((one) => one.dataset["axeKind"]!);
  const kinds = kindsOf(marked.filter((one) => !open.has(one) && !broken.has(one)));
  const unsure = kindsOf(marked.filter((one) => open.has(one) && !broken.has(one)));
  for (const one of marked) delete one.dataset["axeKind"];
  const faults = found.violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join("\n")}`,
  );
  return { faults, kinds, unsure };
}
