/**
 * Elements of a document without layout, found and used in the words of Playwright's Locator, so that a test of what a page says
 * and does reads the same here and in a browser. As there, what is used must be there once and is waited for.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { queryAllByLabelText, queryAllByRole } from "@testing-library/dom";
import { userEvent } from "@testing-library/user-event";
import { TIME_LIMIT } from "../timeLimit.ts";

/** Milliseconds between looks. */
const LOOK = 2;

/** Everything of user-event's: no pauses, and no styles to look through for each click. */
export const user = userEvent.setup({ delay: null, pointerEventsCheck: 0 });

type Found = HTMLElement & HTMLInputElement & HTMLSelectElement;
type State = "attached" | "detached" | "hidden" | "visible";
type Wanted = string | { value?: string; label?: string; index?: number };

/** As Playwright has it. */
const DISABLED = ":disabled, button[aria-disabled=true]";

/** A file as Playwright is given one. */
interface GivenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

interface Filter {
  hasText?: string | RegExp;
}

/** Resolves with the first answer of `look` that is not undefined. @throws Error naming what was waited for. */
export async function waitUntil<T>(what: () => string, look: () => T | undefined): Promise<T> {
  const end = performance.now() + TIME_LIMIT;
  for (;;) {
    const seen = look();
    if (seen !== undefined) return seen;
    if (performance.now() > end) throw new Error(`Waited ${TIME_LIMIT} ms for ${what()}.`);
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
}

/** Looks in a row that find nothing changed count as rest: where the processor was away, time alone says nothing. */
const RESTS = 10;
/** Looks in all: under a run, the page never rests. */
const LOOKS = 40;

/** Words whose renderer is still loading: on a busy machine a page rests before they are there. */
const WAITING = ".prose-waiting";

/** Resolves when neither the document nor the focus changes any more: what React has put off is done, words are written. */
export async function settle(): Promise<void> {
  const isWritten = () => document.querySelector(WAITING) === null || undefined;
  await waitUntil(() => `words to be written, not ${WAITING}`, isWritten);
  let rests = 0;
  const again = () => void (rests = 0);
  const observer = new MutationObserver(again);
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  observer.observe(document.documentElement, all);
  document.addEventListener("focusin", again);
  for (let looks = 0; looks < LOOKS && rests < RESTS; looks++) {
    rests++;
    await new Promise((resolve) => setTimeout(resolve, LOOK));
  }
  observer.disconnect();
  document.removeEventListener("focusin", again);
}

export class Locator {
  readonly #what: string;
  readonly #find: () => Element[];

  /** `what` names the elements in messages. */
  constructor(what: string, find: () => Element[]) {
    this.#what = what;
    this.#find = find;
  }

  #within(what: string, find: (inside: HTMLElement) => Element[]): Locator {
    const all = () => new Set(this.#find().flatMap((one) => find(one as HTMLElement)));
    return new Locator(`${this.#what} ${what}`, () => inOrder([...all()]));
  }

  locator(selector: string, { hasText }: Filter = {}): Locator {
    if (selector === "xpath=.." || selector === "..")
      return this.#within("parent", (one) => [one.parentElement!]);
    const found = this.#within(selector, (one) => [...one.querySelectorAll(selector)]);
    return hasText === undefined ? found : found.filter({ hasText });
  }

  getByTestId(id: string): Locator {
    return this.locator(`[data-testid="${id}"]`);
  }

  /** The innermost elements with that text. */
  getByText(text: string | RegExp, { exact = false } = {}): Locator {
    const says = matcher(text, exact);
    return this.#within(`text ${text}`, (one) => innermost(one, says));
  }

  getByRole(
    role: string,
    { name, exact = false }: { name?: string | RegExp; exact?: boolean } = {},
  ) {
    const options = { hidden: true, ...(name !== undefined && { name: matcher(name, exact) }) };
    return this.#within(`${role} ${name ?? ""}`, (one) =>
      queryAllByRole(one, role, options).filter(isShown),
    );
  }

  getByLabel(text: string): Locator {
    return this.#within(`label ${text}`, (one) =>
      queryAllByLabelText(one, matcher(text, false) as never),
    );
  }

  filter({ hasText }: Required<Filter>): Locator {
    const says = matcher(hasText, false);
    const find = () => this.#find().filter((one) => says(textOf(one)));
    return new Locator(`${this.#what} with ${hasText}`, find);
  }

  and(other: Locator): Locator {
    const find = () => {
      const others = new Set(other.#find());
      return this.#find().filter((one) => others.has(one));
    };
    return new Locator(`${this.#what} that is ${other.#what}`, find);
  }

  nth(index: number): Locator {
    return new Locator(`${this.#what} ${index}`, () => this.#find().slice(index).slice(0, 1));
  }

  first(): Locator {
    return this.nth(0);
  }

  last(): Locator {
    return new Locator(`last ${this.#what}`, () => this.#find().slice(-1));
  }

  async all(): Promise<Locator[]> {
    return this.#find().map((_, i) => this.nth(i));
  }

  async count(): Promise<number> {
    return this.#find().length;
  }

  async allTextContents(): Promise<string[]> {
    return this.#find().map((one) => one.textContent);
  }

  async evaluateAll<T>(body: (all: Element[]) => T): Promise<Awaited<T>> {
    return await body(this.#find());
  }

  async evaluate<T>(body: (one: Element) => T): Promise<Awaited<T>> {
    return await body(await this.#one());
  }

  /** The only one. @throws Error where there are several, or none for too long. */
  async #one(passes: (one: Element) => boolean = () => true): Promise<Found> {
    return waitUntil(
      () => this.#what,
      () => {
        const found = this.#find();
        if (found.length > 1) throw new Error(`${found.length} elements are ${this.#what}.`);
        return found.filter(passes)[0] as Found | undefined;
      },
    );
  }

  /** The only one, once it can be used and the page is at rest: an element that is redrawn in the meantime would lose the action. */
  async #usable(): Promise<Found> {
    await settle();
    return this.#one((one) => isShown(one) && !one.matches(DISABLED));
  }

  async textContent(): Promise<string | null> {
    return (await this.#one()).textContent;
  }

  async innerHTML(): Promise<string> {
    return (await this.#one()).innerHTML;
  }

  async getAttribute(name: string): Promise<string | null> {
    return (await this.#one()).getAttribute(name);
  }

  async inputValue(): Promise<string> {
    return (await this.#one()).value;
  }

  async isDisabled(): Promise<boolean> {
    return (await this.#one()).matches(DISABLED);
  }

  async isChecked(): Promise<boolean> {
    return (await this.#one()).checked;
  }

  async isVisible(): Promise<boolean> {
    return this.#find().some(isShown);
  }

  async waitFor({ state = "visible" }: { state?: State } = {}): Promise<void> {
    if (state === "attached") await this.#one();
    else if (state === "visible") await this.#one(isShown);
    else
      await waitUntil(
        () => `${this.#what} to be ${state}`,
        () => {
          const rest = this.#find().filter((one) => state === "detached" || isShown(one));
          return rest.length === 0 || undefined;
        },
      );
    await settle();
  }

  /** Once the page is at rest: the keys that follow would be lost with an element that is redrawn. */
  async focus(): Promise<void> {
    await settle();
    (await this.#one()).focus();
    await settle();
  }

  async click(): Promise<void> {
    await user.click(await this.#usable());
    await settle();
  }

  async dblclick(): Promise<void> {
    await user.dblClick(await this.#usable());
    await settle();
  }

  async hover(): Promise<void> {
    await user.hover(await this.#usable());
    await settle();
  }

  async press(key: string): Promise<void> {
    (await this.#usable()).focus();
    await pressKey(key);
  }

  async check(): Promise<void> {
    await this.#setChecked(true);
  }

  async uncheck(): Promise<void> {
    await this.#setChecked(false);
  }

  async #setChecked(checked: boolean): Promise<void> {
    const box = await this.#usable();
    if (box.checked !== checked) await user.click(box);
    await waitUntil(
      () => `${this.#what} to be ${checked}`,
      () => box.checked === checked || undefined,
    );
    await settle();
  }

  async fill(value: string): Promise<void> {
    const field = await this.#usable();
    field.focus();
    enter(field, value);
    await settle();
  }

  async selectOption(wanted: Wanted): Promise<void> {
    const select = await this.#usable();
    const option = await waitUntil(
      () => `option ${JSON.stringify(wanted)} of ${this.#what}`,
      () => [...select.options].find((one, i) => isWanted(one, i, wanted)),
    );
    await user.selectOptions(select, option);
    await settle();
  }

  /** Files of the disk by their paths, or made of their bytes. */
  async setInputFiles(chosen: string | readonly (string | File | GivenFile)[]): Promise<void> {
    const files = [chosen].flat().map((one) => fileOf(one as string));
    const input = await this.#one();
    Object.defineProperty(input, "files", { value: files, configurable: true });
    input.dispatchEvent(new Event("change", { bubbles: true }));
    await settle();
  }

  async scrollIntoViewIfNeeded(): Promise<void> {
    await this.#one();
  }
}

function fileOf(given: string | File | GivenFile): File {
  if (given instanceof File) return given;
  if (typeof given === "string") return new File([readFileSync(given)], basename(given));
  return new File([given.buffer as BlobPart], given.name, { type: given.mimeType });
}

function isWanted(option: HTMLOptionElement, at: number, wanted: Wanted): boolean {
  if (typeof wanted === "string") return option.value === wanted || option.text === wanted;
  const { value = option.value, label = option.text, index = at } = wanted;
  return option.value === value && option.text === label && at === index;
}

/** A key as Playwright names it, such as `Shift+E`, where the focus is. */
export async function pressKey(key: string): Promise<void> {
  const at = document.activeElement ?? document.body;
  if (key === "Tab") await user.tab();
  else if ((key === "Enter" || key === "Space") && at.matches("summary")) await user.click(at);
  else if (at.matches("select") && SELECT_KEYS[key]) await moveSelect(at as HTMLSelectElement, key);
  else if (at.matches("[type=range]") && RANGE_ENDS[key]) moveRange(at as HTMLInputElement, key);
  else await user.keyboard(typed(key));
  await settle();
}

/** Letters, where the focus is. */
export async function typeText(text: string): Promise<void> {
  await user.keyboard(text.replace(/[[{]/g, "$&$&"));
  await settle();
}

/** Where a key of a closed list leads, from an option, where the last one is given. */
const SELECT_KEYS: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => Math.min(at + 1, last),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
};

/** What a browser does of its own where the page leaves the key to it. */
async function moveSelect(select: HTMLSelectElement, key: string): Promise<void> {
  const down = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  const to = SELECT_KEYS[key]!(select.selectedIndex, select.options.length - 1);
  if (select.dispatchEvent(down)) await user.selectOptions(select, select.options[to]!);
}

/** Which end of a slider a key leads to. */
const RANGE_ENDS: Record<string, "min" | "max"> = { Home: "min", End: "max" };

function moveRange(slider: HTMLInputElement, key: string): void {
  const down = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
  if (slider.dispatchEvent(down)) enter(slider, slider[RANGE_ENDS[key]!]);
}

/** Sets a field's value as a reader does. */
function enter(field: HTMLInputElement, value: string): void {
  // React watches the property of this very element.
  const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), "value")!;
  set!.call(field, value);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** In user-event's words. */
function typed(key: string): string {
  const [, held = "", plain = ""] = /^((?:(?:Shift|Control|Alt)\+)*)(.+)$/.exec(key)!;
  const one = plain === "Space" ? " " : plain.length > 1 ? `{${plain}}` : plain;
  const escaped = one === "[" || one === "{" ? one.repeat(2) : one;
  const modifiers = held.split("+").filter((name) => name !== "");
  const down = modifiers.map((name) => `{${name}>}`).join("");
  const up = modifiers.map((name) => `{/${name}}`).join("");
  return down + escaped + up;
}

/** Whether it would be drawn, as far as that can be said without styles. */
export function isShown(element: Element): boolean {
  if (!element.isConnected || element.closest("[hidden]")) return false;
  const closed = element.closest("details:not([open])");
  return closed === null || isShownSummary(element, closed);
}

function isShownSummary(element: Element, closed: Element): boolean {
  const inSummary = element.closest("summary")?.parentElement === closed || element === closed;
  return inSummary && (closed.parentElement === null || isShown(closed.parentElement));
}

const textOf = (element: Element) => element.textContent.replace(/\s+/g, " ").trim();

function matcher(wanted: string | RegExp, exact: boolean): (text: string) => boolean {
  if (wanted instanceof RegExp) return (text) => wanted.test(text);
  if (exact) return (text) => text.trim() === wanted;
  const small = wanted.replace(/\s+/g, " ").trim().toLowerCase();
  return (text) => text.replace(/\s+/g, " ").toLowerCase().includes(small);
}

/** Those with that text of which no child has it, the element itself among them. */
function innermost(inside: Element, says: (text: string) => boolean): Element[] {
  const inner = [...inside.querySelectorAll(":not(script, style)")];
  const all = [inside, ...inner].filter((one) => says(textOf(one)));
  const around = new Set(all.map((one) => one.parentElement));
  return all.filter((one) => !around.has(one as HTMLElement));
}

/** As in the document. */
function inOrder(elements: Element[]): Element[] {
  const isBefore = (a: Element, b: Element) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING;
  return elements.sort((a, b) => (a === b ? 0 : isBefore(a, b) ? -1 : 1));
}
