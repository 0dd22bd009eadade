/**
 * Markdown as HTML. Raw HTML in the text stays text, and links lead to the web, this site or mail alone; images from other servers
 * are not fetched, since that would show them who reads.
 */
import MarkdownIt from "markdown-it";
import { memo, useId, useMemo } from "react";
import { useTex } from "../ui/maths/Tex.tsx";
import { isOwnImage } from "./images.ts";
import { marginNotes, type NoteEnvironment } from "./marginNotes.ts";
import { allowedLinks } from "./proseLinks.ts";
import { proseMaths, type ProseMaths, type RenderTex } from "./proseMaths.ts";
import { proseTerms } from "./proseTerms.ts";
import { appWords } from "./strings.ts";

const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: true });
marginNotes(markdownIt);
allowedLinks(markdownIt);
proseMaths(markdownIt);
proseTerms(markdownIt);

// Wide tables scroll in a box of their own, so that the page never does; the box is reachable by keyboard.
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

/** HTML of prose, and how many formulas it has. `render`: null while KaTeX is not there. */
function proseHtml(markdown: string, prefix: string, render: RenderTex | null) {
  const maths: ProseMaths = { count: 0, characters: 0, render };
  const env: NoteEnvironment = { prefix, maths };
  return { html: markdownIt.render(markdown, env), formulas: maths.count };
}

export const ProseText = memo(function ProseText({ markdown }: { markdown: string }) {
  const prefix = useId().replaceAll(/\W/g, "");
  const { html, formulas } = useMemo(() => proseHtml(markdown, prefix, null), [markdown, prefix]);
  if (formulas === 0) return <Html html={html} />;
  return <WithFormulas markdown={markdown} prefix={prefix} waiting={html} />;
});

interface WithFormulasProps {
  markdown: string;
  prefix: string;
  /** Without the formulas. */
  waiting: string;
}

/** KaTeX is loaded for those texts alone. */
function WithFormulas({ markdown, prefix, waiting }: WithFormulasProps) {
  const render = useTex();
  const html = useMemo(
    () => (render ? proseHtml(markdown, prefix, render).html : waiting),
    [markdown, prefix, render, waiting],
  );
  return <Html html={html} />;
}

function Html({ html }: { html: string }) {
  return <div className="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}
