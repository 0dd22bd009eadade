/** The contents list: which lines of a notebook are its headings. */
import { expect, it } from "vitest";
import { headingsOf } from "../../src/notebook/headings.ts";
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
