/** A formula; until KaTeX has loaded, its space stays empty except for screen readers. */
import { memo } from "react";
import { createPart } from "../parts/part.ts";
import { PartFailed, usePart } from "../parts/lazyPart.tsx";
import { words } from "../parts/words.ts";

const katex = createPart("katex", () => import("./katex.ts"));

interface TexProps {
  tex: string;
  /** On its own line. */
  display?: boolean;
}

export const Tex = memo(function Tex({ tex, display = false }: TexProps) {
  const now = usePart(katex);
  if (now.state === "failed") return <code className="tex-source">{tex}</code>;
  if (now.state !== "ready") return <span className="visually-hidden">{tex}</span>;
  return <span dangerouslySetInnerHTML={{ __html: now.value.renderTex(tex, display) }} />;
});

/** Renders a formula to HTML, or throws; null while KaTeX is loading. */
export function useTex(): ((tex: string, display: boolean) => string) | null {
  const now = usePart(katex);
  if (now.state === "failed") return fails;
  return now.state === "ready" ? now.value.renderTex : null;
}

function fails(): never {
  throw new Error(words.formulas);
}

/** Shown once above the formulas of a panel: why only their source is shown. */
export function TexTrouble() {
  const now = usePart(katex);
  if (now.state !== "failed") return null;
  return <PartFailed part={katex} why={now.why} title={words.formulas} />;
}
