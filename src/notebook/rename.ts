/** What names a cell, wherever it stands: other cells follow when the cell gets another name. */
import { renameScalars } from "./body.ts";
import { computes, hasFact, isTyped, type Cell, type TypedCell } from "./cell.ts";
import { kindOf } from "./cells/kinds.ts";

/** Fields of experiments whose value is the name of a definition. */
const NAMING = ["reward", "segmentation", "expert", "definition"];

/** From one name to another. */
interface Renaming {
  /** The cell as it was. */
  cell: TypedCell;
  to: string;
  /** Code that reads the cell, with the new name in it: by its text before. See runtime/sandbox/freeNames.ts. */
  code?: ReadonlyMap<string, string>;
}

/** Another cell, with the new name where it had the old one; the same object where it had not. */
export function followRename(one: Cell, renaming: Renaming): Cell {
  const { cell, to } = renaming;
  const waits = kindOf(cell.type).isQuestion && one.after === cell.id;
  if (waits) return followRename({ ...one, after: to }, renaming);
  if (!isTyped(one)) return one;
  const of = one.of === cell.id ? to : one.of;
  const body = bodyAfter(one, renaming);
  return of === one.of && body === one.body ? one : { ...one, of, body };
}

function bodyAfter(one: TypedCell, { cell, to, code }: Renaming): string {
  const { type, body } = one;
  if (computes(one)) return code?.get(body) ?? body;
  const { names } = kindOf(type);
  if (names === "definitions" && cell.defines)
    return renameScalars(body, (text, path) => inExperiment(text, path, cell.id, to));
  if (names === "experiments" && hasFact(cell, "hasRun"))
    return renameScalars(body, (text, path) => inList(text, path, cell.id, to));
  return body;
}

/** `turn-ppo@mine` in names and values, and the name alone where a field takes one. */
function inExperiment(text: string, path: readonly string[], from: string, to: string): string {
  const rows = text.replace(new RegExp(`@${from}(?![\\w-])`, "g"), `@${to}`);
  const field = path.at(-1)?.split(".").at(-1) ?? "";
  if (NAMING.includes(field) && unquoted(rows) === from) return rows.replace(from, to);
  // An environment as one text of JSON.
  const named = new RegExp(`("(?:${NAMING.join("|")})"\\s*:\\s*)"${from}"`, "g");
  return rows.replace(named, `$1"${to}"`);
}

/** Experiments of a comparison. */
function inList(text: string, path: readonly string[], from: string, to: string): string {
  if (path[0] !== "experiments") return text;
  return text.replace(new RegExp(`(?<![\\w-])${from}(?![\\w-])`, "g"), to);
}

function unquoted(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, "$2");
}
