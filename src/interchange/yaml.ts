/** Nested settings as block YAML, and as Hydra overrides. Every string is quoted; numbers read the same in YAML 1.1 and 1.2. */

type Scalar = number | boolean | string | null;
type YamlValue = Scalar | readonly Scalar[];
/** Dotted path -> value. */
export type Keys = Readonly<Record<string, YamlValue>>;

type Tree = { [name: string]: Tree | YamlValue };

/** Dotted paths as a tree. @throws RangeError if one path is both a value and a prefix of another. */
function treeOf(keys: Keys): Tree {
  const root: Tree = {};
  for (const [path, value] of Object.entries(keys)) {
    const names = path.split(".");
    const last = names.pop()!;
    let node = root;
    for (const name of names) {
      const next = (node[name] ??= {});
      if (!isTree(next)) throw new RangeError(`${path} goes through a value`);
      node = next;
    }
    if (last in node) throw new RangeError(`${path} is given twice`);
    node[last] = value;
  }
  return root;
}

function isTree(value: Tree | YamlValue): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The YAML of dotted paths. */
export function toYaml(keys: Keys): string {
  return blockOf(treeOf(keys), "");
}

function blockOf(tree: Tree, indent: string): string {
  return Object.entries(tree)
    .map(([name, value]) =>
      isTree(value)
        ? `${indent}${name}:\n${blockOf(value, `${indent}  `)}`
        : `${indent}${name}: ${yamlText(value)}\n`,
    )
    .join("");
}

/** One `path=value` per line, in the form of Hydra's command line. */
export function toOverrides(keys: Keys): string {
  return Object.entries(keys)
    .map(([path, value]) => `${path}=${yamlText(value)}\n`)
    .join("");
}

/** A value in the syntax of YAML and Hydra. */
export function yamlText(value: YamlValue): string {
  if (Array.isArray(value)) return `[${(value as readonly Scalar[]).map(scalarText).join(",")}]`;
  return scalarText(value as Scalar);
}

function scalarText(value: Scalar): string {
  if (typeof value !== "number") return JSON.stringify(value);
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written`);
  const text = String(value);
  // YAML 1.1 reads 1e-6 as a string; with a point it is a number everywhere.
  return text.includes("e") && !text.includes(".") ? text.replace("e", ".0e") : text;
}
