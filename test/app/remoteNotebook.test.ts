/** Notebooks of other sites: what their addresses mean, and what is refused of what their servers send. */
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  bookAddressOf,
  bookHash,
  bookPart,
  experimentInAddress,
  type RemoteAddress,
} from "../../src/app/book/bookAddress.ts";
import { fetchNotebook, MOST_BYTES, remoteUrl } from "../../src/app/book/fetchNotebook.ts";
import { routeOf } from "../../src/app/route.ts";
import { InputError } from "../../src/numeric/inputError.ts";

const RAW = "https://raw.githubusercontent.com";

describe("the address of another site's notebook", () => {
  it.each([
    ["#url=https://example.org/a/b.turnbook.md", "https://example.org/a/b.turnbook.md"],
    ["#url=https://example.org/a?x=1&view=lens", "https://example.org/a?x=1&view=lens"],
    ["#gh:owner/repo/file.turnbook.md", `${RAW}/owner/repo/HEAD/file.turnbook.md`],
    ["#gh:owner/repo/a%20b/c.md", `${RAW}/owner/repo/HEAD/a%20b/c.md`],
    ["#gh:owner/repo@v1/a/b.md", `${RAW}/owner/repo/v1/a/b.md`],
    ["#GH:owner/repo/b.md", `${RAW}/owner/repo/HEAD/b.md`],
  ])("%s leads to %s, and stays it with an experiment and a place behind it", (hash, url) => {
    const address = bookAddressOf(hash) as RemoteAddress;
    expect(remoteUrl(address).href).toBe(url);
    expect(experimentInAddress(hash)).toBeNull();
    expect(routeOf(hash)).toBe("notebook");
    const home = `${bookHash(address)}/first`;
    expect(bookAddressOf(`${home}?view=lens&at=grpo,1,1,1`)).toEqual(address);
    expect(experimentInAddress(`${home}?view=lens`)).toBe("first");
    expect(routeOf(`${home}?at=grpo,1,1,1&view=lens`)).toBe("lens");
    expect(bookPart(home)).toBe(bookHash(address));
  });

  it.each([
    ["#url=http://example.org/a.md", /only https/],
    ["#url=javascript://alert(1)", /only https/],
    ["#url=file:///etc/passwd", /only https/],
    ["#url=https:///", /is not an address/],
    ["#url=https://me:secret@example.org/a.md", /user name or password/],
    ["#gh:owner/repo/../../x/a.md", /names no file of a repository/],
    ["#gh:o/r//a.md", /names no file of a repository/],
    ["#gh:owner%2Frepo", /names no file of a repository/],
  ])("%s is refused in a sentence", (hash, says) => {
    const address = bookAddressOf(hash) as RemoteAddress;
    expect(address.kind).toBe("remote");
    expect(() => remoteUrl(address)).toThrow(InputError);
    expect(() => remoteUrl(address)).toThrow(says);
  });

  it("never leads anywhere but to https, whatever it says", () => {
    fc.assert(
      fc.property(fc.constantFrom("#url=", "#gh:"), fc.webUrl(), fc.string(), (head, url, end) => {
        for (const rest of [url + end, end, encodeURIComponent(url + end), `a/b/${end}`]) {
          const address = bookAddressOf(head + rest);
          if (address.kind !== "remote") continue;
          try {
            const found = remoteUrl(address);
            expect(found.protocol).toBe("https:");
            if (head === "#gh:") expect(found.origin).toBe(RAW);
          } catch (error) {
            expect(error).toBeInstanceOf(InputError);
          }
        }
      }),
      { numRuns: 50 },
    );
    expect(bookAddressOf(`#url=https://example.org/${"a".repeat(2000)}`).kind).toBe("opening");
    expect(bookAddressOf("#url=%zz").kind).toBe("opening");
  });
});

const URL_OF_IT = new URL("https://example.org/a.md");

afterEach(() => vi.unstubAllGlobals());

/** What is made of a server's answer: the text, or the sentence for the reader. */
async function answered(answer: () => Response | Promise<Response>): Promise<string> {
  vi.stubGlobal("fetch", async () => answer());
  return fetchNotebook(URL_OF_IT).catch((error: unknown) => `refused: ${(error as Error).message}`);
}

const text = (body: BodyInit, headers: Record<string, string> = {}, status = 200) =>
  new Response(body, { status, headers: { "content-type": "text/plain", ...headers } });

describe("what a server sends", () => {
  it("is a notebook's text", async () => {
    expect(await answered(() => text("# Größe\n"))).toBe("# Größe\n");
    const bytes = new TextEncoder().encode("# Größe\n");
    const binary = { "content-type": "application/octet-stream" };
    expect(await answered(() => text(bytes, binary))).toBe("# Größe\n");
  });

  it.each<[string, () => Response | Promise<Response>, RegExp]>([
    ["a missing file", () => text("", {}, 404), /example.org has no such file \(404\)/],
    ["an error", () => text("", {}, 503), /answered with error 503/],
    ["a web page", () => text("<p>", { "content-type": "text/html" }), /sent a web page/],
    ["a picture", () => text("x", { "content-type": "image/png" }), /is not text/],
    ["bytes", () => text(new Uint8Array([35, 255, 254])), /is not text/],
    ["a zero", () => text("# a\0"), /is not text/],
    ["a length", () => text("#", { "content-length": "3000001" }), /larger than 3 MB/],
    ["no connection", () => Promise.reject(new TypeError("Failed to fetch")), /cannot be reached/],
    ["a break", () => text(endless(false)), /broke off/],
  ])("is refused: %s", async (_, answer, says) => {
    expect(await answered(answer)).toMatch(/^refused: /);
    expect(await answered(answer)).toMatch(says);
  });

  it("is read no further than the longest notebook, whatever its length is said to be", async () => {
    let sent = 0;
    const body = endless(true, (bytes) => (sent += bytes));
    expect(await answered(() => text(body, { "content-length": "10" }))).toMatch(
      /larger than 3 MB/,
    );
    expect(sent).toBeLessThan(MOST_BYTES + 500_000);
  });
});

/** Pieces without an end, or with a broken one. */
function endless(goesOn: boolean, onPiece: (bytes: number) => void = () => {}): ReadableStream {
  return new ReadableStream({
    pull: (controller) => {
      if (!goesOn) return controller.error(new TypeError("network error"));
      const piece = new Uint8Array(100_000).fill(35);
      onPiece(piece.length);
      controller.enqueue(piece);
    },
  });
}
