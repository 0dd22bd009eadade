/**
 * Markdown as HTML. Raw HTML in the text stays text, and dangerous link targets are dropped; images from other servers
 * are not fetched, since that would show them who reads.
 */
import MarkdownIt from "markdown-it";
import { memo, useId } from "react";
import { isOwnImage } from "./images.ts";
import { marginNotes, type NoteEnvironment } from "./marginNotes.ts";
import { appWords } from "./strings.ts";

const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: true });
marginNotes(markdownIt);

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

export const ProseText = memo(function ProseText({ markdown }: { markdown: string }) {
  const env: NoteEnvironment = { prefix: useId().replaceAll(/\W/g, "") };
  return (
    <div className="prose" dangerouslySetInnerHTML={{ __html: markdownIt.render(markdown, env) }} />
  );
});
