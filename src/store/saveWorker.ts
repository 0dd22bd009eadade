/** Packs a run off the page's thread. One request, one answer. */
import { packRun } from "./savedRun.ts";
import type { FromSaver, ToSaver } from "./saveRun.ts";

self.addEventListener("message", ({ data }: MessageEvent<ToSaver>) => {
  void packAnswer(data).then(({ answer, transfer }) => self.postMessage(answer, { transfer }));
});

interface Answer {
  answer: FromSaver;
  transfer: Transferable[];
}

export async function packAnswer({ lines, ...rest }: ToSaver): Promise<Answer> {
  try {
    const bytes = await packRun({ ...rest, lines: new Uint8Array(await lines.arrayBuffer()) });
    return { answer: { bytes: bytes as Uint8Array<ArrayBuffer> }, transfer: [bytes.buffer] };
  } catch (error) {
    const refused = error instanceof Error ? error.message : String(error);
    return { answer: { refused }, transfer: [] };
  }
}
