/**
 * Footnotes of Markdown as margin notes: `[^name]` in the text, `[^name]: the note` in its own
 * paragraph. On wide screens a note is beside its line; on others its mark opens it in the text. No
 * script is needed: the mark is the label of a checkbox.
 */
import type { MarkdownIt } from "markdown-it";
import type { ProseMaths, BlockRule, InlineRule } from "./proseMaths.ts";
import { appWords } from "./strings.ts";

const DEFINITION = /^\[\^([\w-]+)\]:\s+/;
const MARK = /^\[\^([\w-]+)\]/;

/** The state of one rendering: its notes, and a prefix that makes the ids of its checkboxes unique. */
export interface NoteEnvironment extends Record<PropertyKey, unknown> {
  prefix?: string;
  notes?: Map<string, string>;
  /** Formulas, see proseMaths.ts. */
  maths?: ProseMaths;
  /** Characters of notes drawn so far. */
  drawn?: number;
}

/** Over all notes of a text, each counted at each of its marks; further marks stay text. */
const MOST_DRAWN = 200_000;

export function marginNotes(markdownIt: MarkdownIt): void {
  markdownIt.block.ruler.before("reference", "margin-note", readDefinition, {
    alt: ["paragraph", "reference"],
  });
  markdownIt.inline.ruler.before("link", "margin-note", readMark);
  markdownIt.renderer.rules["margin_note"] = (tokens, i, _options, env) =>
    noteHtml(markdownIt, tokens[i]!.content, env ?? {});
}

/** A definition up to the next empty line; it is drawn at its mark. */
const readDefinition: BlockRule = (state, from, last, silent) => {
  const line = (n: number) => state.src.slice(state.bMarks[n]! + state.tShift[n]!, state.eMarks[n]);
  const found = DEFINITION.exec(line(from));
  if (!found) return false;
  if (silent) return true;
  let end = from + 1;
  while (end < last && !state.isEmpty(end)) end++;
  const [first, ...rest] = Array.from({ length: end - from }, (_, i) => line(from + i));
  const text = [first!.slice(found[0].length), ...rest].join(" ");
  const env: NoteEnvironment = state.env;
  (env.notes ??= new Map()).set(found[1]!, text);
  state.line = end;
  return true;
};

const notesOf = ({ notes }: NoteEnvironment) => notes;

/** The mark of a defined note; other marks stay text. */
const readMark: InlineRule = (state, silent) => {
  const found = MARK.exec(state.src.slice(state.pos));
  const name = found?.[1];
  if (name === undefined || !notesOf(state.env)?.has(name)) return false;
  if (!silent) state.push("margin_note", "", 0).content = name;
  state.pos += found![0].length;
  return true;
};

function noteHtml(markdownIt: MarkdownIt, name: string, env: NoteEnvironment): string {
  const id = `${env.prefix ?? ""}-note-${name}`;
  const note = env.notes!.get(name)!;
  env.drawn = (env.drawn ?? 0) + note.length;
  if (env.drawn > MOST_DRAWN) return `[^${name}]`;
  // Notes cannot be nested.
  const { prefix, maths } = env;
  const text = markdownIt.renderInline(note, { prefix, maths });
  return (
    `<input type="checkbox" class="margin-toggle" id="${id}">` +
    `<label class="margin-mark" for="${id}">${appWords.note}</label>` +
    `<span class="margin-note" role="note">${text}</span>`
  );
}
