/** The words after a cell's fence: its type, name, what it shows, flags. */
import { DEFINITION_KINDS, type DefinitionKind } from "../spec/definitions.ts";
import { show } from "../numeric/inputError.ts";
import { kindOf, type CellType } from "./cells/kinds.ts";

/** Words after a cell's type: folded until the reader opens it; not shown to readers; not changed until it is unlocked. */
const FLAGS = ["fold", "hide", "lock"] as const;
export type Flag = (typeof FLAGS)[number];

function isFlag(word: string): word is Flag {
  return (FLAGS as readonly string[]).includes(word);
}

interface CellHead {
  /** Empty if none is given. */
  id: string;
  /** As written. */
  ofWritten?: string;
  flags: readonly Flag[];
  defines?: DefinitionKind;
  /** Id of the question that it waits for. */
  after?: string;
  /** Unknown words, as written. */
  others?: readonly string[];
}

/** Words by their meaning; `problems` are sentences about unknown ones. */
export function readHead(
  type: CellType,
  words: readonly string[],
): { head: CellHead; problems: string[] } {
  const { attributes, flags, others, problems } = sortWords(type, words);
  const ofWritten = attributes.get("of") ?? "";
  const after = cleanId(attributes.get("after") ?? "");
  const kind = attributes.get("defines");
  const defines = DEFINITION_KINDS.find((one) => one === kind);
  if (kind !== undefined && !defines) {
    others.push(`defines=${kind}`);
    problems.push(`defines is ${show(kind)}; it must be one of ${DEFINITION_KINDS.join(", ")}.`);
  }
  const head = {
    id: cleanId(attributes.get("id") ?? ""),
    flags: [...new Set(flags)],
    ...(ofWritten !== "" && { ofWritten }),
    ...(defines && { defines }),
    ...(after !== "" && { after }),
    ...(others.length > 0 && { others }),
  };
  return { head, problems };
}

function sortWords(type: CellType, given: readonly string[]) {
  const allowed = ["id", "of", "after", ...(kindOf(type).isCode ? ["defines"] : [])];
  const attributes = new Map<string, string>();
  const flags: Flag[] = [];
  const others: string[] = [];
  const problems: string[] = [];
  for (const word of given) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (allowed.includes(name)) {
      if (attributes.has(name))
        problems.push(`${type} has "${name}=" twice; the last, ${show(value)}, is used.`);
      attributes.set(name, value);
    } else if (isFlag(word)) flags.push(word);
    else if (word !== "") {
      others.push(word);
      problems.push(
        name === ""
          ? `"${word}" after ${type} is neither a flag nor name=value.`
          : `${type} has no "${name}="; allowed: ${allowed.join(", ")}.`,
      );
    }
  }
  return { attributes, flags, others, problems };
}

/** One line, without the fence. */
export function writeHead(
  type: CellType,
  { id, ofWritten, flags, defines, after, others = [] }: CellHead,
): string {
  const names = [
    `id=${id}`,
    ...(ofWritten === undefined ? [] : [`of=${ofWritten}`]),
    ...(defines === undefined ? [] : [`defines=${defines}`]),
    ...(after === undefined ? [] : [`after=${after}`]),
  ];
  return [type, ...names, ...flags, ...others].join(" ");
}

/** The line before a cell of prose if another is above it, or if it waits for a question. */
export function writeBetween(after: string | undefined): string {
  return after === undefined ? "<!-- cell -->" : `<!-- cell after=${after} -->`;
}

/** The question that the prose below waits for; undefined for none, null if the line is not such a line. */
export function readBetween(line: string): string | undefined | null {
  const found = /^<!-- cell(?: after=([\w-]{1,64}))? -->$/.exec(line.trimEnd());
  return found ? found[1] : null;
}

/** Limit of characters of an id, as in nbformat 4.5. */
export const LONGEST_ID = 64;

/** A valid id: other characters are left out. */
export function cleanId(id: string): string {
  return id.replace(/[^\w-]/g, "").slice(0, LONGEST_ID);
}
