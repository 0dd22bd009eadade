/** Markdown of a notebook. What turns it into HTML comes after the first paint; the first words are in index.html already. */
import { memo } from "react";
import { PartFailed, usePart } from "../ui/parts/lazyPart.tsx";
import { createPart } from "../ui/parts/part.ts";
import { usePainted } from "./afterPaint.tsx";

/** The first notebook's first words, made at build (`build/frame.ts`). */
const framed = globalThis.document?.querySelector("#frame .prose");
const [framedTitle, framedHtml] = [framed?.querySelector("h1")?.textContent, framed?.innerHTML];

interface ProseProps {
  markdown: string;
}

/** What is known of it before; of other words room, so that what follows them does not come into sight and go. */
function Waiting({ markdown }: ProseProps) {
  const isFramed = framedTitle && markdown.startsWith(`# ${framedTitle}\n`);
  if (!isFramed) return <div className="prose prose-waiting" />;
  return <div className="prose" dangerouslySetInnerHTML={{ __html: framedHtml! }} />;
}

const text = createPart("ProseText", async () => (await import("./ProseText.tsx")).ProseText);

/** Without a word while it waits: that would move what stands below. */
function Written(props: ProseProps) {
  const now = usePart(text);
  if (now.state === "failed") return <PartFailed part={text} why={now.why} />;
  return now.state === "ready" ? <now.value {...props} /> : <Waiting {...props} />;
}

export const Prose = memo(function Prose(props: ProseProps) {
  return usePainted() ? <Written {...props} /> : <Waiting {...props} />;
});
