import { expect, it } from "vitest";
import { wordsStart } from "../../src/charts/CurveOverlay.tsx";

it("the words of an onset stay within the picture, on the side with more room", () => {
  const area = { x: 40, y: 20, width: 200, height: 100 };
  const text = "GRPO: onset 12, between 8 and 12";
  expect(wordsStart(text, 239, area)).toBeCloseTo(240 - 6.8 * text.length);
  // Wider than the picture: they begin at its edge.
  expect(wordsStart(`${text}, and more`, 150, area)).toBe(0);
  expect(wordsStart("onset 2", 50, area)).toBe(40);
  expect(wordsStart("onset 2", 230, area) + 7 * 6.8).toBeCloseTo(240);
  expect(wordsStart("onset 2", 150, { ...area, width: 400 })).toBe(110);
});
