/**
 * Markdown as HTML. Raw HTML in the text stays text, and dangerous link targets are dropped; images from other servers
 * are not fetched, since that would tell them who reads.
 */
import MarkdownIt from "markdown-it";
import { memo } from "react";
import { isOwnImage } from "./images.ts";
import { strings } from "./strings.ts";

const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: true });

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
    `<span class="remote-image note" data-testid="remote-image">${escapeHtml(strings.remoteImage)} ` +
    `<a href="${escapeHtml(source)}" rel="noopener noreferrer">${escapeHtml(source)}</a></span>`
  );
};

export const Prose = memo(function Prose({ markdown }: { markdown: string }) {
  return (
    <div className="prose" dangerouslySetInnerHTML={{ __html: markdownIt.render(markdown) }} />
  );
});
