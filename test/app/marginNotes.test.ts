/** Footnotes as margin notes. */
import MarkdownIt from "markdown-it";
import { expect, it } from "vitest";
import { marginNotes } from "../../src/app/marginNotes.ts";

const markdownIt = new MarkdownIt({ html: false });
marginNotes(markdownIt);
const html = (text: string) => markdownIt.render(text, { prefix: "cell" });

it("puts a note where its mark is, and nothing where it is defined", () => {
  const out = html("A puzzle.[^box] More.\n\n[^box]: **Rules.** Push,\nnever pull.\n\nNext.");
  expect(out).toContain(
    '<span class="margin-note" role="note"><strong>Rules.</strong> Push, never',
  );
  expect(out.indexOf("margin-note")).toBeLessThan(out.indexOf("More."));
  expect(out.match(/never pull/g)).toHaveLength(1);
  expect(out).toContain("<p>Next.</p>");
  const id = /input type="checkbox"[^>]* id="([^"]+)"/.exec(out)![1]!;
  expect(id.startsWith("cell")).toBe(true);
  expect(out).toContain(`for="${id}"`);
});

it("leaves a mark without a note, and a note without a mark, as plain text or nothing", () => {
  expect(html("A puzzle.[^none]")).toContain("[^none]");
  expect(html("[^unused]: Not seen.\n\nText.").trim()).toBe("<p>Text.</p>");
});

it("keeps raw HTML in a note as text, and a note in a note as its mark", () => {
  const out = html("A[^a] and B[^b].\n\n[^a]: <script>x</script> [^b]\n\n[^b]: Second.");
  expect(out).toContain("&lt;script&gt;");
  expect(out.match(/class="margin-note"/g)).toHaveLength(2);
});
