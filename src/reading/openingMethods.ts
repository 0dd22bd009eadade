/** Methods whose credit the opening figure shows; the episode is chosen from those of the first, since it needs groups. */
export const OPENING_METHODS = ["grpo", "token-ppo", "turn-ppo"] as const;
