/** Renders a page in WebShop's two text modes. */
import type { PageNode } from "./pageNodes.ts";
import { strip } from "./pythonText.ts";

export const OBSERVATION_MODES = ["text", "text_rich"] as const;
export type ObservationMode = (typeof OBSERVATION_MODES)[number];

export function renderPage(nodes: readonly PageNode[], mode: ObservationMode): string {
  const visible: VisibleNode[] = [];
  for (const node of nodes) {
    if (node.role === "searchBar") continue;
    const text = htmlText(node.text);
    if (text !== "") visible.push(text === node.text ? node : { ...node, text });
  }
  return mode === "text" ? plainText(visible) : richText(visible);
}

type VisibleNode = Exclude<PageNode, { role: "searchBar" }>;

/**
 * What a browser's parser keeps of white space: nothing if it contains a line break, else one
 * space.
 */
function htmlText(text: string): string {
  if (/[^ \n\t\f\r]/.test(text)) return text;
  return text === "" || text.includes("\n") ? "" : " ";
}

/** Between the strings of a page as plain text. */
export const SEPARATOR = " [SEP] ";

/** Strings joined by SEPARATOR. Choosing an option leaves it unchanged. */
function plainText(nodes: readonly VisibleNode[]): string {
  return nodes.map(({ text }) => strip(text)).join(SEPARATOR);
}

/** One string per line, marking what can be clicked and what has been. */
function richText(nodes: readonly VisibleNode[]): string {
  const chosen = nodes.filter((node) => node.role === "option" && node.clicked);
  const notes = chosen.reverse().map(({ text }) => `You have clicked ${text}.\n`);
  return notes.join("") + nodes.map((node) => `${richLine(node)}\n`).join("");
}

function richLine(node: VisibleNode): string {
  if (node.role === "text") return node.text;
  const mark = node.role !== "button" && node.clicked ? "clicked button" : "button";
  const marked = `[${mark}] ${node.text} [${mark}_]`;
  if (node.role === "button") return marked;
  return node.role === "option" ? `  ${marked}` : `\n${marked}`;
}
