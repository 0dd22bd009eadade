/** A notebook's own link, which holds all of it: copied, with the numbers of a run if one has finished; and the HTML of a frame. */
import { badgeMarkdown, LONGEST_LINK, notebookToWord } from "../../notebook/sharedText.ts";
import { encodePlace } from "../../spec/link.ts";
import { promiseOf } from "../../store/links.ts";
import { copyText } from "../../ui/clipboard.ts";
import { copyMade } from "../copyLink.ts";
import { bookHash, experimentInAddress } from "./bookAddress.ts";
import { textAsShown, type OpenBook } from "./openBook.ts";
import { words } from "./words.ts";

/** The address, with the claims of the page's current run; if that has none, of the first run that has. */
function bookLinkOf(book: OpenBook, curves = false): string {
  const promised = promiseIn(book, curves);
  const specs = new Map(promised ? [[promised.id, promised.spec]] : []);
  const head = bookHash({ kind: "text", word: notebookToWord(textAsShown(book, specs)) });
  const hash = promised ? encodePlace(`${head}/${promised.id}`, promised.numbers) : head;
  return new URL(hash, location.href).href;
}

function promiseIn({ experiments }: OpenBook, curves: boolean) {
  const { map } = experiments.getState();
  const ids = [experimentInAddress(location.hash) ?? "", ...map.keys()];
  for (const id of ids) {
    const state = map.get(id)?.store.getState();
    const promise = state && promiseOf(state, { curves });
    if (promise) return { id, ...promise };
  }
  return null;
}

/** Also shows the link beside the run, with a picture of it if there is one. @returns the message for the notebook's bar. */
export async function copyBookLink(book: OpenBook): Promise<string> {
  const { length } = bookLinkOf(book);
  if (length > LONGEST_LINK) return words.linkTooLong(length, LONGEST_LINK);
  const hasRun = promiseIn(book, true) !== null;
  const copied = await copyMade((curves) => bookLinkOf(book, curves), hasRun ? false : null);
  return copied ? words.linkCopied(length) : words.linkNotCopied;
}

/** HTML that shows one cell of the notebook in another page. */
function embedCodeOf(book: OpenBook, cell: string): string {
  const link = new URL(bookLinkOf(book));
  const page = link.pathname.replace(/[^/]*$/, "embed.html");
  const address = `${link.origin}${page}?embed=cell-${cell}${link.hash}`;
  const { title } = book.store.getState();
  return `<iframe sandbox="allow-scripts" src="${escaped(address)}" title="${escaped(`${title}: ${cell}`)}" width="100%" height="480" loading="lazy"></iframe>`;
}

/** Markdown for a README. @returns the message for the notebook's bar. */
export async function copyBadge(book: OpenBook): Promise<string> {
  const link = new URL(bookLinkOf(book));
  if (link.href.length > LONGEST_LINK) return words.badgeTooLong(link.href.length, LONGEST_LINK);
  const copied = await copyText(badgeMarkdown(link.href, link.hash));
  return copied ? words.badgeCopied : words.linkNotCopied;
}

function escaped(text: string): string {
  const named: Record<string, string> = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;" };
  return text.replaceAll(/[&"<>]/g, (sign) => named[sign]!);
}

/** @returns the message for the notebook's bar. */
export async function copyEmbedCode(book: OpenBook, cell: string): Promise<string> {
  const code = embedCodeOf(book, cell);
  if (code.length > LONGEST_LINK) return words.linkTooLong(code.length, LONGEST_LINK);
  return (await copyText(code)) ? words.embedCopied : words.linkNotCopied;
}
