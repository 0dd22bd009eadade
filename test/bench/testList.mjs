// Lists every test and how many expectations it states, before and now: `node test/bench/testList.mjs [COMMIT]`. A test is looked for
// under its name, wherever its file has gone. Without a commit it counts what is there.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const root = join(import.meta.dirname, "..", "..");
const git = (...args) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
const isTest = (path) => /\.test\.tsx?$/.test(path);

/** Paths and texts of a commit's test files. */
function filesAt(commit) {
  const paths = git("ls-tree", "-r", "--name-only", commit, "test").split("\n").filter(isTest);
  return paths.map((path) => [path, git("show", `${commit}:${path}`)]);
}

function filesNow() {
  const paths = readdirSync(join(root, "test"), { recursive: true }).map((path) => `test/${path}`);
  return paths.filter(isTest).map((path) => [path, readFileSync(join(root, path), "utf8")]);
}

/** The plain name that a call begins with: `it` of `it.each(rows)(...)`. */
function calledName(node) {
  let at = node;
  while (!ts.isIdentifier(at)) {
    if (!ts.isCallExpression(at) && !ts.isPropertyAccessExpression(at)) return "";
    at = at.expression;
  }
  return at.text;
}

/** Every test of a file: its name as written, and how many expectations its own text and the file's helpers state. */
function testsOf([path, text]) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const tests = [];
  let outside = 0;
  const visit = (node, inside, names) => {
    let [test, around] = [inside, names];
    if (ts.isCallExpression(node)) {
      const name = calledName(node.expression);
      const isWhole = !ts.isCallExpression(node.parent) || node.parent.expression !== node;
      const title = node.arguments[0]?.getText(source).slice(1, -1) ?? "";
      if (name === "describe" && isWhole) around = [...names, title];
      else if ((name === "it" || name === "test") && isWhole && node.arguments.length > 1) {
        test = { path, name: title, full: [...names, title].join(" > "), expects: 0 };
        tests.push(test);
      } else if (ts.isIdentifier(node.expression) && name === "expect") count(test);
      // The formatter may put `.poll` on a line of its own.
      else if (/^expect\s*\.(soft|poll)$/.test(node.expression.getText(source))) count(test);
    }
    ts.forEachChild(node, (child) => visit(child, test, around));
  };
  const count = (test) => (test ? test.expects++ : outside++);
  visit(source, null, []);
  return { tests, outside };
}

function listOf(files) {
  const all = files.map(testsOf);
  const tests = all.flatMap((one) => one.tests);
  const own = tests.reduce((sum, { expects }) => sum + expects, 0);
  const outside = all.reduce((sum, one) => sum + one.outside, 0);
  return { tests, expects: own + outside, files: files.length };
}

const inWords = ({ tests, expects, files }) =>
  `${tests.length} tests with ${expects} expectations in ${files} files`;

/** Tests by name: several of one name are put together. */
function byName({ tests }) {
  const names = new Map();
  for (const { name, path, expects } of tests) {
    const { paths = [], sum = 0, n = 0 } = names.get(name) ?? {};
    names.set(name, { paths: [...paths, path], sum: sum + expects, n: n + 1 });
  }
  return names;
}

function compare(before, now) {
  const [old, present] = [byName(before), byName(now)];
  const rows = [];
  for (const [name, was] of old) {
    const is = present.get(name);
    const where = [...new Set(is?.paths.filter((path) => !was.paths.includes(path)) ?? [])];
    if (!is) rows.push(["gone or renamed", was.sum, 0, was.paths[0], name]);
    else if (where.length > 0)
      rows.push([`now in ${where.join(", ")}`, was.sum, is.sum, was.paths[0], name]);
    else if (is.sum < was.sum || is.n < was.n)
      rows.push(["fewer", was.sum, is.sum, was.paths[0], name]);
  }
  for (const [name, is] of present)
    if (!old.has(name)) rows.push(["new", 0, is.sum, is.paths[0], name]);
  return rows;
}

const commit = process.argv[2];
const now = listOf(filesNow());
if (commit === undefined) console.log(inWords(now));
else {
  const before = listOf(filesAt(commit));
  console.log(`${commit}: ${inWords(before)}\nnow: ${inWords(now)}\n`);
  console.log("| what | expectations before | now | file | test |\n|---|---|---|---|---|");
  for (const row of compare(before, now)) console.log(`| ${row.join(" | ")} |`);
}
