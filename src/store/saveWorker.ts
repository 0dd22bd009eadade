/** Packs a run, or its models, off the page's thread. One request, one answer. */
import { packRun } from "./savedRun.ts";
import type { FromSaver, ModelsToSave, ToSaver } from "./saveRun.ts";

self.addEventListener("message", ({ data }: MessageEvent<ToSaver | ModelsToSave>) => {
  const answered = "models" in data ? modelsAnswer(data) : packAnswer(data);
  void answered.then(({ answer, transfer }) => self.postMessage(answer, { transfer }));
});

interface SaverAnswer {
  answer: FromSaver;
  transfer: Transferable[];
}

export function packAnswer({ lines, ...rest }: ToSaver): Promise<SaverAnswer> {
  return answerOf(async () =>
    packRun({ ...rest, lines: new Uint8Array(await lines.arrayBuffer()) }),
  );
}

/** Training code is loaded with the first models that are saved. */
export function modelsAnswer({ models }: ModelsToSave): Promise<SaverAnswer> {
  return answerOf(async () => (await import("./savedModels.ts")).packModels(models));
}

async function answerOf(make: () => Promise<Uint8Array>): Promise<SaverAnswer> {
  try {
    const bytes = await make();
    return { answer: { bytes: bytes as Uint8Array<ArrayBuffer> }, transfer: [bytes.buffer] };
  } catch (error) {
    const refused = error instanceof Error ? error.message : String(error);
    return { answer: { refused }, transfer: [] };
  }
}
