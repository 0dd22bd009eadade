/** Formulas as HTML, by KaTeX; loaded only if a formula is shown, since it is large. */
import katex from "katex";
import "katex/dist/katex.min.css";

/**
 * Maximum cached formulas; the oldest are dropped first. Moving the cursor back and forth reuses
 * them.
 */
const KEPT = 400;
const made = new Map<string, string>();

/**
 * HTML and MathML of a formula. Terms marked with \htmlData{term=...} become `data-term`; nothing
 * else that could reach outside of the formula is trusted.
 * @throws ParseError of KaTeX with the position of a mistake, or if it defines a command.
 */
export function renderTex(tex: string, display = true): string {
  const key = `${display} ${tex}`;
  const html = made.get(key) ?? render(tex, display);
  made.delete(key);
  made.set(key, html);
  if (made.size > KEPT) made.delete(made.keys().next().value!);
  return html;
}

/** Commands that define others: with them a short formula could expand to a huge one. */
const DEFINES =
  /\\(?:[egx]?def|let|futurelet|global|long|(?:re)?newcommand|providecommand)(?![A-Za-z])/;

function render(tex: string, displayMode: boolean): string {
  if (DEFINES.test(tex)) throw new katex.ParseError("A formula defines no commands");
  return katex.renderToString(tex, {
    displayMode,
    throwOnError: true,
    // In em: no formula may cover the page.
    maxSize: 20,
    maxExpand: 500,
    trust: (context) =>
      context.command === "\\htmlData" &&
      Object.keys(context.attributes).every((name) => name === "data-term"),
    // The one extension that is used, and only for the above.
    strict: (code: string) => (code === "htmlExtension" ? "ignore" : "error"),
  });
}
