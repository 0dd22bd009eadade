/** The format of a place in links and cells: method, iteration, episode, turn from 1, and optionally a token. */

/** `turn-ppo,26,7,3`; the method may have a user-defined estimator, `turn-ppo@mine`, and may be empty, like the iteration. */
export const TURN_PLACE = /^([\w.@-]{0,300}),(\d{0,7}),(\d{1,5}),(\d{1,4})(?:,(\d{1,5}))?$/;

/** Method, iteration, episode: a place without its turn. */
export const EPISODE_PLACE = /^[\w.@-]{1,300},\d{1,7},\d{1,5}$/;
