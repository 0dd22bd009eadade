/**
 * 1,000 mutated notebooks and 1,000 mutated links that hold one (4,000 each in the long form), opened as the page opens
 * them: never a throw, no code run, nothing of the reader's changed, each within two seconds of work.
 */
import MarkdownIt from "markdown-it";
import { bookAddressOf, bookHash } from "../../src/app/book/bookAddress.ts";
import { createLibrary } from "../../src/app/book/library.ts";
import { createBook, shelf, textAsShown, type OpenBook } from "../../src/app/book/openBook.ts";
import { opened } from "../../src/store/runQueue.ts";
import { marginNotes } from "../../src/app/marginNotes.ts";
import { allowedLinks } from "../../src/app/proseLinks.ts";
import { proseMaths } from "../../src/app/proseMaths.ts";
import { remarksOf } from "../../src/notebook/cellFields.ts";
import type { Cell } from "../../src/notebook/cell.ts";
import { MAX_LENGTH, parseNotebook, serialiseNotebook } from "../../src/notebook/document.ts";
import { cellTypes } from "../../src/notebook/cells/kinds.ts";
import { InputError } from "../../src/numeric/inputError.ts";
import { bookDraft } from "../../src/store/bookStore.ts";
import { codeConsent, forgetConsent, mayRun } from "../../src/store/codeConsent.ts";
import type { ExperimentHandle } from "../../src/store/hooks.ts";
import { receiveLink } from "../../src/store/links.ts";
import { rowOf, type Area } from "./area.ts";
import {
  floodedNotebooks,
  mutatedNotebook,
  mutatedTextLink,
  type Random,
} from "./notebookCases.ts";

/** Seconds of work for one; other processes' are not counted. */
const LIMIT = 2;

export const notebooks: Area = {
  name: "notebooks",
  run: async ({ full, random, say }) => {
    const numbers = Array.from({ length: full ? 4000 : 1000 }, (_, i) => i);
    const end = await asPage();
    const streams = ["notebooks", "notebook links", "floods"].map(random);
    const [ofTexts, ofLinks, ofFloods] = streams as [Random, Random, Random];
    const inTime = timed(say);
    const texts = () => inTime(mutatedNotebook(ofTexts), notebookFault);
    const links = () => inTime(mutatedTextLink(ofLinks), textLinkFault);
    const rows = [
      await rowOf("notebooks, mutated", numbers, texts),
      await rowOf("links that hold a notebook, mutated", numbers, links),
      await rowOf("floods, in every type of cell", floodedNotebooks(cellTypes, ofFloods), (text) =>
        inTime(text, notebookFault),
      ),
    ];
    end();
    return rows;
  },
};

type Attempt = (text: string) => Promise<string | null>;

/**
 * Each within the limit; says each that is slower than all before it, and where its time went. Other areas work in this process while
 * one waits, and their time counts too: so what is slow is tried a second time.
 */
function timed(
  say: (line: string) => void,
): (text: string, attempt: Attempt) => ReturnType<Attempt> {
  let slowest = 0.5;
  return async (text, attempt) => {
    let [wrong, seconds] = await measured(text, attempt);
    if (wrong === null && seconds > LIMIT) [wrong, seconds] = await measured(text, attempt);
    const stages = [...spent].map(([name, own]) => `${name} ${own.toFixed(1)}`).join(", ");
    const took = `took ${seconds.toFixed(1)} s (${stages})`;
    const beginning = JSON.stringify(text).slice(0, 300);
    if (seconds > slowest) say(`${took}: ${text.length} characters, ${beginning.slice(0, 80)}`);
    slowest = Math.max(slowest, seconds);
    const told = wrong ?? (seconds > LIMIT ? took : null);
    return told === null ? null : `${told}: ${beginning}`;
  };
}

async function measured(text: string, attempt: Attempt): Promise<[string | null, number]> {
  spent.clear();
  const before = cpuSeconds();
  const wrong = await attempt(text).catch((error: unknown) => `it threw ${String(error)}`);
  return [wrong, cpuSeconds() - before];
}

/** Seconds of work by stage, of the notebook at hand. */
const spent = new Map<string, number>();

async function stage<T>(name: string, work: () => T | Promise<T>): Promise<T> {
  const before = cpuSeconds();
  try {
    return await work();
  } finally {
    spent.set(name, (spent.get(name) ?? 0) + cpuSeconds() - before);
  }
}

/** Of this process, in all. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** What the reader has before anything hostile comes. */
const OWN = "# My own\n\n```experiment id=mine\npreset: nano\nseed: 7\n```\n";
let own = "";
/** Workers that were started: each would run code. */
let started = 0;

