/** Fences of code in Markdown, as CommonMark has them (section 4.5). */

interface Fence {
  indent: number;
  marker: string;
  info: string;
}

export function openingFence(line: string): Fence | null {
  // Any character but the end of the line: some others end lines elsewhere, and are cut where a
  // cell of prose ends.
  const match = /^( {0,3})(`{3,}|~{3,})(.*)$/s.exec(line);
  if (!match) return null;
  const [, indent, marker, info] = match as unknown as [string, string, string, string];
  // Backticks in the info string make it inline code.
  if (marker.startsWith("`") && info.includes("`")) return null;
  return { indent: indent.length, marker, info: info.trim() };
}

export function closesFence(line: string, { marker }: Pick<Fence, "marker">): boolean {
  const match = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line);
  return match !== null && match[1]!.startsWith(marker);
}

/** For each line, whether it is in a block of code, fences included; and the fence that is never closed, or null. */
export function codeLines(lines: readonly string[]): { isCode: boolean[]; open: Fence | null } {
  let open: Fence | null = null;
  const isCode = lines.map((line) => {
    if (open === null) return (open = openingFence(line)) !== null;
    if (closesFence(line, open)) open = null;
    return true;
  });
  return { isCode, open };
}

/** Markdown with its last block of code closed, so that following text is not part of it. */
export function closedCode(markdown: string): string {
  const { open } = codeLines(markdown.split("\n"));
  return open === null ? markdown : `${markdown}\n${open.marker}`;
}
