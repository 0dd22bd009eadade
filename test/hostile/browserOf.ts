/** The process of a browser, to be killed as a whole. */
import { readdirSync, readFileSync } from "node:fs";

/** The process of the browser that has a profile, not those it has started. */
export function browserOf(profile: string): number {
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    let words: string[] = [];
    try {
      words = readFileSync(`/proc/${id}/cmdline`, "utf8").split("\0");
    } catch {
      continue; // it has ended meanwhile
    }
    const isOurs = words.some((word) => word === `--user-data-dir=${profile}`);
    if (isOurs && !words.some((word) => word.startsWith("--type="))) return Number(id);
  }
  throw new Error(`no browser has the profile ${profile}`);
}
