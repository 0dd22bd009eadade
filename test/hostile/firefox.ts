/** Firefox for the hostile tests, over WebDriver BiDi; nothing is downloaded. */
import { existsSync } from "node:fs";
import puppeteer, { type Browser } from "puppeteer-core";

const PLACES = [
  "/usr/bin/firefox-esr",
  "/usr/bin/firefox",
  "/snap/bin/firefox",
  "/Applications/Firefox.app/Contents/MacOS/firefox",
];

/** Path of a Firefox, or null: what needs one is not tried then, and says so. */
export function findFirefox(): string | null {
  const asked = process.env["FIREFOX_PATH"];
  if (asked) return existsSync(asked) ? asked : null;
  return PLACES.find(existsSync) ?? null;
}

/** @throws Error saying in one sentence what to install. */
export async function launchFirefox(prefs: Record<string, unknown> = {}): Promise<Browser> {
  const executablePath = findFirefox();
  if (executablePath === null)
    throw new Error("Firefox is needed: install firefox-esr or set FIREFOX_PATH.");
  return puppeteer.launch({
    browser: "firefox",
    executablePath,
    headless: true,
    extraPrefsFirefox: prefs,
    protocolTimeout: 600_000,
  });
}
