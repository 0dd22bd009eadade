/** A formula; until KaTeX has come, its space stays empty but for screen readers. */
import { memo, Suspense, use } from "react";
import type * as Katex from "./katex.ts";

let loading: Promise<typeof Katex> | null = null;

function load() {
  loading ??= import("./katex.ts");
  return loading;
}

interface TexProps {
  tex: string;
  /** On a line of its own. */
  display?: boolean;
}

export const Tex = memo(function Tex(props: TexProps) {
  return (
    <Suspense fallback={<span className="visually-hidden">{props.tex}</span>}>
      <Rendered {...props} />
    </Suspense>
  );
});

function Rendered({ tex, display = false }: TexProps) {
  const { renderTex } = use(load());
  return <span dangerouslySetInnerHTML={{ __html: renderTex(tex, display) }} />;
}
