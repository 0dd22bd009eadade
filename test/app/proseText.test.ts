// @vitest-environment happy-dom
/** Prose of a notebook: where its links may lead, and its formulas. */
import { cleanup, render } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, describe, expect, it } from "vitest";
import type { OpenBook } from "../../src/app/book/openBook.ts";
import { BookContext } from "../../src/app/book/useBook.ts";
import { ProseText } from "../../src/app/ProseText.tsx";

afterEach(cleanup);

const show = (markdown: string) => render(createElement(ProseText, { markdown })).container;
const links = (markdown: string) =>
  [...show(markdown).querySelectorAll("a")].map((a) => a.getAttribute("href"));

describe("links", () => {
  it.each([
    "https://example.org/a?b=c",
    "http://example.org",
    "HTTPS://example.org",
    "mailto:a@example.org",
    "#v1/nano?seed=3",
    "notebooks/first.md",
    "../a/b",
    "a/b:c",
    "?embed=x",
  ])("to %s lead there", (address) => {
    expect(links(`[words](${address})`)).toHaveLength(1);
    expect(links(`[words][1]\n\n[1]: ${address}`)).toHaveLength(1);
  });

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java&#115;cript:alert(1)",
    "&#x6A;avascript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "data:image/png;base64,AAAA",
    "data:image/svg+xml,x",
    "blob:https://example.org/1",
    "file:///etc/passwd",
    "ftp://example.org",
    "custom-scheme:x",
    "web+app:x",
    "view-source:https://example.org",
    "intent:x",
    "tel:1",
  ])("to %s stay text", (address) => {
    for (const markdown of [
      `[words](${address})`,
      `[words](<${address}>)`,
      `<${address}>`,
      `[words][1]\n\n[1]: ${address}`,
      `A note.[^n]\n\n[^n]: [words](${address})`,
    ])
      expect(links(markdown)).toEqual([]);
    expect(show(`before [words](${address}) after`).textContent).toMatch(/before .*words.* after/);
  });

  it("keep pictures within the text", () => {
    const picture = show("![dot](data:image/png;base64,AAAA)").querySelector("img");
    expect(picture?.getAttribute("src")).toBe("data:image/png;base64,AAAA");
    expect(show("![x](data:text/html,x)").querySelector("img")).toBeNull();
  });
});

describe("formulas", () => {
  const annotations = (root: Element) =>
    [...root.querySelectorAll("annotation")].map((one) => one.textContent);
  const texOf = async (markdown: string, count: number) => {
    const root = show(markdown);
    await expect.poll(() => annotations(root).length).toBe(count);
    return annotations(root);
  };

  it("can be within a line and on lines of their own", async () => {
    const text =
      "The ratio $r_t(\\theta)$, and **$x^2$**.\n\n$$\nA_t = \\sum_l\n= 3\n$$\n\nthen $$y$$ here.";
    expect(await texOf(text, 4)).toEqual(["r_t(\\theta)", "x^2", "A_t = \\sum_l\n= 3", "y"]);
    expect(show("$$a$$").querySelectorAll(".prose-maths")).toHaveLength(1);
  });

  it("can be in lists, quotes, tables and notes", async () => {
    await texOf(
      "- $a$\n- x\n\n  $$\n  b\n  $$\n\n> $c$\n\n| d |\n|---|\n| $d$ |\n\nN.[^n]\n\n[^n]: $e$",
      5,
    );
  });

  it.each(
    [
      "$5 and $6",
      "costs $20,000 and $30,000",
      "a $ b $ c",
      "\\$a$ alone",
      "`$a$`",
      "$",
      "$$",
      "$$$$",
      "$a$5",
      "$a\n\nb$",
      "$$\na\n\nb\n$$",
      `$${"x".repeat(2001)}$`,
      `$$\n${"x\n".repeat(1001)}$$`,
    ].map((text) => [text.slice(0, 30), text] as const),
  )("%j is text", (_, markdown) => {
    const root = show(markdown);
    expect(root.querySelector("annotation, .visually-hidden, .prose-maths")).toBeNull();
  });

  it("that cannot be read show what was written, and reach nothing outside", async () => {
    const bad = [
      "$\\nowhere{1}$",
      "$\\href{javascript:alert(1)}{x}$",
      "$\\includegraphics{x.png}$",
    ];
    const root = show(bad.join(" and ") + " and $ok$");
    await expect.poll(() => annotations(root)).toContain("ok");
    expect(root.querySelector("code.tex-source")!.textContent).toBe("\\nowhere{1}");
    expect(root.querySelector("a, img, script")).toBeNull();
    const raw = show("$<img src=x onerror=alert(1)>$ and $a$");
    await expect.poll(() => raw.querySelectorAll("annotation").length).toBe(2);
    expect(raw.querySelector("img")).toBeNull();
  });

  it("that would grow without end, or over the page, do not", async () => {
    const root = show("$\\def\\a{\\a\\a}\\a$ and $\\rule{9999em}{9999em}$ and $b$");
    await expect.poll(() => root.querySelectorAll("annotation").length).toBe(2);
    expect(root.innerHTML).not.toMatch(/:\s*9999em/);
  });

  it("define no commands: a short one would write a long text hundreds of times", async () => {
    for (const tex of [
      String.raw`\def\a{${"x".repeat(900)}}${"\\a".repeat(400)}`,
      String.raw`\newcommand{\b}{y}\b`,
      String.raw`\let\c=d \c`,
      String.raw`\global\edef\e{f}\e`,
    ]) {
      const shown = show(`Before $${tex}$ after`);
      await expect.poll(() => shown.querySelector(".tex-source")?.textContent).toBe(tex);
      expect(shown.querySelector(".katex")).toBeNull();
    }
  });

  it("are at most ten thousand characters in a cell", async () => {
    const long = `${"x".repeat(1900)}`;
    const shown = show(Array.from({ length: 8 }, () => `$${long}$`).join("\n\n"));
    await expect.poll(() => shown.querySelectorAll(".katex-html").length).toBe(5);
    expect(shown.querySelectorAll(".tex-source")).toHaveLength(3);
  });

  it("are at most thirty thousand characters in a notebook; a cell that goes makes room", async () => {
    const long = `$${"x".repeat(1900)}$`;
    // Cells look for their notebook alone.
    const book = {} as OpenBook;
    const cells = (from: number, to: number) =>
      createElement(
        BookContext,
        { value: book },
        Array.from({ length: to - from }, (_, i) =>
          createElement(ProseText, { key: from + i, markdown: `${from + i}: ${long} and ${long}` }),
        ),
      );
    const { container, rerender } = render(cells(0, 12));
    const drawn = () => container.querySelectorAll(".katex-html").length;
    await expect.poll(drawn).toBe(15);
    expect(container.querySelectorAll(".tex-source")).toHaveLength(9);
    rerender(cells(6, 12));
    expect(drawn()).toBe(3);
    rerender(cells(6, 20));
    expect(drawn()).toBe(15);
  });

  it("are at most 200 in a cell", async () => {
    const root = show("$a$ ".repeat(230));
    await expect.poll(() => root.querySelectorAll("annotation").length).toBe(200);
    expect(root.querySelectorAll("code.tex-source")).toHaveLength(30);
  });
});

it("a note used at many places is drawn at some", () => {
  const root = show(`${"x[^n] ".repeat(1000)}\n\n[^n]: ${"long ".repeat(2000)}`);
  expect(root.querySelectorAll(".margin-note")).toHaveLength(20);
  expect(root.textContent.length).toBeLessThan(250_000);
});
