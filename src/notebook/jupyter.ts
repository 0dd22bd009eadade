/**
 * A notebook as a Jupyter notebook (nbformat 4.5), and back. Prose is Markdown there, and code is code.
 * Other cells are code in which every line is a remark, with their pictures as outputs: a reader without Turnbook sees both.
 * What we wrote is read without loss; of others' notebooks code and what it printed are read as blocks of text, since it cannot run here.
 */
import { greatest } from "../numeric/lists.ts";
import { InputError, show } from "../numeric/inputError.ts";
import { jsonOrNothing, repeatedKey, isRecord } from "../spec/jsonText.ts";
import { isTyped, typedCells, type Cell, type Notebook } from "./cell.ts";
import { readBetween, writeBetween } from "./cellHead.ts";
import { kindOf } from "./cells/kinds.ts";
import { MAX_CELLS, MAX_LENGTH, parseNotebook, serialiseNotebook } from "./document.ts";
import { closedCode } from "./fences.ts";

/** PNG as base64. */
export type CellPictures = ReadonlyMap<string, readonly string[]>;

interface JupyterCell {
  id: string;
  cell_type: "markdown" | "code";
  /** `head`: what stands behind our cell's fence, or before prose that waits for a question. */
  metadata: { turnbook?: { head: string } };
  source: string[];
  execution_count?: null;
  outputs?: JupyterOutput[];
}

interface JupyterOutput {
  output_type: "display_data";
  data: { "image/png": string; "text/plain": string };
  metadata: Record<string, never>;
}

const VERSION = { nbformat: 4, nbformat_minor: 5 } as const;
const LANGUAGE = {
  kernelspec: { name: "javascript", display_name: "JavaScript", language: "javascript" },
  language_info: { name: "javascript", file_extension: ".js", mimetype: "text/javascript" },
} as const;

/** The text of an .ipynb file. @param pictures by the ids of cells */
export function toJupyter({ title, cells }: Notebook, pictures: CellPictures = new Map()): string {
  const taken = new Set(typedCells(cells).map(({ id }) => id));
  let texts = 0;
  const textId = () => {
    do texts++;
    while (taken.has(`text-${texts}`));
    return `text-${texts}`;
  };
  const written = cells.map((cell) => {
    const id = isTyped(cell) ? cell.id : textId();
    return jupyterCell(cell, id, pictures.get(id) ?? []);
  });
  const metadata = { ...LANGUAGE, title };
  return JSON.stringify({ cells: written, metadata, ...VERSION }, null, 1) + "\n";
}

function jupyterCell(cell: Cell, id: string, pictures: readonly string[]): JupyterCell {
  if (!isTyped(cell)) {
    const { after, markdown } = cell;
    const metadata = after === undefined ? {} : { turnbook: { head: writeBetween(after) } };
    return { id, cell_type: "markdown", metadata, source: linesOf(markdown) };
  }
  const lines = serialiseNotebook({ cells: [cell] })
    .trimEnd()
    .split("\n");
  const source = kindOf(cell.type).isCode
    ? cell.body
    : lines.map((line) => `${REMARK}${line}`).join("\n");
  return {
    id,
    cell_type: "code",
    metadata: { turnbook: { head: lines[0]! } },
    execution_count: null,
    source: linesOf(source),
    outputs: pictures.map((picture) => ({
      output_type: "display_data",
      data: { "image/png": picture, "text/plain": `${cell.type} ${id}` },
      metadata: {},
    })),
  };
}

const REMARK = "// ";

/** As Jupyter stores text: each line with its end. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/);
}

/** The text of our notebook. @throws InputError if the file is not a Jupyter notebook of version 4 */
export function fromJupyter(text: string): string {
  const { cells, nbformat, metadata } = Object(jsonOrNothing(text)) as Record<string, unknown>;
  if (nbformat !== VERSION.nbformat || !Array.isArray(cells))
    throw new InputError(
      `the file is not a Jupyter notebook: its nbformat is ${show(nbformat)}; it must be 4, with a list of cells`,
    );
  // Jupyter keeps the last without a word.
  const twice = repeatedKey(text);
  if (twice !== null)
    throw new InputError(`the Jupyter notebook has the field ${show(twice)} twice in one object`);
  const language = languageOf(metadata);
  const room = { left: MAX_LENGTH - lengthWithoutPictures(cells) };
  const parts = cells.slice(0, MAX_CELLS + 1).map((cell) => readCell(cell, language, room));
  const written = parts.flatMap(({ text: own, isProse, after }, i) => {
    const part = isProse && i < parts.length - 1 ? closedCode(own) : own;
    const isApart = isProse && (parts[i - 1]?.isProse === true || after !== undefined);
    return isApart ? [writeBetween(after), part] : [part];
  });
  return written.join("\n\n") + "\n";
}

