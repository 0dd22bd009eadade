/** The spec's section on a model folder of the reader's own: named by its files, which whoever opens the experiment has to have. */
import { InputError, show } from "../numeric/inputError.ts";
import { z } from "./zod.ts";

export const folderSchema = z.strictObject({
  /** SHA-256 of the list of its files' SHA-256 (see model/textFolder.ts), as hex. */
  hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  /** For people. Absent: it has none. */
  name: z.optional(z.string().check(z.minLength(1), z.maxLength(100))),
});

export type FolderSpec = z.infer<typeof folderSchema>;

/** In sentences. */
export const folderName = ({ name, hash }: FolderSpec): string => name ?? hash.slice(0, 12);

/** @throws InputError for settings that a folder excludes or needs: it speaks, and has its own weights. */
export function checkFolder(spec: {
  model: { warmStart: string; checkpoint?: string | undefined; folder?: FolderSpec | undefined };
  environment: { kind: string; thought?: number | undefined };
}): void {
  const { model, environment } = spec;
  if (!model.folder) return;
  const refuse = (field: string, value: unknown, rule: string): never => {
    throw new InputError(`${field} is ${show(value)}; with model.folder it must be ${rule}`);
  };
  if (model.warmStart !== "checkpoint")
    refuse("model.warmStart", model.warmStart, "checkpoint: the folder's weights");
  if (model.checkpoint !== undefined)
    refuse("model.checkpoint", model.checkpoint, "absent: the folder has its own weights");
  if (environment.kind !== "sokoban") refuse("environment.kind", environment.kind, "sokoban");
  if (environment.thought === undefined)
    refuse("environment.thought", null, "given: 0 for no thought, or its length");
}
