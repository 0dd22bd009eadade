/** Markdown of a notebook. The renderer is loaded after the first paint; the first words are in index.html already. */
import { memo } from "react";
import { PartFailed, usePart } from "../ui/parts/lazyPart.tsx";
import { createPart } from "../ui/parts/part.ts";
import { usePainted } from "./afterPaint.tsx";

/** The first notebook's first words, rendered at build time (`build/frame.ts`). */
const framed = globalThis.document?.querySelector("#frame .prose");
const [framedTitle, framedHtml] = [framed?.querySelector("h1")?.textContent, framed?.innerHTML];

interface ProseProps {
  markdown: string;
}

/** Prerendered content if there is any; otherwise reserved space, so that what follows does not appear and move away. */
function Waiting({ markdown }: ProseProps) {
  const isFramed = framedTitle && markdown.startsWith(`# ${framedTitle}\n`);
  if (!isFramed) return <div className="prose prose-waiting" />;
  return <div className="prose" dangerouslySetInnerHTML={{ __html: framedHtml! }} />;
}

const text = createPart("ProseText", async () => (await import("./ProseText.tsx")).ProseText);

/** Shows no message while loading: that would move what is below. */
function Written(props: ProseProps) {
  const now = usePart(text);
  if (now.state === "failed") return <PartFailed part={text} why={now.why} />;
  return now.state === "ready" ? <now.value {...props} /> : <Waiting {...props} />;
}

export const Prose = memo(function Prose(props: ProseProps) {
  const painted = usePainted();
  // What is there costs no wait: its reserved space would move all that is below, and back.
  return painted || text.get().state === "ready" ? <Written {...props} /> : <Waiting {...props} />;
});
