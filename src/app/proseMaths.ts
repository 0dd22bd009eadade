/**
 * Formulas in prose: `$x^2$` inline, `$$...$$` on its own line. As in Pandoc, an inline formula
 * begins and ends directly at its signs, and no digit follows: `$5 and $6` is text. Text that is
 * too long for a formula stays text, too.
 */
import type { MarkdownIt } from "markdown-it";

/** Maximum characters of one formula. */
const LONGEST_FORMULA = 2000;
/** A number of formulas and their total characters. */
interface FormulaRoom {
  count: number;
  characters: number;
}

/** Limit per cell: KaTeX may take 60 ms for each thousand characters. Further formulas are shown as source. */
const MOST_OF_CELL: FormulaRoom = { count: 200, characters: 10_000 };
/** Limit over all cells of a notebook that are on the page. */
const MOST_OF_NOTEBOOK: FormulaRoom = { count: 1000, characters: 30_000 };

/** Each cell's part of the notebook's formula limit; cells that are drawn first take first. */
export class FormulaShares {
  readonly #taken = new Map<string, FormulaRoom>();

  /** @param cell a name that identifies it. */
  roomFor(cell: string): FormulaRoom {
    const room = { ...MOST_OF_NOTEBOOK };
    for (const [other, { count, characters }] of this.#taken) {
      if (other === cell) continue;
      room.count -= count;
      room.characters -= characters;
    }
    return {
      count: Math.min(MOST_OF_CELL.count, room.count),
      characters: Math.min(MOST_OF_CELL.characters, room.characters),
    };
  }

  /** @param maths of a finished rendering. */
  take(cell: string, { count, characters, room = MOST_OF_CELL }: ProseMaths): void {
    this.#taken.set(cell, {
      count: Math.min(count, room.count),
      characters: Math.min(characters, room.characters),
    });
  }

  giveBack(cell: string): void {
    this.#taken.delete(cell);
  }
}

/** HTML of a formula; it may throw. */
type RenderTex = (tex: string, display: boolean) => string;

/** The formula state of one rendering: those met so far, and their characters. */
export interface ProseMaths extends FormulaRoom {
  /** null: KaTeX is loading, and the formulas stay empty except for screen readers. */
  render: RenderTex | null;
  /** Default: the limit of a cell. */
  room?: FormulaRoom;
}

interface Formulas {
  maths?: ProseMaths;
}

export function proseMaths(markdownIt: MarkdownIt): void {
  const { block, inline, renderer, utils } = markdownIt;
  block.ruler.before("fence", "maths", readBlock, {
    alt: ["paragraph", "reference", "blockquote"],
  });
  inline.ruler.after("escape", "maths", readInline);
  renderer.rules["maths"] = (tokens, i, _options, env) => {
    const { content, block: isBlock, markup } = tokens[i]!;
    const html = formulaHtml(
      content,
      markup === "$$",
      (env as Formulas | undefined)?.maths,
      utils.escapeHtml,
    );
    // A wide one scrolls in its own box, also by keyboard.
    return isBlock
      ? `<div class="prose-maths" tabindex="0" role="group" aria-label="Formula">${html}</div>\n`
      : html;
  };
}

function formulaHtml(
  tex: string,
  display: boolean,
  maths: ProseMaths | undefined,
  escape: (text: string) => string,
): string {
  const source = `<code class="tex-source">${escape(tex)}</code>`;
  if (!maths) return source;
  const { room = MOST_OF_CELL } = maths;
  maths.characters += tex.length;
  if (++maths.count > room.count || maths.characters > room.characters) return source;
  if (!maths.render) return `<span class="visually-hidden maths-waiting">${escape(tex)}</span>`;
  try {
    return maths.render(tex, display);
  } catch {
    // KaTeX cannot parse it: the source is shown to its author.
    return source;
  }
}

export type BlockRule = Parameters<MarkdownIt["block"]["ruler"]["push"]>[1];
export type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["push"]>[1];

/**
 * From a line that begins with the sign to one that ends with it, without an empty line between.
 */
const readBlock: BlockRule = (state, from, last, silent) => {
  const line = (n: number) => state.src.slice(state.bMarks[n]! + state.tShift[n]!, state.eMarks[n]);
  if (state.sCount[from]! - state.blkIndent >= 4 || !line(from).startsWith("$$")) return false;
  let text = line(from).slice(2);
  let end = from;
  while (!text.includes("$$")) {
    end++;
    if (end >= last || state.isEmpty(end) || state.sCount[end]! < state.blkIndent) return false;
    text += `\n${line(end)}`;
    if (text.length > LONGEST_FORMULA) return false;
  }
  const tex = text.trimEnd().slice(0, -2);
  if (text.indexOf("$$") !== tex.length || !isFormula(tex)) return false;
  if (silent) return true;
  Object.assign(state.push("maths", "", 0), { content: tex.trim(), markup: "$$", block: true });
  state.line = end + 1;
  return true;
};

const readInline: InlineRule = (state, silent) => {
  const { src, pos } = state;
  if (src[pos] !== "$") return false;
  const markup = src.startsWith("$$", pos) ? "$$" : "$";
  const from = pos + markup.length;
  const to = endOf(src.slice(from, Math.min(state.posMax, from + LONGEST_FORMULA + 2)), markup);
  const tex = src.slice(from, from + to);
  if (to < 0 || !isFormula(tex)) return false;
  if (markup === "$" && (/^\s|\s$/.test(tex) || /\d/.test(src[from + to + 1] ?? ""))) return false;
  if (!silent) Object.assign(state.push("maths", "", 0), { content: tex.trim(), markup });
  state.pos = from + to + markup.length;
  return true;
};

/** Position of the next sign, skipping those escaped by a backslash; -1 if there is none. */
function endOf(text: string, markup: string): number {
  let at = text.indexOf(markup);
  while (at > 0 && text[at - 1] === "\\") at = text.indexOf(markup, at + 1);
  return at;
}

function isFormula(tex: string): boolean {
  return tex.trim() !== "" && tex.length <= LONGEST_FORMULA;
}
