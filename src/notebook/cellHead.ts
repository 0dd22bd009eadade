/** The words behind a cell's fence: its type, name, what it shows, flags. */
import { DEFINITION_KINDS, type DefinitionKind } from "../spec/definitions.ts";
import { show } from "../spec/inputError.ts";
import { isFlag, type CellType, type Flag } from "./cellTypes.ts";

interface CellHead {
  /** Empty where none is given. */
  id: string;
  /** As written. */
  ofWritten?: string;
  flags: readonly Flag[];
  defines?: DefinitionKind;
  /** Words that mean nothing here, as written. */
  others?: readonly string[];
}

/** Words by what they mean; `problems` are sentences on those that mean nothing. */
export function readHead(
  type: CellType,
  words: readonly string[],
): { head: CellHead; problems: string[] } {
  const { attributes, flags, others, problems } = sortWords(type, words);
  const ofWritten = attributes.get("of") ?? "";
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
    ...(others.length > 0 && { others }),
  };
  return { head, problems };
}

function sortWords(type: CellType, given: readonly string[]) {
  const allowed = type === "code" ? ["id", "of", "defines"] : ["id", "of"];
  const attributes = new Map<string, string>();
  const flags: Flag[] = [];
  const others: string[] = [];
  const problems: string[] = [];
  for (const word of given) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (allowed.includes(name)) attributes.set(name, value);
    else if (isFlag(word)) flags.push(word);
    else if (word !== "") {
      others.push(word);
      problems.push(
        name === ""
          ? `"${word}" after ${type} is no flag and no name=value.`
          : `${type} has no "${name}="; allowed: ${allowed.join(", ")}.`,
      );
    }
  }
  return { attributes, flags, others, problems };
}

/** One line, without the fence. */
export function writeHead(
  type: CellType,
  { id, ofWritten, flags, defines, others = [] }: CellHead,
): string {
  const names = [
    `id=${id}`,
    ...(ofWritten === undefined ? [] : [`of=${ofWritten}`]),
    ...(defines === undefined ? [] : [`defines=${defines}`]),
  ];
  return [type, ...names, ...flags, ...others].join(" ");
}

/** What can be a cell's id: other characters are left out. */
export function cleanId(id: string): string {
  return id.replace(/[^\w-]/g, "").slice(0, 64);
}
