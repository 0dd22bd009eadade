/**
 * Formulas in prose: `$x^2$` in a line, `$$...$$` on a line of its own. As in Pandoc, a formula in a line begins and ends
 * right at its signs, and no digit follows: `$5 and $6` is text. What is too long for a formula is text, too.
 */
import type { MarkdownIt } from "markdown-it";

/** Characters of one formula. */
const LONGEST_FORMULA = 2000;
/** Some formulas and their characters together. */
interface FormulaRoom {
  count: number;
  characters: number;
}

/** Of one cell at most: KaTeX may take 60 ms for each thousand characters. What is beyond is shown as it is written. */
const MOST_OF_CELL: FormulaRoom = { count: 200, characters: 10_000 };
/** Of all cells of a notebook that are on the page. */
const MOST_OF_NOTEBOOK: FormulaRoom = { count: 1000, characters: 30_000 };

/** What each cell of a notebook takes of the room for formulas; those that are drawn first take first. */
export class FormulaShares {
  readonly #taken = new Map<string, FormulaRoom>();

  /** @param cell any name of it. */
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

  /** @param maths of a rendering that is over. */
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

/** What one rendering knows of formulas: those met so far, and their characters. */
export interface ProseMaths extends FormulaRoom {
  /** null: they are on their way, and their places stay empty but for screen readers. */
  render: RenderTex | null;
  /** As it is of a cell alone, where nothing is said. */
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
    // A wide one scrolls in its own box, by keyboard too.
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
  if (!maths.render) return `<span class="visually-hidden">${escape(tex)}</span>`;
  try {
    return maths.render(tex, display);
  } catch {
    // KaTeX cannot read it: its writer sees what was written.
    return source;
  }
}

export type BlockRule = Parameters<MarkdownIt["block"]["ruler"]["push"]>[1];
export type InlineRule = Parameters<MarkdownIt["inline"]["ruler"]["push"]>[1];

/** From a line that begins with the sign to one that ends with it, without an empty line between. */
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

/** Where the sign stands next, a sign behind a backslash being one of the formula's; -1 where it does not. */
function endOf(text: string, markup: string): number {
  let at = text.indexOf(markup);
  while (at > 0 && text[at - 1] === "\\") at = text.indexOf(markup, at + 1);
  return at;
}

function isFormula(tex: string): boolean {
  return tex.trim() !== "" && tex.length <= LONGEST_FORMULA;
}
