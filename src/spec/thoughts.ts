/** How long a thought in words may be: about this many tokens; 0 asks for none. */
export const THOUGHT_LENGTHS = [0, 8, 24, 64, 128] as const;

export type ThoughtLength = (typeof THOUGHT_LENGTHS)[number];
