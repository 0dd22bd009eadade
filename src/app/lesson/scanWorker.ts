/** Looks for a QR code in pictures of a camera, one after the other. */
import { readQr, type ScanFrame } from "./readQr.ts";

self.addEventListener("message", ({ data }: MessageEvent<ScanFrame>) => {
  self.postMessage(readQr(data));
});
