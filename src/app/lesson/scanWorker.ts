/** Looks for a QR code in camera pictures, one after the other. */
import { readQr, type ScanFrame } from "./readQr.ts";

self.addEventListener("message", ({ data }: MessageEvent<ScanFrame>) => {
  self.postMessage(readQr(data));
});
