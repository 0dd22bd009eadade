/** Markdown as HTML. Raw HTML in the text stays text, and dangerous link targets are dropped. */
import MarkdownIt from "markdown-it";
import { memo } from "react";

const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: true });

// Wide tables scroll in a box of their own, so that the page never does; the box is reachable by keyboard.
markdownIt.renderer.rules["table_open"] = () =>
  '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
markdownIt.renderer.rules["table_close"] = () => "</table></div>\n";

export const Prose = memo(function Prose({ markdown }: { markdown: string }) {
  return (
    <div className="prose" dangerouslySetInnerHTML={{ __html: markdownIt.render(markdown) }} />
  );
});
