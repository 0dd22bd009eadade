// Where a Chromium may be. Shared by the test command (plain Node) and the browser tests.
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

const WELL_KNOWN = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe",
];

function onPath() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
}

/** Full Chromium builds that Playwright downloaded; its headless shell has no WebGPU and does not count. */
function inPlaywrightCache() {
  const caches = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), ".cache", "ms-playwright"),
    join(homedir(), "Library", "Caches", "ms-playwright"),
  ].filter((path) => path && existsSync(path));
  return caches.flatMap((cache) =>
    readdirSync(cache)
      .filter((name) => /^chromium-\d+$/.test(name))
      .flatMap((name) => [
        join(cache, name, "chrome-linux", "chrome"),
        join(cache, name, "chrome-linux64", "chrome"),
        join(cache, name, "chrome-mac", "Chromium.app", "Contents", "MacOS", "Chromium"),
      ]),
  );
}

/** Path of a full Chromium or Chrome, or undefined. CHROME_PATH comes first. */
export function findBrowser() {
  const candidates = [process.env.CHROME_PATH, ...onPath(), ...WELL_KNOWN, ...inPlaywrightCache()];
  return candidates.find((path) => path && existsSync(path));
}
