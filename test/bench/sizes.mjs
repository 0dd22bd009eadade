// `node test/bench/sizes.mjs [--list] [ROOM ...]`: lines, files, functions and exported names of src, by room. `--list` names what
// each count is made of. `--beside DIR` compares lines, files and functions with those of another checkout, as Markdown.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The checkout that is counted. */
let root = resolve(import.meta.dirname, "..", "..");

/** A function of more lines than this is taken apart. */
export const LONGEST_FUNCTION = 60;
/** A file of fewer lines than this, which one file of its room imports, is part of that one. */
const SHORT_FILE = 40;
/** No file gets longer than this by it. */
const LONG_FILE = 300;
/** Allowed all the same: lessons, values of axes, commands, descriptors, wrappers, kernels, texts of the table of rows, catalogues of words, workers' entries. */
const STANDS_ALONE =
  /^src\/(algorithm|method|cli|spec\/algorithmDocs\/texts|env\/wrappers|engine\/webgpu\/kernels)\/|[dD]escriptor\.ts$|words\.ts$|Worker\.ts$/;

/**
 * @typedef {{ path: string, line: number, name: string, lines: number }} FunctionSize
 * @typedef {{ from: string, names: string[] }} Import names: "*" is all of them
 * @typedef {{
 *   path: string, room: string, text: string, lines: number, exported: string[], types: string[], own: Map<string, number>,
 *   imports: Import[], functions: FunctionSize[],
 * }} SourceFile lines: as `wc -l` counts; own: how often the file itself names each identifier
 */

/** @param {string} folder @returns {string[]} paths from the root, of TypeScript and its neighbours */
function filesOf(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|mjs)$/.test(name) && !name.endsWith(".d.ts"))
    .map((name) => join(folder, name))
    .filter((path) => !path.startsWith("src/engine/wasm/assembly"))
    .sort();
}

/** @returns {string[]} of the tools, which import what builds the page */
const configurations = () => readdirSync(root).filter((name) => name.endsWith(".config.ts"));

/** @param {ts.Node} node @returns {boolean} */
const isExported = (node) =>
  ts.canHaveModifiers(node) &&
  (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

/** @param {ts.Statement} node @returns {boolean} */
const isType = (node) =>
  ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node);

/** @param {ts.BindingName} name @returns {string[]} */
const boundNames = (name) =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((each) => (ts.isOmittedExpression(each) ? [] : boundNames(each.name)));

/** @param {ts.Statement} statement @returns {string[]} the names that it declares */
function declaredNames(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const { name } = /** @type {{ name?: ts.Identifier }} */ (/** @type {unknown} */ (statement));
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

/** @param {ts.SourceFile} source @returns {string[]} names declared and exported here; what is passed on is not among them */
function exportedNames(source) {
  const declared = new Set(source.statements.flatMap(declaredNames));
  const later = source.statements.flatMap((each) =>
    ts.isExportDeclaration(each) &&
    !each.moduleSpecifier &&
    each.exportClause &&
    ts.isNamedExports(each.exportClause)
      ? each.exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
      : [],
  );
  const names = [...source.statements.filter(isExported).flatMap(declaredNames), ...later];
  return [...new Set(names)].filter((name) => declared.has(name));
}

/** @param {string} path @param {string} specifier @returns {string} */
const resolved = (path, specifier) =>
  relative(root, resolve(root, dirname(path), specifier)).replace(/\?.*$/, "");

/**
 * Static imports with their names; dynamic imports, workers' addresses and what is passed on count for all names.
 * @param {string} path @param {ts.SourceFile} source @returns {Import[]}
 */
function importsOf(path, source) {
  /** @type {Import[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const bindings = node.importClause?.namedBindings;
      const names =
        bindings && ts.isNamedImports(bindings)
          ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
          : ["*"];
      found.push({ from: resolved(path, node.moduleSpecifier.text), names });
      return;
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const { text } = /** @type {ts.StringLiteral} */ (node.moduleSpecifier);
      const names =
        node.exportClause && ts.isNamedExports(node.exportClause)
          ? node.exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
          : ["*"];
      found.push({ from: resolved(path, text), names });
      return;
    }
    if (ts.isStringLiteral(node) && /^\.{1,2}\/.*\.(tsx?|mjs)$/.test(node.text)) {
      found.push({ from: resolved(path, node.text), names: ["*"] });
    } else if (ts.isImportTypeNode(node) && node.qualifier) {
      const argument = /** @type {ts.LiteralTypeNode} */ (node.argument);
      const { text } = /** @type {ts.StringLiteral} */ (argument.literal);
      found.push({ from: resolved(path, text), names: [node.qualifier.getText(source)] });
      return;
    }
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return found;
}

