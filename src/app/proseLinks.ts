/** Which addresses prose may link to: the web, this site, this page, and mail. Everything else stays text. */
import type { MarkdownIt } from "markdown-it";

const SCHEME = /^\s*([a-z][a-z0-9+.-]*):/i;
const ALLOWED = ["http", "https", "mailto"];
/** Pictures may be embedded in the text; links may not lead to such data. */
const PICTURE = /^data:image\/(gif|png|jpeg|webp);/i;

type CoreRule = Parameters<MarkdownIt["core"]["ruler"]["push"]>[1];
type Token = Parameters<CoreRule>[0]["tokens"][number];

export function allowedLinks(markdownIt: MarkdownIt): void {
  markdownIt.validateLink = (address) => isAllowed(address) || PICTURE.test(address.trim());
  markdownIt.core.ruler.after("inline", "allowed-links", ({ tokens, Token: Made }) => {
    for (const { children } of tokens)
      if (children) asText(children, () => new Made("text", "", 0));
  });
}

function isAllowed(address: string): boolean {
  const scheme = SCHEME.exec(address)?.[1];
  return scheme === undefined || ALLOWED.includes(scheme.toLowerCase());
}

/** Links to embedded pictures: their text, then the beginning of the address. */
function asText(tokens: Token[], made: () => Token): void {
  let refused: string | null = null;
  tokens.forEach((token, i) => {
    const address = token.type === "link_open" ? String(token.attrGet("href")) : null;
    if (address !== null && !isAllowed(address)) refused = address;
    else if (token.type !== "link_close" || refused === null) return;
    const isEnd = token.type === "link_close";
    tokens[i] = Object.assign(made(), {
      content: isEnd ? `](${refused!.slice(0, SHOWN)}…)` : "[",
    });
    if (isEnd) refused = null;
  });
}

/** Maximum characters of an address that are shown. */
const SHOWN = 30;
