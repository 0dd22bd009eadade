/** Ends a turn in the chat format of Qwen's models; sampled by the policy, so trained. */
export const TURN_END = "<|im_end|>";

/** What ends a turn there, by itself or with everything else. */
export const TURN_ENDS: readonly string[] = [TURN_END, "<|endoftext|>"];