/** @param {ts.Node} node @param {ts.SourceFile} source @returns {string} */
function nameOf(node, source) {
  const { name } = /** @type {{ name?: ts.Node }} */ (/** @type {unknown} */ (node));
  if (name) return name.getText(source);
  const { parent } = node;
  return parent && ts.isVariableDeclaration(parent) ? parent.name.getText(source) : "(unnamed)";
}

/** @param {string} path @param {ts.SourceFile} source @returns {FunctionSize[]} functions with a body, inner ones too */
function functionsOf(path, source) {
  /** @type {FunctionSize[]} */
  const found = [];
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const lineOf = (/** @type {number} */ at) => source.getLineAndCharacterOfPosition(at).line;
      const from = lineOf(node.getStart(source));
      const lines = lineOf(node.end) - from + 1;
      found.push({ path, line: from + 1, name: nameOf(node, source), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** @param {ts.SourceFile} source @returns {Map<string, number>} */
function identifiers(source) {
  const counts = new Map();
  /** @param {ts.Node} node */
  const visit = (node) => {
    if (ts.isIdentifier(node)) counts.set(node.text, (counts.get(node.text) ?? 0) + 1);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return counts;
}

/** @param {string} path @returns {SourceFile} */
function readSource(path) {
  const text = readFileSync(join(root, path), "utf8");
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  return {
    path,
    room: path.split("/")[1] ?? "",
    text,
    lines: text.split("\n").length - 1,
    exported: exportedNames(source),
    types: source.statements.filter(isType).flatMap(declaredNames),
    own: identifiers(source),
    imports: importsOf(path, source),
    functions: functionsOf(path, source),
  };
}

/** @returns {SourceFile[]} all of src */
export const readSources = () => filesOf("src").map(readSource);

/** @returns {SourceFile[]} what uses src from outside: tests, and the tools' configurations */
export const readUsers = () => [...filesOf("test"), ...configurations()].map(readSource);

/** @param {SourceFile[]} sources @returns {Map<string, string[]>} exported names that more than one file defines, and where */
export function namesOfMany(sources) {
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const { path, exported } of sources)
    for (const name of exported) places.set(name, [...(places.get(name) ?? []), path]);
  return new Map([...places].filter(([, paths]) => paths.length > 1).sort());
}

/** Rooms and files whose types are documented by typedoc: their exports are for readers. */
const PUBLISHED =
  /^src\/(method\/|env\/(environment|registry)\.|engine\/engine\.|algorithm\/registry\.)/;

/** @param {SourceFile[]} sources @returns {FunctionSize[]} functions over `LONGEST_FUNCTION` lines, the longest first */
export const longFunctions = (sources) =>
  sources
    .flatMap(({ functions }) => functions)
    .filter(({ lines }) => lines > LONGEST_FUNCTION)
    .sort((a, b) => b.lines - a.lines);

/** Where running begins: the page, its carried copy and its offline worker, the command line and its tools, what the build writes out. */
const ENTRIES =
  /^src\/(app\/main\.tsx|app\/carried\/main\.tsx|app\/offline\/serviceWorker\.ts|app\/first\/markup\.ts|runtime\/carried\.ts|cli\/(main\.ts|\w+\.mjs)|engine\/wasm\/(build\.mjs|nodeWorker\.ts))$|^[\w.]+\.config\.ts$/;

/** @param {SourceFile[]} sources @param {SourceFile[]} users @returns {SourceFile[]} what the entries import, over any number of files, and they themselves */
function reached(sources, users) {
  const all = new Map([...sources, ...users].map((file) => [file.path, file]));
  const found = new Set([...all.values()].filter(({ path }) => ENTRIES.test(path)));
  // A set that grows while it is walked is walked to its new end.
  for (const { imports } of found)
    for (const { from } of imports) {
      const file = all.get(from);
      if (file) found.add(file);
    }
  return [...found];
}

/** @param {SourceFile[]} sources @param {SourceFile[]} users @returns {string[]} paths of src that no entry reaches */
export function deadFiles(sources, users) {
  const alive = new Set(reached(sources, users));
  return sources.filter((file) => !alive.has(file)).map(({ path }) => path);
}

/** @param {SourceFile[]} files @returns {(path: string, name: string) => boolean} whether one of them imports that name of that file */
function usesOf(files) {
  const used = new Set(
    files.flatMap(({ imports }) =>
      imports.flatMap(({ from, names }) => names.map((name) => `${from}#${name}`)),
    ),
  );
  // Code that is made as text imports names, too.
  const written = new Set(
    files.flatMap(({ text }) =>
      [...text.matchAll(/`import \{ (\w+) \} from \$/g)].map(([, name]) => name),
    ),
  );
  return (path, name) => used.has(`${path}#${name}`) || used.has(`${path}#*`) || written.has(name);
}

/**
 * @param {SourceFile[]} sources @param {SourceFile[]} users
 * @returns {{ path: string, name: string, onlyHere: boolean }[]} exports that nothing needs that an entry reaches; onlyHere: their own
 *   file uses them. Those a test may import as well: it looks at a part of what runs.
 */
export function deadExports(sources, users) {
  const alive = reached(sources, users);
  const [isRun, isTested] = [usesOf(alive), usesOf(users)];
  return alive
    .filter(({ path }) => path.startsWith("src/") && !ENTRIES.test(path) && !PUBLISHED.test(path))
    .flatMap(({ path, exported, own }) =>
      exported
        .map((name) => ({ path, name, onlyHere: (own.get(name) ?? 0) > 1 }))
        .filter(({ name, onlyHere }) => !isRun(path, name) && !(onlyHere && isTested(path, name))),
    );
}

/** @param {SourceFile[]} sources @returns {{ path: string, lines: number, importer: string }[]} short files that might be part of their importer */
export function shortFiles(sources) {
  /** @type {Map<string, Set<SourceFile>>} */
  const importers = new Map();
  for (const file of sources)
    for (const { from } of file.imports)
      importers.set(from, (importers.get(from) ?? new Set()).add(file));
  return sources.flatMap(({ path, lines, room }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    if (!importer || others.length > 0 || importer.room !== room) return [];
    const stays =
      lines >= SHORT_FILE || STANDS_ALONE.test(path) || importer.lines + lines > LONG_FILE;
    return stays ? [] : [{ path, lines, importer: importer.path }];
  });
}

/** @param {SourceFile[]} sources @returns {Map<string, string[]>} names of types, exported or not, that more than one file declares, and where */
export function typesOfMany(sources) {
  /** @type {Map<string, string[]>} */
  const places = new Map();
  for (const { path, types } of sources)
    for (const name of types) places.set(name, [...(places.get(name) ?? []), path]);
  return new Map([...places].filter(([, paths]) => paths.length > 1).sort());
}

/** @param {number[]} values @param {number} share */
const quantile = (values, share) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))];

/** Fields packed into a line of an object by a spread of a literal; a component's attributes may be. */
export const PACKED = /(?<!\{)\.\.\.\{/;

/** @param {{ path: string, text: string }[]} sources @param {RegExp} pattern @returns {string[]} "path:line: text" of each line that matches */
export const linesOf = (sources, pattern) =>
  sources.flatMap(({ path, text }) =>
    text
      .split("\n")
      .flatMap((line, i) => (pattern.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
  );

/** @param {SourceFile[]} sources @param {RegExp} pattern */
const count = (sources, pattern) =>
  sources.reduce((sum, { text }) => sum + (text.match(pattern)?.length ?? 0), 0);

/**
 * @param {string} room @param {SourceFile[]} all @param {SourceFile[]} tests
 * @returns {Record<string, string | number>}
 */
function rowOf(room, all, tests) {
  const here = all.filter((file) => room === "all" || file.room === room);
  const paths = new Set(here.map(({ path }) => path));
  const mine = (/** @type {{ path: string }} */ { path }) => paths.has(path);
  const doubled = [...namesOfMany(all)].filter(([, places]) =>
    places.some((path) => paths.has(path)),
  );
  const sizes = here.flatMap(({ functions }) => functions.map(({ lines }) => lines));
  return {
    room,
    lines: here.reduce((sum, { lines }) => sum + lines, 0),
    files: here.length,
    "names twice": doubled.length,
    "types twice": [...typesOfMany(all)].filter(([, at]) => at.some((path) => paths.has(path)))
      .length,
    "short files": shortFiles(all).filter(mine).length,
    "long functions": longFunctions(here).length,
    p90: quantile(sizes, 0.9) ?? 0,
    "dead exports": deadExports(all, tests).filter(mine).length,
    private: count(here, /\bprivate\s+(?:readonly |static |async |get |set |override )*[\w#]/g),
    "...{": linesOf(here, PACKED).length,
  };
}

/** @param {SourceFile[]} all @param {SourceFile[]} tests @param {(path: string) => boolean} wanted */
function printLists(all, tests, wanted) {
  /** @param {string} title @param {string[]} lines */
  const section = (title, lines) =>
    console.log(`\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}`);
  section(
    "Names that more than one file defines",
    [...namesOfMany(all)]
      .filter(([, at]) => at.some(wanted))
      .map(([name, at]) => `${name}: ${at.join(" ")}`),
  );
  section(
    "Types that more than one file declares",
    [...typesOfMany(all)]
      .filter(([, at]) => at.some(wanted))
      .map(([name, at]) => `${name}: ${at.join(" ")}`),
  );
  section(
    `Functions over ${LONGEST_FUNCTION} lines`,
    longFunctions(all)
      .filter(({ path }) => wanted(path))
      .map(({ path, line, name, lines }) => `${lines} ${name} ${path}:${line}`),
  );
  section(
    "Exports that nobody imports",
    deadExports(all, tests)
      .filter(({ path }) => wanted(path))
      .map(({ path, name, onlyHere }) => `${name} ${path}${onlyHere ? " (used there)" : ""}`),
  );
  section(
    `Files under ${SHORT_FILE} lines with one importer in their room`,
    shortFiles(all)
      .filter(({ path }) => wanted(path))
      .map(({ path, lines, importer }) => `${lines} ${path} <- ${importer}`),
  );
}

/** @param {SourceFile[]} files @returns {[lines: number, files: number, functions: number, p90: number]} */
function extentOf(files) {
  const sizes = files.flatMap(({ functions }) => functions.map(({ lines }) => lines));
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  return [lines, files.length, sizes.length, quantile(sizes, 0.9) ?? 0];
}

/** @param {SourceFile[]} before @param {SourceFile[]} now @returns {string[]} lines of Markdown */
function comparison(before, now) {
  const head = ["room", "lines", "files", "functions", "p90 of their lines"];
  const rooms = [...new Set([...before, ...now].map(({ room }) => room))].sort();
  const rowFor = (
    /** @type {string} */ name,
    /** @type {(file: SourceFile) => boolean} */ isIn,
  ) => {
    const [old, own] = [before, now].map((all) => extentOf(all.filter(isIn)));
    return [name, ...own.map((value, i) => `${old[i]} → ${value}`)];
  };
  const rows = rooms.map((one) => rowFor(one, ({ room }) => room === one));
  const all = [head, head.map(() => "---"), ...rows, rowFor("all", () => true)];
  return all.map((cells) => `| ${cells.join(" | ")} |`);
}

/** @param {string} folder another checkout */
function printComparison(folder) {
  const now = readSources();
  root = resolve(folder);
  console.log(comparison(readSources(), now).join("\n"));
}

function main() {
  const { values, positionals } = parseArgs({
    options: { list: { type: "boolean", default: false }, beside: { type: "string" } },
    allowPositionals: true,
  });
  if (values.beside) return printComparison(values.beside);
  const all = readSources();
  const tests = readUsers();
  const rooms = positionals.length > 0 ? positionals : [...new Set(all.map(({ room }) => room))];
  console.table([...rooms, "all"].map((room) => rowOf(room, all, tests)));
  if (values.list) printLists(all, tests, (path) => rooms.includes(path.split("/")[1] ?? ""));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
