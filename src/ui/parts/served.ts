/** Text files served with the page (figures, recorded results): fetched once per page. */
import { useEffect, useState } from "react";
import { absolute } from "./partFiles.ts";

const texts = new Map<string, Promise<string>>();
/** Those embedded in the page. */
const brought = new Map<string, string>();

/** Registers a file's text that is embedded in the page. */
export function bringText(path: string, text: string): void {
  brought.set(path, text);
  texts.set(path, Promise.resolve(text));
}

/** A file's text; retried after a failure. @throws Error naming the file and the server's answer */
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

/** A file parsed by `read`: null until loaded, "missing" if it failed to load or parse. */
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