/** Maximum characters: the markup around the cells' texts is short. */
function lengthWithoutPictures(cells: readonly unknown[]): number {
  const lengths = cells.map((cell) => {
    const { source, outputs } = Object(cell) as Record<string, unknown>;
    const printed = outputsText(outputs, { left: 0 }, (text) => text);
    return jupyterText(source).length + printed.length + AROUND;
  });
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Characters between cells, with their fences. */
const AROUND = 100;

function languageOf(metadata: unknown): string {
  const { language_info: info } = Object(metadata) as { language_info?: unknown };
  const { name } = Object(info) as { name?: unknown };
  return typeof name === "string" && /^[\w+#-]{1,30}$/.test(name) ? name : "";
}

interface CellPart {
  text: string;
  isProse: boolean;
  /** Of prose: the question that it waits for. */
  after?: string | undefined;
}

function readCell(cell: unknown, language: string, room: PictureRoom): CellPart {
  const fields = Object(cell) as Record<string, unknown>;
  const { cell_type: kind, metadata } = fields;
  const text = jupyterText(fields["source"]);
  if (kind === "markdown")
    return {
      text: withAttachments(text, fields["attachments"], room),
      isProse: true,
      after: readBetween(headOf(metadata) ?? "") ?? undefined,
    };
  const own = kind === "code" ? ownCell(headOf(metadata), text) : null;
  if (own !== null) return { text: own, isProse: false };
  const code = fenced(kind === "code" ? language : "", text);
  const printed = outputsText(fields["outputs"], room, (output) => fenced("", output));
  return { text: printed === "" ? code : `${code}\n\n${printed}`, isProse: true };
}

function headOf(metadata: unknown): string | null {
  const { turnbook } = Object(metadata) as { turnbook?: unknown };
  const { head } = Object(turnbook) as { head?: unknown };
  return typeof head === "string" && head.length < LONGEST_HEAD ? head : null;
}

const LONGEST_HEAD = 1000;

/** The text of a cell of ours; null where somebody has made it another's. */
function ownCell(head: string | null, source: string): string | null {
  if (head === null) return null;
  const [cell, ...more] = parseNotebook(head).notebook.cells;
  if (!isTyped(cell) || more.length > 0) return null;
  if (kindOf(cell.type).isCode)
    return serialiseNotebook({ cells: [{ ...cell, body: source }] }).trimEnd();
  const lines = source.split("\n");
  const mark = REMARK.trimEnd();
  if (!lines.every((line) => line.startsWith(mark))) return null;
  return lines
    .map((line) => line.slice(line.startsWith(REMARK) ? REMARK.length : mark.length))
    .join("\n");
}

/** Code of another language, as prose shows it. */
function fenced(language: string, text: string): string {
  const longest = greatest([2, ...[...text.matchAll(/`{3,}/g)].map(([marks]) => marks.length)]);
  const marks = "`".repeat(longest + 1);
  return [marks + language, text.trimEnd(), marks].join("\n");
}

/** What prose shows of a data address (`app/proseLinks.ts`). */
const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Characters that pictures may still take in one notebook. */
interface PictureRoom {
  left: number;
}

/** Markdown with its attachments as data addresses; a sentence in place of a picture that cannot be kept. */
function withAttachments(text: string, attachments: unknown, room: PictureRoom): string {
  if (!isRecord(attachments)) return text;
  return text.replace(
    /!\[([^\]]*)\]\(attachment:([^)\s]+)\s*\)/g,
    (_, words: string, name: string) =>
      pictureText(words, named(attachments, name), decoded(name), room),
  );
}

/** What code of another program printed and drew, as Markdown; empty where there is nothing. */
function outputsText(
  outputs: unknown,
  room: PictureRoom,
  fenced: (text: string) => string,
): string {
  const parts = (Array.isArray(outputs) ? outputs : []).map((output: unknown) => {
    const { text, data, ename, evalue } = Object(output) as Record<string, unknown>;
    const said =
      jupyterText(text) ||
      jupyterText(Object(data)["text/plain"]) ||
      jupyterText([ename, ": ", evalue]);
    if (isRecord(data) && Object.keys(data).some((type) => type.startsWith("image/")))
      return pictureText("output", data, "of the output", room);
    return /^[\s:]*$/.test(said) ? "" : fenced(said);
  });
  return parts.filter((part) => part !== "").join("\n\n");
}

function pictureText(words: string, data: unknown, name: string, room: PictureRoom): string {
  const found = TYPES.map((type) => [type, jupyterText(Object(data)[type])] as const);
  const [type, written] = found.find(([, base64]) => base64 !== "") ?? ["", ""];
  const base64 = written.replace(/\s/g, "");
  if (!/^[\w+/]+=*$/.test(base64))
    return `*(The picture ${name} is left out: no PNG, JPEG, GIF or WebP.)*`;
  if (base64.length > room.left)
    return `*(The picture ${name} is left out: too large for a notebook.)*`;
  room.left -= base64.length;
  return `![${words}](data:${type};base64,${base64})`;
}

/** Jupyter stores text as one string, or as one a line; nothing else counts. */
function jupyterText(text: unknown): string {
  const lines = Array.isArray(text) ? text : [text];
  return lines.filter((line) => typeof line === "string").join("");
}

/** Names of attachments stand in addresses as they are, or percent-encoded. */
function named(attachments: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(attachments, name) ? attachments[name] : attachments[decoded(name)];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
