/**
 * Pictures of other people's Jupyter notebooks: those pasted into prose (attachments of a Markdown cell) and those that code made
 * (its outputs). A notebook of ours has pictures in its text, as data addresses. What does not fit is said where it stood.
 */
import { isRecord } from "../spec/jsonText.ts";

/** What prose shows of a data address (`app/proseLinks.ts`). */
const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Characters that pictures may still take in one notebook. */
export interface PictureRoom {
  left: number;
}

/** Markdown with its attachments as data addresses; a sentence in place of a picture that cannot be kept. */
export function withAttachments(text: string, attachments: unknown, room: PictureRoom): string {
  if (!isRecord(attachments)) return text;
  return text.replace(
    /!\[([^\]]*)\]\(attachment:([^)\s]+)\s*\)/g,
    (_, words: string, name: string) =>
      pictureText(words, named(attachments, name), decoded(name), room),
  );
}

/** What code of another program printed and drew, as Markdown; empty where there is nothing. */
export function outputsText(
  outputs: unknown,
  room: PictureRoom,
  fenced: (text: string) => string,
): string {
  const parts = (Array.isArray(outputs) ? outputs : []).map((output: unknown) => {
    const { text, data, ename, evalue } = Object(output) as Record<string, unknown>;
    const said =
      jupyterText(text) ||
      jupyterText(Object(data)["text/plain"]) ||
      jupyterText([ename, ": ", evalue]);
    if (isRecord(data) && Object.keys(data).some((type) => type.startsWith("image/")))
      return pictureText("output", data, "of the output", room);
    return /^[\s:]*$/.test(said) ? "" : fenced(said);
  });
  return parts.filter((part) => part !== "").join("\n\n");
}

function pictureText(words: string, data: unknown, name: string, room: PictureRoom): string {
  const found = TYPES.map((type) => [type, jupyterText(Object(data)[type])] as const);
  const [type, written] = found.find(([, base64]) => base64 !== "") ?? ["", ""];
  const base64 = written.replace(/\s/g, "");
  if (!/^[\w+/]+=*$/.test(base64))
    return `*(The picture ${name} is left out: no PNG, JPEG, GIF or WebP.)*`;
  if (base64.length > room.left)
    return `*(The picture ${name} is left out: too large for a notebook.)*`;
  room.left -= base64.length;
  return `![${words}](data:${type};base64,${base64})`;
}

/** Jupyter stores text as one string, or as one a line; nothing else counts. */
export function jupyterText(text: unknown): string {
  const lines = Array.isArray(text) ? text : [text];
  return lines.filter((line) => typeof line === "string").join("");
}

/** Names of attachments stand in addresses as they are, or percent-encoded. */
function named(attachments: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(attachments, name) ? attachments[name] : attachments[decoded(name)];
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
