/**
 * Markdown as HTML. Raw HTML in the text stays text, and links lead only to the web, this site or
 * mail; images from other servers are not fetched, since that would reveal the reader.
 */
import MarkdownIt from "markdown-it";
import { memo, use, useEffect, useId, useMemo, useState } from "react";
import { useTex } from "../ui/maths/Tex.tsx";
import { BookContext } from "./book/useBook.ts";
import { marginNotes, type NoteEnvironment } from "./marginNotes.ts";
import { allowedLinks } from "./proseLinks.ts";
import { FormulaShares, proseMaths, type ProseMaths } from "./proseMaths.ts";
import { proseTerms } from "./proseTerms.ts";
import { appWords } from "./strings.ts";

const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: true });
marginNotes(markdownIt);
allowedLinks(markdownIt);
proseMaths(markdownIt);
proseTerms(markdownIt);

// Wide tables scroll in their own box, so that the page never does; the box is reachable by
// keyboard.
markdownIt.renderer.rules["table_open"] = () =>
  '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
markdownIt.renderer.rules["table_close"] = () => "</table></div>\n";

const image = markdownIt.renderer.rules["image"]!;
markdownIt.renderer.rules["image"] = (tokens, i, options, env, self) => {
  const source = String(tokens[i]!.attrGet("src"));
  if (isOwnImage(source, document.baseURI)) return image(tokens, i, options, env, self);
  const { escapeHtml } = markdownIt.utils;
  return (
    `<span class="remote-image note" data-testid="remote-image">${escapeHtml(appWords.remoteImage)} ` +
    `<a href="${escapeHtml(source)}" rel="noopener noreferrer">${escapeHtml(source)}</a></span>`
  );
};

const NOT_YET: ProseMaths = { count: 0, characters: 0, render: null };

/** HTML of prose, and its formulas. `maths`: the initial state of the rendering. */
function proseHtml(markdown: string, prefix: string, { ...maths }: ProseMaths) {
  const env: NoteEnvironment = { prefix, maths };
  return { html: markdownIt.render(markdown, env), maths };
}

/** For the open notebooks. */
const sharesOf = new WeakMap<object, FormulaShares>();

/** The formula limits of the text's notebook, shared by its cells. */
function useShares(): FormulaShares {
  const book = use(BookContext);
  const [own] = useState(() => new FormulaShares());
  if (!book) return own;
  const shares = sharesOf.get(book) ?? new FormulaShares();
  sharesOf.set(book, shares);
  return shares;
}

export const ProseText = memo(function ProseText({ markdown }: { markdown: string }) {
  const prefix = useId().replaceAll(/\W/g, "");
  const { html, maths } = useMemo(() => proseHtml(markdown, prefix, NOT_YET), [markdown, prefix]);
  if (maths.count === 0) return <Html html={html} />;
  return <WithFormulas markdown={markdown} prefix={prefix} waiting={html} />;
});

interface WithFormulasProps {
  markdown: string;
  prefix: string;
  /** HTML without the formulas. */
  waiting: string;
}

/** KaTeX is loaded only for these texts. */
function WithFormulas({ markdown, prefix, waiting }: WithFormulasProps) {
  const render = useTex();
  const shares = useShares();
  const html = useMemo(() => {
    if (!render) return waiting;
    const room = shares.roomFor(prefix);
    const drawn = proseHtml(markdown, prefix, { ...NOT_YET, render, room });
    shares.take(prefix, drawn.maths);
    return drawn.html;
  }, [markdown, prefix, render, shares, waiting]);
  useEffect(() => () => shares.giveBack(prefix), [shares, prefix]);
  return <Html html={html} />;
}

function Html({ html }: { html: string }) {
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** In the text itself, or from the page's own server; judged by the resolved address, not by its text. */
export function isOwnImage(source: string, page: string): boolean {
  let url: URL;
  try {
    url = new URL(source, page);
  } catch {
    return false;
  }
  return url.protocol === "data:" || url.origin === new URL(page).origin;
}
