// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { embedded } from "../../src/app/present/Embed.tsx";
import { figureScale, showAlone } from "../../src/app/present/figures.ts";

afterEach(() => document.body.replaceChildren());

describe("a figure alone", () => {
  it("is as large as the window allows, and on a phone never smaller than it is", () => {
    const room = { width: 1400, height: 700 };
    expect(figureScale(1000, 400, room)).toBe(1.4);
    expect(figureScale(1000, 600, room)).toBe(1.16);
    expect(figureScale(1000, 2000, room)).toBe(0.7);
    expect(figureScale(360, 2000, { width: 360, height: 600 })).toBe(1);
    expect(figureScale(100, 100, { width: 4000, height: 4000 })).toBe(4);
    expect(figureScale(360, 0, { width: 360, height: 600 })).toBe(1);
  });

  it("marks what it stands in, and leaves nothing behind", () => {
    document.body.innerHTML = "<main><article><section data-figure='a'></section></article></main>";
    const before = document.body.innerHTML;
    const end = showAlone(document.querySelector("section")!);
    const marked = [...document.querySelectorAll("[data-figure-path]")].map(
      ({ tagName }) => tagName,
    );
    expect(marked).toEqual(["MAIN", "ARTICLE"]);
    expect(document.querySelector("[data-figure-shown]")?.tagName).toBe("SECTION");
    end();
    expect(document.body.innerHTML).toBe(before);
  });

  it("is named before the hash", () => {
    expect(embedded("?embed=opening")).toBe("opening");
    expect(embedded("?embed")).toBe("");
    expect(embedded("?benchmark=1")).toBeNull();
  });
});
