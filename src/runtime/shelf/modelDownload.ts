/**
 * A Hugging Face folder at an address that the reader typed. First its files are looked at; once the
 * reader agrees they come by ranges into the browser's own files, where what is there already stays.
 */
import { formatBytes } from "../../numeric/format.ts";
import { InputError, show } from "../../numeric/inputError.ts";
import { sha256OfText } from "../../numeric/sha256.ts";
import { isRecord, jsonOrNothing } from "../../spec/jsonText.ts";
import { ABOUT_DOWNLOAD, pieceName, type ModelDownloads } from "./modelFiles.ts";

/** Bytes asked for at once, and lost if the connection breaks. */
const PIECE = 32 * 2 ** 20;
const [INDEX, SINGLE] = ["model.safetensors.index.json", "model.safetensors"];
const NEEDED = ["config.json", "tokenizer.json", "tokenizer_config.json"];
const WELCOME = ["generation_config.json", "chat_template.jinja", INDEX];
const MOST_SHARDS = 500;
interface RemoteFile {
  name: string;
  /** Of a text: as the server packs it for sending, or 0 if it does not say. */
  bytes: number;
  /** When it changed on the server, in its words; null if that is not said. */
  changed: string | null;
}

/** A folder whose files are known, and none of whose weights is loaded. */
export interface RemoteFolder {
  /** Ends with a slash. */
  address: string;
  host: string;
  name: string;
  files: RemoteFile[];
  bytes: number;
}

export interface Connection {
  /** Of this page: its own files need no HTTPS. */
  origin: string;
  fetch: typeof fetch;
  signal?: AbortSignal;
}

/**
 * The folder that an address means: of huggingface.co also the page of a model.
 * @throws InputError unless it is of HTTPS or of this site
 */
