/** What a definition or a cell may use. Results depend on these numbers alone: the clock can end a call, and change no number. */

export interface SandboxLimits {
  /** Bytes of the interpreter's heap. */
  memory: number;
  /** Bytes of its stack: some thousands of nested calls. */
  stack: number;
  /** Interrupts of one call, one for each ten thousand loops or function calls. */
  steps: number;
  /** Milliseconds of one call; a machine this slow stops the run. */
  milliseconds: number;
  /** Numbers that a call may return in lists. */
  numbers: number;
  /** Characters of everything else that a call returns. */
  characters: number;
}

const MIB = 2 ** 20;

export const DEFINITION_LIMITS: SandboxLimits = {
  memory: 32 * MIB,
  stack: 192 * 1024,
  steps: 2_000,
  milliseconds: 60_000,
  numbers: 4_000_000,
  characters: 4_000_000,
};

/** A cell reads whole runs, and somebody waits for it. */
export const CELL_LIMITS: SandboxLimits = {
  ...DEFINITION_LIMITS,
  memory: 128 * MIB,
  steps: 20_000,
  milliseconds: 10_000,
};

/** Levels of lists and objects in what crosses. */
export const DEPTH = 24;
