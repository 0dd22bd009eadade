/** Ends a turn in the chat format of Qwen's models; sampled by the policy, and so trained. */
export const TURN_END = "<|im_end|>";

/** Tokens that end a turn there: the turn's own, and the end of text. */
export const TURN_ENDS: readonly string[] = [TURN_END, "<|endoftext|>"];
