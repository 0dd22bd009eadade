/** The whole page in a document without layout, in the words of Playwright's Page. */
import { vi } from "vitest";
import { Locator, pressKey, settle, typeText, waitUntil } from "./locator.ts";

/** The document, and what the reader does to it as a whole. */
export class DomPage {
  readonly #all = new Locator("page", () => [document.documentElement]);
  readonly keyboard = { press: pressKey, type: typeText };
  readonly locator = this.#all.locator.bind(this.#all);
  readonly getByTestId = this.#all.getByTestId.bind(this.#all);
  readonly getByText = this.#all.getByText.bind(this.#all);
  readonly getByRole = this.#all.getByRole.bind(this.#all);
  readonly getByLabel = this.#all.getByLabel.bind(this.#all);

  /** The file that `action` saves. */
  async download(action: () => Promise<void>): Promise<{ name: string; text(): Promise<string> }> {
    const saved = nextDownload();
    await action();
    return saved;
  }

  url(): string {
    return location.href;
  }

  async title(): Promise<string> {
    return document.title;
  }

  async evaluate<T, A>(body: (argument: A) => T, argument?: A): Promise<Awaited<T>> {
    return await body(argument as A);
  }

  async waitForURL(wanted: RegExp): Promise<void> {
    const isThere = () => wanted.test(location.href) || undefined;
    await waitUntil(() => `the address to be ${wanted}, not ${location.href}`, isThere);
    await settle();
  }

  async waitForTimeout(milliseconds: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    await settle();
  }

  async waitForFunction<A>(body: (argument: A) => unknown, argument?: A): Promise<void> {
    await waitUntil(
      () => String(body),
      () => (body(argument as A) ? true : undefined),
    );
    await settle();
  }
}

/** Part of a page by its test id. */
export const by = (page: DomPage, id: string): Locator => page.getByTestId(id);

/** The first experiment's settings, which are folded. */
export const openSettings = (page: DomPage): Promise<void> => by(page, "settings").first().click();

function nextDownload(): Promise<{ name: string; text(): Promise<string> }> {
  return new Promise((resolve) => {
    let blob: Blob | MediaSource;
    const creates = vi.spyOn(URL, "createObjectURL").mockImplementation((one) => {
      blob = one;
      return "blob:saved";
    });
    const clicks = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      creates.mockRestore();
      clicks.mockRestore();
      resolve({ name: this.download, text: () => (blob as Blob).text() });
    });
  });
}
