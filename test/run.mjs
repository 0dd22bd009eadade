// `npm test`: everything, with its set-up, and one closing line that counts.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { ensureInstalled, root } from "../src/cli/setup.mjs";

ensureInstalled();
const { findBrowser } = await import("./browser/find.mjs");

/** A browser is part of the tests: find one, or install one where that is possible, or say what is missing. */
function requireBrowser() {
  const found = findBrowser();
  if (found) return found;
  if (process.platform === "linux" && process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    console.error("No browser found; installing Chromium with apt-get ...");
    const quiet = { stdio: ["ignore", "ignore", "inherit"] };
    spawnSync("apt-get", ["update"], quiet);
    spawnSync("apt-get", ["install", "-y", "chromium"], quiet);
    const installed = findBrowser();
    if (installed) return installed;
  }
  console.error(
    "The browser tests need Chromium or Chrome: install one (on Debian: apt-get install chromium) or set CHROME_PATH.",
  );
  process.exit(1);
}

/** Resolves with whether it ended well; it speaks for itself. */
function step(name, command, args) {
  const started = Date.now();
  const running = spawn(command, args, { cwd: root, stdio: "inherit", env: process.env });
  return new Promise((resolve) => {
    running.on("close", (status) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(0);
      console.log(`${name}: ${status === 0 ? "ok" : "FAILED"} in ${seconds} s`);
      resolve(status === 0);
    });
  });
}

/** Beside others: what it says is shown when it is done. */
function check(name, command, args) {
  const started = Date.now();
  const running = spawn(command, args, { cwd: root, env: process.env });
  let said = "";
  for (const stream of [running.stdout, running.stderr])
    stream.on("data", (data) => (said += data));
  return new Promise((resolve) => {
    running.on("close", (status) => {
      const seconds = ((Date.now() - started) / 1000).toFixed(0);
      console.log(`${said}${name}: ${status === 0 ? "ok" : "FAILED"} in ${seconds} s`);
      resolve({ name, ok: status === 0 });
    });
  });
}

/** Runs the projects, all in one process, so that no core waits while another project ends and modules are read once. */
async function vitest(projects) {
  const report = join(mkdtempSync(join(tmpdir(), "turnbook-test-")), "report.json");
  // What a module is compiled to is kept for the next time.
  const args = [
    "vitest",
    "run",
    "--experimental.fsModuleCache",
    ...projects.flatMap((name) => ["--project", name]),
  ];
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const ok = await step(projects.join(", "), "npx", ["--no-install", ...args, ...reporters]);
  if (!existsSync(report))
    return { ok: false, passed: 0, failed: 1, skipped: 0, said: ["FAILED tests: no report"] };
  const { numPassedTests, numFailedTests, numPendingTests, numTotalTests, testResults } =
    JSON.parse(readFileSync(report, "utf8"));
  sayShares(testResults);
  // A file that fails to load has no tests to count, but must not count as success.
  const failed = numFailedTests + (ok || numFailedTests > 0 ? 0 : 1);
  return {
    ok: ok && numTotalTests > 0,
    passed: numPassedTests,
    failed,
    skipped: numPendingTests,
    said: testResults.flatMap(failuresOf),
  };
}

/** Which folders the time went to, in seconds of one core of two. */
function sayShares(files) {
  const shares = new Map();
  for (const { name, startTime, endTime, assertionResults } of files) {
    const folder = relative(root, name).split("/").slice(0, 2).join("/");
    const { seconds, tests } = shares.get(folder) ?? { seconds: 0, tests: 0 };
    const own = Math.max(0, endTime - startTime) / 1000;
    shares.set(folder, { seconds: seconds + own, tests: tests + assertionResults.length });
  }
  for (const [folder, { seconds, tests }] of [...shares].sort(
    (a, b) => b[1].seconds - a[1].seconds,
  ))
    console.log(`${folder}: ${tests} tests, ${seconds.toFixed(0)} s`);
}

/** What failed in one file of vitest's report, in a few lines each; also what passed only when it was tried again. */
function failuresOf({ name, status, message, assertionResults }) {
  const file = relative(root, name);
  const lines = (text) => text.split("\n").slice(0, 6).join("\n    ");
  const broken = assertionResults.filter(({ failureMessages }) => failureMessages?.length > 0);
  const said = broken.map((test) => {
    const what = test.status === "failed" ? "FAILED" : "PASSED ONLY WHEN TRIED AGAIN";
    return `${what} ${file} > ${test.fullName}\n    ${lines(test.failureMessages.join("\n"))}`;
  });
  const hasTests = assertionResults.some((test) => test.status === "failed");
  return status === "failed" && !hasTests
    ? [...said, `FAILED ${file}\n    ${lines(message)}`]
    : said;
}

process.env.CHROME_PATH = requireBrowser();
const bin = (name) => join(root, "node_modules", ".bin", name);
/** What a check found in a file that is still the same, it need not find again. */
const cache = join(root, "node_modules", ".cache", "turnbook-checks");
const checks = await Promise.all([
  // Made again each time: its rules need all types, so that what is wrong with these costs a few seconds more, and no tsc.
  check("types and lint", bin("oxlint"), ["--type-check"]),
  check("format", bin("prettier"), [
    ...["--check", "--log-level", "warn", "--cache", "--cache-strategy", "content"],
    ...["--cache-location", join(cache, "format.json"), "."],
  ]),
]);
const only = process.argv.slice(2);
const projects = only.length > 0 ? only : ["unit", "engine", "browser"];
const result = await vitest(projects);
const failedChecks = checks.filter(({ ok }) => !ok).length;
const passed = result.passed + checks.length - failedChecks;
const failed = result.failed + failedChecks;
const skipped = result.skipped;
// Repeated at the end, where it is easy to find.
for (const { name, ok } of checks) if (!ok) console.log(`FAILED ${name}`);
for (const failure of result.said) console.log(failure);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(failed === 0 && result.ok ? 0 : 1);
