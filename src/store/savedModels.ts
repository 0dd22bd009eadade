/** The models of a checkpoint as one zip of Hugging Face folders. */
import { zipSync } from "fflate";
import { openPageDefinitions } from "../runtime/sandbox/browser.ts";
import type { ExperimentHost } from "../train/host.ts";
import { decodeCheckpoint } from "../train/checkpoint.ts";
import { modelFolders } from "../train/modelFolders.ts";

/** @throws InputError if the checkpoint is damaged */
export async function packModels(
  checkpoint: Uint8Array,
  openDefinitions: ExperimentHost["openDefinitions"] = openPageDefinitions,
): Promise<Uint8Array> {
  const files = await modelFolders(await decodeCheckpoint(checkpoint), { openDefinitions });
  // Float noise does not compress.
  return zipSync(Object.fromEntries(files), { level: 0 });
}
