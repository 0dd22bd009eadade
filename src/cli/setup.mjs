// Checks the setup before anything else runs: dependencies installed and as new as the lock file.
import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** npm writes this file at the end of every install; it serves as the install's time stamp. */
const stamp = join(root, "node_modules", ".package-lock.json");

function installed() {
  if (!existsSync(stamp)) return false;
  return statSync(stamp).mtimeMs >= statSync(join(root, "package-lock.json")).mtimeMs;
}

/** Installs with `npm ci`, without install scripts, if node_modules is missing or older than the lock file. */
export function ensureInstalled() {
  if (installed()) return;
  console.error("Installing dependencies (npm ci) ...");
  // All packages are dev dependencies: the tarball has none, and NODE_ENV=production would skip
  // them.
  const args = ["ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund"];
  const done = spawnSync("npm", args, {
    cwd: root,
    stdio: ["ignore", process.stderr, process.stderr],
    shell: process.platform === "win32",
  });
  if (done.status !== 0) {
    console.error("npm ci failed; see its message above.");
    process.exit(1);
  }
}
