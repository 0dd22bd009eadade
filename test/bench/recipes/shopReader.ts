/**
 * A shopper who sees what a model sees and no more: searches for the instruction's words, opens the product whose title and
 * price fit it best, chooses the options that it names and buys. It never opens a description, so it misses what is in no
 * title.
 */
import type { PageNode } from "../../../src/env/webshop/pageNodes.ts";
import type { Policy } from "../../../src/env/webshop/policies.ts";

/** Words that every instruction has. */
const FILLERS = new Set(
  "find me i need am looking for with and price lower than dollars a".split(" "),
);

const wordsOf = (text: string) => text.toLowerCase().match(/\d+\.\d\d|[\p{L}\p{N}]+/gu) ?? [];

export const reader: Policy = ({ page, nodes, goal: { instruction } }) => {
  if (page.kind === "search") return `search[${wantedOf(instruction).join(" ")}]`;
  if (page.kind === "results") return bestListed(nodes, instruction);
  const value = optionToChoose(nodes, instruction);
  return value === undefined ? "click[buy now]" : `click[${value}]`;
};

const wantedOf = (instruction: string) =>
  wordsOf(instruction).filter((word) => !FILLERS.has(word) && !/^\d/.test(word));

/** The listed product that shares most words with the instruction; a price within the limit counts as one of them. */
function bestListed(nodes: readonly PageNode[], instruction: string): string {
  const wanted = wantedOf(instruction);
  const limit = Number(/lower than (\d+\.\d\d)/.exec(instruction)?.[1] ?? Infinity);
  let [best, most] = ["back to search", -1];
  nodes.forEach((node, i) => {
    if (node.role !== "product") return;
    // A product is followed by its title and its price.
    const title = new Set(wordsOf(nodeText(nodes, i + 1)));
    const price = Number(/\$(\d+\.?\d*)/.exec(nodeText(nodes, i + 2))?.[1] ?? Infinity);
    const fit = wanted.filter((word) => title.has(word)).length + (price < limit ? 1 : 0);
    if (fit > most) [best, most] = [node.text.toLowerCase(), fit];
  });
  return `click[${best}]`;
}

function nodeText(nodes: readonly PageNode[], i: number): string {
  const node = nodes[i];
  return node?.role === "text" ? node.text : "";
}

/** A value of a group without a choice that the instruction names, as in "color: red". */
function optionToChoose(nodes: readonly PageNode[], instruction: string): string | undefined {
  const options = nodes.flatMap((node) => (node.role === "option" ? [node] : []));
  const done = new Set(options.flatMap(({ clicked, group }) => (clicked ? [group] : [])));
  const said = ` ${wordsOf(instruction).join(" ")} `;
  const isNamed = (words: string) => said.includes(` ${wordsOf(words).join(" ")} `);
  return options.find(({ group, text }) => !done.has(group) && isNamed(`${group} ${text}`))?.text;
}
