/** The contents list: which lines of a notebook are its headings. */
import { expect, it } from "vitest";
import { cutAtHeadings, headingsOf } from "../../src/notebook/headings.ts";
import { topHeading, withoutTopHeading } from "../../src/notebook/topHeading.ts";
import { parseNotebook } from "../../src/notebook/document.ts";

it("lists headings of the second rank without their marks", () => {
  const text = [
    "# The title",
    "## One *turn* ##",
    "text",
    "````",
    "## code",
    "````",
    "### deeper",
    "##none",
    "## What `snake_case` [means](https://example.org)[^1]",
  ].join("\n");
  const { cells } = parseNotebook(text).notebook;
  expect(headingsOf(cells)).toEqual(["One turn", "What snake_case means"]);
});

it("takes inline code of three backticks for no fence, and a remark in code for no title", () => {
  const text = "```inline``` code\n## One\n\n```sh\n# install\n## no step\n```\n# Title\n";
  expect(cutAtHeadings(text).map(({ heading }) => heading)).toEqual([null, "One"]);
  expect(topHeading(text)).toBe("Title");
  expect(withoutTopHeading(text)).toBe(text.replace("# Title\n", ""));
  expect(topHeading("```sh\n# install\n```")).toBeNull();
});
