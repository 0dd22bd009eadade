/** A model folder that reads and writes text: its weights' headers, tokenizer, chat template, and the hash of what it consists of. */
import { InputError, show } from "../numeric/inputError.ts";
import { sha256Hex, sha256OfParts } from "../numeric/sha256.ts";
import { folderName, type FolderSpec } from "../spec/folder.ts";
import { parseJsonObject, type JsonObject } from "../spec/jsonText.ts";
import { chatTemplate, chatTemplateSource, type ChatTemplate } from "../text/chatTemplate.ts";
import { readTokenizer, type TextTokenizer } from "../text/tokenizer.ts";
import { fileParts } from "./checksums.ts";
import { openModelFolder, type OpenedModel, type OpenModelFile } from "./folder.ts";

const [CONFIG, TOKENIZER, TOKENIZER_CONFIG] = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
];
const [GENERATION, TEMPLATE] = ["generation_config.json", "chat_template.jinja"];

/** The engines take this many stop tokens. */
const MOST_STOPS = 16;

export interface TextFolder {
  opened: OpenedModel;
  tokenizer: TextTokenizer;
  /** Null if the folder has none. */
  template: ChatTemplate | null;
  /** Whether the template has Qwen3's switch. */
  hasThinking: boolean;
  /** Ids that end an answer. */
  stopIds: number[];
  /** The files that decide what the model says, in order of their names. */
  files: string[];
}

/**
 * Opens a folder by its headers and its text files.
 * @throws InputError as openModelFolder, or for a missing tokenizer or a critic
 */
export async function openTextFolder(
  open: OpenModelFile,
  names: readonly string[],
): Promise<TextFolder> {
  const opened = await openModelFolder(open, names);
  if (opened.config.critic)
    throw new InputError("config.json is a critic's, which has no language head; choose its actor");
  if (!names.includes(TOKENIZER))
    throw new InputError(`the folder has no ${TOKENIZER}; put the model's own there`);
  const text = async (name: string) => (names.includes(name) ? textOf(open, name) : null);
  const json = async (name: string) => parseJsonObject((await text(name)) ?? "{}", name);
  const config = await json(TOKENIZER_CONFIG);
  const tokenizer = readTokenizer(await json(TOKENIZER), config);
  const source = templateOf(config, await text(TEMPLATE));
  return {
    opened,
    tokenizer,
    template: source === null ? null : chatTemplate(source, config),
    hasThinking: source?.includes("enable_thinking") ?? false,
    stopIds: stopsOf({ ...(await json(CONFIG)), ...(await json(GENERATION)) }, config, tokenizer),
    files: [CONFIG, TOKENIZER, TOKENIZER_CONFIG, GENERATION, TEMPLATE, ...opened.files]
      .filter((name) => names.includes(name))
      .sort(),
  };
}

async function textOf(open: OpenModelFile, name: string): Promise<string> {
  const file = await open(name);
  return new TextDecoder().decode(await file.read(0, file.size));
}

function templateOf(config: JsonObject, file: string | null): string | null {
  if (file === null && (config["chat_template"] ?? null) === null) return null;
  return chatTemplateSource(config, file ?? undefined);
}

/** eos_token_id of generation_config, without one of config, as in transformers, which may be a list; and the tokenizer's end of text. */
function stopsOf(generation: JsonObject, config: JsonObject, tokenizer: TextTokenizer): number[] {
  const listed = [generation["eos_token_id"] ?? []].flat();
  const known = listed.filter(
    (id): id is number => Number.isSafeInteger(id) && (id as number) >= 0,
  );
  const eos = config["eos_token"];
  const token = typeof eos === "string" ? eos : (Object(eos) as JsonObject)["content"];
  const own = typeof token === "string" && tokenizer.has(token) ? [tokenizer.id(token)] : [];
  return [...new Set([...known, ...own])].slice(0, MOST_STOPS);
}

export interface HashedFile {
  name: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/**
 * The SHA-256 of each file, and of the list of them in the format of `sha256sum`, which names the folder.
 * `onBytes` gets the bytes read so far, and may throw.
 */
export async function hashFolder(
  open: OpenModelFile,
  names: readonly string[],
  onBytes: (done: number) => Promise<void> | void = () => {},
): Promise<{ hash: string; files: HashedFile[] }> {
  const files: HashedFile[] = [];
  let done = 0;
  for (const name of names) {
    const file = await open(name);
    async function* counted() {
      for await (const part of fileParts(file)) {
        yield part;
        await onBytes((done += part.length));
      }
    }
    files.push({ name, bytes: file.size, sha256: await sha256OfParts(counted()) });
  }
  const list = files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
  return { hash: await sha256Hex(new TextEncoder().encode(list)), files };
}

/**
 * The folder that an experiment names.
 * @throws InputError if its files have another hash
 */
export async function openNamedFolder(
  open: OpenModelFile,
  names: readonly string[],
  named: FolderSpec,
  onBytes?: (done: number) => Promise<void> | void,
): Promise<TextFolder> {
  const folder = await openTextFolder(open, names);
  const { hash } = await hashFolder(open, folder.files, onBytes);
  if (hash === named.hash) return folder;
  const name = show(folderName(named));
  throw new InputError(
    `model.folder is ${name} with the hash ${named.hash}; the chosen folder's files have ${hash}: choose ${name} as it was`,
  );
}

/** The files of a page's reader, by name. */
export function blobOpener(blobs: ReadonlyMap<string, Blob>): OpenModelFile {
  return async (name) => {
    const blob = blobs.get(name);
    if (!blob) throw new InputError("it is missing");
    let last: Transferable & { transfer?(bytes: number): unknown } = new ArrayBuffer(0);
    const read = async (start: number, end: number) => {
      // Freed now: garbage of large buffers would be collected late.
      last.transfer?.(0);
      const bytes = await blob.slice(start, end).arrayBuffer();
      last = bytes;
      return new Uint8Array(bytes);
    };
    return {
      size: blob.size,
      read: (start, end) =>
        read(start, end).catch(() => {
          throw new InputError(
            `${name} can no longer be read: it was changed or moved; choose the folder again`,
          );
        }),
    };
  };
}
