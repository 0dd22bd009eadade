/** A formula; until KaTeX has come, its space stays empty but for screen readers. */
import { memo } from "react";
import { createPart } from "../parts/part.ts";
import { PartFailed, usePart } from "../parts/lazyPart.tsx";
import { words } from "../parts/words.ts";

const katex = createPart("katex", () => import("./katex.ts"));

interface TexProps {
  tex: string;
  /** On a line of its own. */
  display?: boolean;
}

export const Tex = memo(function Tex({ tex, display = false }: TexProps) {
  const now = usePart(katex);
  if (now.state === "failed") return <code className="tex-source">{tex}</code>;
  if (now.state !== "ready") return <span className="visually-hidden">{tex}</span>;
  return <span dangerouslySetInnerHTML={{ __html: now.value.renderTex(tex, display) }} />;
});

/** Makes HTML of a formula, or throws where that fails; null while KaTeX is on its way. */
export function useTex(): ((tex: string, display: boolean) => string) | null {
  const now = usePart(katex);
  if (now.state === "failed") return fails;
  return now.state === "ready" ? now.value.renderTex : null;
}

function fails(): never {
  throw new Error(words.formulas);
}

/** Once above the formulas of a panel: why there is only their source. */
export function TexTrouble() {
  const now = usePart(katex);
  if (now.state !== "failed") return null;
  return <PartFailed part={katex} why={now.why} title={words.formulas} />;
}