/** As much of a page as opening a notebook needs; no worker of it works. Returns what takes it away again. */
export async function asPage(): Promise<() => void> {
  const names = ["window", "Worker", "BroadcastChannel"] as const;
  const page = globalThis as Record<string, unknown>;
  const before = names.map((name) => page[name]);
  page["window"] = { addEventListener: () => {} };
  page["Worker"] = class {
    constructor() {
      started += 1;
    }
  };
  delete page["BroadcastChannel"];
  own = await createBook(OWN);
  return () => names.forEach((name, i) => (page[name] = before[i]));
}

/** Opens the text as a file of somebody else's. Null where all is as it must be. */
export async function notebookFault(text: string): Promise<string | null> {
  const hash = await stage("keep", () => createBook(text, true));
  const fault = await openedFault(hash);
  const address = bookAddressOf(hash);
  if (address.kind === "own") await shelf.drop(address.id);
  return fault ?? (await changedFault());
}

/** Opens a link; one that cannot be read is refused in a sentence. */
export async function textLinkFault(hash: string): Promise<string | null> {
  if (bookAddressOf(hash).kind !== "text") return changedFault();
  try {
    return (await openedFault(hash)) ?? (await changedFault());
  } catch (error) {
    if (!(error instanceof InputError)) return `it is refused by ${String(error)}`;
    return error.message.length > 300 ? `a long refusal: ${error.message.slice(0, 80)}` : null;
  }
}

async function openedFault(hash: string): Promise<string | null> {
  const book = await stage("open", () => createLibrary().open(bookAddressOf(hash)));
  await stage("code", () => book.code.refresh(!book.store.getState().isForeign));
  const cells = bookDraft(book.store.getState()).cells.map(({ cell }) => cell);
  const experiments = [...book.experiments.getState().map.values()];
  await stage("link", () => experiments.forEach(({ store }) => receiveLink(store, hash)));
  const faults = [
    codeFault(book),
    ...(await stage("begin", () => Promise.all(experiments.map(beginFault)))),
    await stage("write", () => textFault(book)),
    ...(await stage("cells", () => cells.map((cell) => cellFault(cell)))),
  ];
  const fault = faults.find((one) => one !== null) ?? null;
  opened.clear();
  forgetConsent();
  return fault;
}

/** Its code has not run, and would ask before. */
function codeFault({ store, code }: OpenBook): string | null {
  if (!store.getState().isForeign) return "it counts as the reader's own";
  const ran = Object.values(code.store.getState().views).some(({ output }) => output !== null);
  if (ran || started > 0) return "a worker was started";
  if ("polluted" in {} || "executed" in globalThis) return "something in it was taken for code";
  return null;
}

/** An experiment with code asks, and begins nothing where it may not. */
async function beginFault({ id, store, session }: ExperimentHandle): Promise<string | null> {
  const { definitions = [] } = store.getState().draft.spec;
  if (definitions.length === 0) return null;
  if (mayRun(definitions)) return `the code of ${id} may run without a question`;
  session.toggleRun();
  for (let i = 0; i < 100 && store.getState().problem === null; i++) {
    codeConsent.getState().asked?.answer(false);
    await Promise.resolve();
  }
  if (store.getState().problem === null) return `${id} does not say that it was refused`;
  return started > 0 || store.getState().runSpec ? `${id} has begun` : null;
}

/** What it writes it reads again as the same. */
function textFault(book: OpenBook): string | null {
  const once = textAsShown(book);
  // With the names that it gives cells it may be too long by a few letters; then its end is cut, with a remark.
  if (once.length > MAX_LENGTH) return null;
  const again = serialiseNotebook(parseNotebook(once).notebook);
  return once === again ? null : "what it writes is read as another notebook";
}

const markdownIt = new MarkdownIt({ html: false, linkify: false, typographer: true });
marginNotes(markdownIt);
allowedLinks(markdownIt);
proseMaths(markdownIt);

function cellFault(cell: Cell): string | null {
  // Experiments were read when they were opened.
  if (cell.type === "experiment") return null;
  if (cell.type !== "prose") {
    const odd = remarksOf(cell.type, cell.body).find(({ message }) => message.length > 1000);
    return odd ? `it remarks ${odd.message.slice(0, 100)}` : null;
  }
  const html = markdownIt.render(cell.markdown, {
    prefix: "p",
    maths: { count: 0, characters: 0, render: null },
  });
  const bad =
    /<(script|iframe|object|svg|style|base|form)\b|<[^>]* on\w+=|href="(?!https?:|mailto:)[a-z][a-z0-9+.-]*:/i;
  return bad.test(html) ? `its prose becomes ${bad.exec(html)![0]}` : null;
}

/** What the reader keeps is as it was. */
async function changedFault(): Promise<string | null> {
  const kept = await shelf.list();
  const mine = kept.find(({ id }) => bookHash({ kind: "own", id }) === own);
  return kept.length === 1 && mine?.text === OWN ? null : "the reader's own notebook is another";
}
