// @vitest-environment happy-dom
/** A link to another site's notebook fetches nothing before the reader says so, and a copy that is kept here is offered. */
import "fake-indexeddb/auto";
import { afterEach, expect, it, vi } from "vitest";
import { createBook, shelf } from "../../src/app/book/openBook.ts";
import { bookAddressOf, bookHash } from "../../src/app/book/bookAddress.ts";
import { notebookToWord } from "../../src/notebook/sharedText.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

const CODE = "# Sent along\n\n```code id=sum\n1 + 1\n```\n";

/** The site's own files as before; those of the other site as given. Returns what was asked of it. */
function serveOther(answers: (() => Response)[]): string[] {
  const own = globalThis.fetch;
  const asked: string[] = [];
  vi.stubGlobal("fetch", (address: string | URL, options?: RequestInit) => {
    const url = new URL(address);
    if (url.host !== "other.example") return own(address, options);
    asked.push(url.href);
    return Promise.resolve((answers.shift() ?? (() => new Response("", { status: 404 })))());
  });
  return asked;
}

const sent = () => new Response(CODE, { headers: { "content-type": "text/markdown" } });

afterEach(async () => {
  for (const { id } of await shelf.list()) await shelf.drop(id);
});

it("asks first, says what went wrong, tries again, and opens it as somebody else's", async () => {
  const { page, errors, close } = await openApp("#url=https://other.example/a.md");
  const asked = serveOther([() => new Response("", { status: 503 }), sent]);
  await by(page, "fetch-notebook").waitFor();
  expect(await by(page, "remote-address").textContent()).toBe("https://other.example/a.md");
  expect(asked).toEqual([]);
  await by(page, "fetch-notebook").click();
  await by(page, "remote-problem").getByText("other.example answered with error 503").waitFor();
  await by(page, "fetch-notebook").getByText("Try again").click();
  await by(page, "code-ask").first().waitFor();
  expect(await page.title()).toContain("Sent along");
  expect(asked).toHaveLength(2);
  expect(await shelf.list()).toEqual([]);
  expect(errors).toEqual([]);
  await close();
});

it("says why an address is not opened, without a button that fetches it", async () => {
  const { page, close } = await openApp("#url=http://other.example/a.md");
  const asked = serveOther([]);
  await by(page, "remote-problem").getByText("only https addresses are").waitFor();
  expect(await by(page, "fetch-notebook").count()).toBe(0);
  expect(asked).toEqual([]);
  await close();
});

it("offers the copy that the reader keeps of a notebook, and leaves it alone", async () => {
  const link = bookHash({ kind: "text", word: notebookToWord(CODE) });
  const own = await createBook(`${CODE}\nMine.\n`, true, bookAddressOf(link));
  const before = await shelf.list();
  const { page, close } = await openApp(link);
  await by(page, "local-version").waitFor();
  expect(await by(page, "open-local").getAttribute("href")).toBe(own);
  await by(page, "open-local").click();
  await by(page, "book-bar").waitFor();
  await page.getByText("Mine.").first().waitFor();
  expect(await shelf.list()).toEqual(before);
  await close();
});

it("offers a kept notebook of the same text, and nothing of another", async () => {
  const link = bookHash({ kind: "text", word: notebookToWord(CODE) });
  await createBook("# Another\n", false);
  const first = await openApp(link);
  await by(first.page, "code-ask").first().waitFor();
  expect(await by(first.page, "local-version").count()).toBe(0);
  await first.close();
  await createBook(CODE, true);
  const { page, close } = await openApp(link);
  await by(page, "local-version").waitFor();
  await close();
});
