/** The think block that a response begins with. */

interface ThoughtBlock {
  /** Its text, between the tags. */
  thought: string;
  /** Whether it closes; if not, all that follows is its text. */
  closes: boolean;
  /** Letters up to its end. */
  length: number;
}

/** Null for a response that begins otherwise. */
export function thoughtBlock(response: string): ThoughtBlock | null {
  const found = /^\s*<think>(.*?)(<\/think>|$)/s.exec(response);
  return found && { thought: found[1]!, closes: found[2] !== "", length: found[0].length };
}

/** The thought of a block that closes; null without one. */
export function thoughtIn(response: string): string | null {
  const block = thoughtBlock(response);
  return block?.closes ? block.thought : null;
}
