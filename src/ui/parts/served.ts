/** Text files beside the page (figures, recorded results): fetched once for a page, by whoever asks first. */
import { useEffect, useState } from "react";
import { absolute } from "./partFiles.ts";

const texts = new Map<string, Promise<string>>();
/** Those that came with the page itself. */
const brought = new Map<string, string>();

/** From now on the file is known: it stands in the page. */
export function bringText(path: string, text: string): void {
  brought.set(path, text);
  texts.set(path, Promise.resolve(text));
}

/** A file's text; what did not come is asked for again. @throws Error naming the file and the server's answer */
export function servedText(path: string): Promise<string> {
  const known = texts.get(path);
  if (known) return known;
  const asked = fetchText(path).catch((error: unknown) => {
    texts.delete(path);
    throw error;
  });
  texts.set(path, asked);
  return asked;
}

async function fetchText(path: string): Promise<string> {
  const answer = await fetch(absolute(path));
  if (!answer.ok) throw new Error(`${path}: the server answered ${answer.status}`);
  return answer.text();
}

/** What `read` makes of a file: null until it is there, "missing" where it did not come or cannot be read. */
export function useServed<T extends object>(path: string, read: (text: string) => T) {
  const [found, setFound] = useState<T | "missing" | null>(() => {
    const text = brought.get(path);
    return text === undefined ? null : readOr(text, read);
  });
  useEffect(() => {
    let current = true;
    const show = (next: T | "missing") => current && setFound(next);
    servedText(path).then(
      (text) => show(readOr(text, read)),
      () => show("missing"),
    );
    return () => {
      current = false;
    };
  }, [path, read]);
  return found;
}

function readOr<T>(text: string, read: (text: string) => T): T | "missing" {
  try {
    return read(text);
  } catch {
    return "missing";
  }
}
