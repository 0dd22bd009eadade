/** Path of a full Chromium or Chrome, or undefined. CHROME_PATH comes first. */
export function findBrowser(): string | undefined;
