/** Methods whose credit the opening figure shows; the first one's episodes are chosen from, since it needs their groups. */
export const OPENING_METHODS = ["grpo", "token-ppo", "turn-ppo"] as const;
