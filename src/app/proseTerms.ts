/**
 * Terms of the glossary in prose: at its first use in a section, a term opens a card with its
 * meaning. A section begins at a heading or with the text. Never in headings, links, code and
 * formulas.
 */
import type { MarkdownIt } from "markdown-it";
import { glossaryWords } from "../spec/glossaryWords.ts";

/** The term's id by its word in lower case. */
const ids = new Map(
  Object.entries(glossaryWords).flatMap(([id, words]) =>
    words.map((word) => [word.toLowerCase(), id] as const),
  ),
);

/** The longest word first: "policy gradient" is not "policy". A plural is the same term. */
const WORD = new RegExp(
  `(?<![\\w-])(${[...ids.keys()].sort((a, b) => b.length - a.length).join("|")})(?:s|es)?(?![\\w-])`,
  "gi",
);

type Core = Parameters<MarkdownIt["core"]["ruler"]["push"]>[1];
type CoreState = Parameters<Core>[0];
type CoreToken = CoreState["tokens"][number];

export function proseTerms(markdownIt: MarkdownIt): void {
  markdownIt.core.ruler.push("terms", markTerms);
  markdownIt.renderer.rules["term"] = (tokens, i) => {
    const { content, info } = tokens[i]!;
    const text = markdownIt.utils.escapeHtml(content);
    return `<button type="button" class="term" data-term-id="${info}">${text}</button>`;
  };
}

const markTerms: Core = (state) => {
  const seen = new Set<string>();
  state.tokens.forEach((token, i) => {
    const isHeading = state.tokens[i - 1]?.type === "heading_open";
    if (isHeading) seen.clear();
    else if (token.type === "inline" && token.children)
      token.children = withTerms(state, token.children, seen);
  });
};

function withTerms(
  state: CoreState,
  children: readonly CoreToken[],
  seen: Set<string>,
): CoreToken[] {
  let links = 0;
  return children.flatMap((child) => {
    if (child.type === "link_open") links++;
    if (child.type === "link_close") links--;
    return child.type === "text" && links === 0 ? cutAtTerms(state, child, seen) : [child];
  });
}

function cutAtTerms(state: CoreState, token: CoreToken, seen: Set<string>): CoreToken[] {
  const { content } = token;
  const made: CoreToken[] = [];
  let end = 0;
  const add = (type: string, text: string, info = "") => {
    if (text === "") return;
    const part = new state.Token(type, "", 0);
    made.push(Object.assign(part, { content: text, info, level: token.level }));
  };
  for (const found of content.matchAll(WORD)) {
    const id = ids.get(found[1]!.toLowerCase())!;
    if (seen.has(id)) continue;
    seen.add(id);
    add("text", content.slice(end, found.index));
    add("term", found[0], id);
    end = found.index + found[0].length;
  }
  add("text", content.slice(end));
  return end === 0 ? [token] : made;
}
