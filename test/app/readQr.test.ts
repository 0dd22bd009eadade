/** QR codes as a camera sees them: turned, with noise, in uneven light. */
import { encode } from "uqr";
import { expect, it } from "vitest";
import { readQr, type ScanFrame } from "../../src/app/lesson/readQr.ts";

const TEXT = `https://example.org/turnbook/#class/TB1~${"aB3-_,.".repeat(27)}`;

/** The text's QR code on grey ground, turned by `turn` radians, with light that fades to the right. */
function picture(text: string, turn: number): ScanFrame {
  const { size, data } = encode(text, { ecc: "L", border: 4 });
  const [width, height, scale] = [640, 480, 5];
  const pixels = new Uint8ClampedArray(4 * width * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const column = Math.floor((dx * Math.cos(turn) + dy * Math.sin(turn)) / scale + size / 2);
      const row = Math.floor((dy * Math.cos(turn) - dx * Math.sin(turn)) / scale + size / 2);
      const isDark = data[row]?.[column];
      const light = (isDark === undefined ? 150 : isDark ? 30 : 230) - (60 * x) / width;
      const noise = ((x * 7919 + y * 104729) % 17) - 8;
      pixels.set([light + noise, light + noise, light + noise, 255], 4 * (y * width + x));
    }
  return { width, height, data: pixels };
}

it.each([0, 0.2, -0.5, 1.4])("reads the link of a result code turned by %s", (turn) => {
  expect(readQr(picture(TEXT, turn))).toBe(TEXT);
});

it("finds nothing where there is nothing", () => {
  const data = new Uint8ClampedArray(4 * 320 * 240).map((_, i) => (i * 7919) % 251);
  expect(readQr({ width: 320, height: 240, data })).toBe(null);
});
