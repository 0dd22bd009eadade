import { expect, it } from "vitest";
import { isOwnImage } from "../../src/app/ProseText.tsx";

const PAGE = "https://class.example/of/2026/#v1/nano";

it.each([
  "board.png",
  "./figures/board.png",
  "/shared/board.png",
  "data:image/png;base64,AAAA",
  "https://class.example/board.png",
  "//class.example/board.png",
])("%s is the page's own", (source) => expect(isOwnImage(source, PAGE)).toBe(true));

it.each([
  "https://other.example/board.png",
  "http://class.example/board.png",
  "https://class.example:8443/board.png",
  "//other.example/board.png",
  "\\\\other.example/board.png",
  "/\\other.example/board.png",
  "\t//other.example/board.png",
  "HTTPS://OTHER.EXAMPLE/board.png",
  "blob:https://other.example/1234",
  "ftp://class.example/board.png",
  "file:///etc/board.png",
  "https://",
])("%s is not", (source) => expect(isOwnImage(source, PAGE)).toBe(false));

it("is decided by addresses where the page itself has no server", () => {
  expect(isOwnImage("https://other.example/board.png", "file:///home/page/index.html")).toBe(false);
});