export function folderAddress(typed: string, origin: string): URL {
  const text = typed.trim();
  const url = URL.parse(/^[\w.-]+\.\w+\//.test(text) ? `https://${text}` : text, origin);
  if (!url || text === "" || (url.protocol !== "https:" && url.origin !== origin))
    throw new InputError(`the address is ${show(text)}; it must begin with https://`);
  if (url.username || url.password)
    throw new InputError("the address holds a name or a password; use one without");
  const [, owner, model, kind, revision = "main"] = url.pathname.split("/");
  if (url.hostname === "huggingface.co" && owner && model && (!kind || kind === "tree"))
    url.pathname = `/${owner}/${model}/resolve/${revision}/`;
  url.pathname = url.pathname.replace(/(?:\/config\.json)?\/*$/, "/");
  return url;
}

/**
 * Its files and their sizes: the configuration, the tokenizer and the weights that the index names.
 * @throws InputError if one is missing, or the server does not say how long it is
 */
export async function lookAt(typed: string, connection: Connection): Promise<RemoteFolder> {
  const url = folderAddress(typed, connection.origin);
  const look = async (name: string) => sizeOf(new URL(name, url), name, connection);
  const [needed, welcome] = await Promise.all([
    Promise.all(NEEDED.map(look)),
    Promise.all(WELCOME.map(look)),
  ]);
  const missing = NEEDED.find((_, i) => !needed[i]);
  if (missing)
    throw new InputError(
      `${url.host} has no ${missing} at ${url.pathname}; the address must be of a folder with ${NEEDED.join(", ")} and weights`,
    );
  const hasIndex = welcome.some((file) => file?.name === INDEX);
  const shards = hasIndex ? await shardsOf(new URL(INDEX, url), connection) : [SINGLE];
  const weights = await Promise.all(shards.map(look));
  const lost = shards.find((_, i) => !weights[i]);
  if (lost) throw new InputError(`${url.host} has no ${lost} at ${url.pathname}`);
  const files = [...needed, ...welcome, ...weights].filter((file) => file !== null);
  const path = url.pathname.split("/").filter((part) => part !== "");
  const name = path[path.indexOf("resolve") - 1] ?? path.at(-1) ?? url.hostname;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  return { address: url.href, host: url.host, name: decodeURIComponent(name), files, bytes };
}

const isWeights = (name: string) => name.endsWith(".safetensors");

/** Null if there is no such file. */
async function sizeOf(url: URL, name: string, connection: Connection): Promise<RemoteFile | null> {
  const { status, ok, headers } = await ask(url, connection, { method: "HEAD" });
  if (status === 404 || status === 410) return null;
  if (!ok) throw new InputError(`${url.host} answered ${status} for ${name}`);
  const length = headers.get("content-length") ?? "";
  const isKnown = /^\d+$/.test(length) && length !== "0";
  if (isWeights(name) && !isKnown)
    throw new InputError(
      `${url.host} does not say how long ${name} is; download the folder and choose it`,
    );
  return { name, bytes: isKnown ? Number(length) : 0, changed: headers.get("last-modified") };
}

async function shardsOf(url: URL, connection: Connection): Promise<string[]> {
  const index = jsonOrNothing(await (await ask(url, connection)).text());
  const map = isRecord(index) && isRecord(index["weight_map"]) ? index["weight_map"] : {};
  const shards = [...new Set(Object.values(map))];
  // A name with a slash would lead out of the folder.
  const isShard = (name: unknown) => /^[\w-][\w.-]*\.safetensors$/.test(String(name));
  if (shards.length === 0 || shards.length > MOST_SHARDS || !shards.every(isShard))
    throw new InputError(
      `${INDEX} at ${url.host} must name 1 to ${MOST_SHARDS} files that end in .safetensors, each in this folder`,
    );
  return shards as string[];
}

/** Neither cookies nor the referring page are sent. @throws InputError if it cannot be reached */
async function ask(
  url: URL,
  { fetch: get, signal }: Connection,
  init: RequestInit = {},
): Promise<Response> {
  try {
    return await get(url, {
      ...init,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new InputError(
      `${url.host} could not be reached; check the address and the connection, and that it lets other sites read its files`,
    );
  }
}

/**
 * Fetches what is not there yet. `onBytes` hears how much is there.
 * @returns its files, whose pieces stay on disk, and the key under which they stand there
 * @throws InputError if the connection breaks, the storage is full or the server sends no parts; the
 *   pieces stay, and the next call continues
 */
export async function fetchFolder(
  folder: RemoteFolder,
  connection: Connection,
  disk: ModelDownloads,
  onBytes: (done: number) => void,
): Promise<{ key: string; files: Map<string, Blob> }> {
  const key = `download-${sha256OfText(folder.address)}`;
  const about = JSON.stringify(folder.files);
  const before = await disk.text(key, ABOUT_DOWNLOAD);
  // Pieces of another version must not be mixed with these.
  if (before !== about) await disk.drop(key);
  const there = await disk.sizes(key);
  const pieces = folder.files.flatMap(piecesOf);
  const isThere = ({ file, size, isText }: FileRange) =>
    isText ? there.has(file) : there.get(file) === size;
  const left = pieces.filter((piece) => !isThere(piece));
  let done = folder.bytes - left.reduce((sum, { size }) => sum + size, 0);
  onBytes(done);
  await disk.checkRoom(folder.bytes - done);
  await disk.write(key, ABOUT_DOWNLOAD, new Blob([about]));
  for (const piece of left) {
    const blob = await fetchPiece(new URL(piece.name, folder.address), piece, connection);
    await disk.write(key, piece.file, blob);
    onBytes((done += piece.size));
  }
  return { key, files: await disk.files(key) };
}

/** A range of a file. */
interface FileRange {
  name: string;
  /** Its name on disk. */
  file: string;
  from: number;
  size: number;
  /** It comes whole, and its size is only about right. */
  isText: boolean;
  /** Its file has no other piece. */
  isOnly: boolean;
}

function piecesOf({ name, bytes }: RemoteFile): FileRange[] {
  if (!isWeights(name))
    return [{ name, file: name, from: 0, size: bytes, isText: true, isOnly: true }];
  return Array.from({ length: Math.ceil(bytes / PIECE) }, (_, i) => {
    const from = i * PIECE;
    const size = Math.min(PIECE, bytes - from);
    return { name, file: pieceName(name, i), from, size, isText: false, isOnly: size === bytes };
  });
}

async function fetchPiece(
  url: URL,
  { name, from, size, isText, isOnly }: FileRange,
  connection: Connection,
): Promise<Blob> {
  const headers = isOnly ? {} : { range: `bytes=${from}-${from + size - 1}` };
  const answer = await ask(url, connection, { headers });
  if (!answer.ok) throw new InputError(`${url.host} answered ${answer.status} for ${name}`);
  if (!isOnly && answer.status !== 206) {
    void answer.body?.cancel();
    throw new InputError(
      `${url.host} sends ${name} as a whole only; download the folder and choose it`,
    );
  }
  const blob = await answer.blob().catch((error: unknown) => {
    if (connection.signal?.aborted) throw error;
    throw new InputError(`the connection to ${url.host} broke at ${name}; ${AGAIN}`);
  });
  if (!isText && blob.size !== size)
    throw new InputError(
      `${url.host} sent ${formatBytes(blob.size)} of ${name}, not ${formatBytes(size)}; ${AGAIN}`,
    );
  return blob;
}

const AGAIN = "start the download again, and it continues";
