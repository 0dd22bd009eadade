/** The text-environment interface: Gymnasium's five-part result, text in and text out (like GEM). */
export interface StepResult<Info> {
  observation: string;
  reward: number;
  /** The task itself ended (solved, bought). */
  terminated: boolean;
  /** An outside limit ended the episode (turns or actions used up); never true together with terminated. */
  truncated: boolean;
  info: Info;
}

export interface ResetResult<Info> {
  observation: string;
  info: Info;
}

/** One environment instance: one episode at a time. `Snapshot` is plain JSON data. */
export interface Environment<Info = unknown, Snapshot = unknown> {
  /** Starts the episode of the given seed. Throws InputError if the seed cannot be used. */
  reset(seed: number): ResetResult<Info>;
  /**
   * Plays one turn: the whole text of the response. Throws after the end. `chance`, an integer from
   * 0 to 2^53 - 1, is the random seed of the turn: the same number gives the same turn.
   * Deterministic environments ignore it.
   */
  step(text: string, chance?: number): StepResult<Info>;
  /** Everything needed to continue from here, as plain data; restoring gives the same future. */
  snapshot(): Snapshot;
  restore(snapshot: Snapshot): void;
}
