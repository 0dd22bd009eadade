/** What axe finds wrong with a page. */
import { AxeBuilder } from "@axe-core/playwright";
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
  // The page has no frames, and only what is broken is wanted: several times as quick as asking for all.
  const axe = new AxeBuilder({ page }).setLegacyMode(true).options({
    resultTypes: ["violations"],
    rules: { "color-contrast": { enabled: colours } },
  });
  if (within !== undefined) axe.include(within);
  if (without !== undefined) axe.exclude(without);
  const { violations } = await axe.analyze();
  return violations.map(
    ({ id, impact, nodes }) => `${id} (${impact}): ${nodes.map(({ html }) => html).join("\n")}`,
  );
}
