/** A QR code in a picture. */
import decodeQR from "qr/decode.js";

export interface ScanFrame {
  /** Pixels. */
  width: number;
  height: number;
  /** Red, green, blue and opacity of each pixel, row by row. [4 * width * height] */
  data: Uint8ClampedArray<ArrayBuffer>;
}

/** Limit of milliseconds for a picture that is hard to read. */
const TIME_LIMIT = 150;

/** Its text; null if there is none that can be read. */
export function readQr(frame: ScanFrame): string | null {
  try {
    return decodeQR(frame, { format: "RGBA", timeLimit: TIME_LIMIT });
  } catch {
    return null;
  }
}
