/** Limits for a definition or a cell. Results depend on these numbers alone: the clock can end a call but cannot change a number. */

export interface SandboxLimits {
  /** Bytes of the interpreter's heap. */
  memory: number;
  /** Bytes of its stack: enough for thousands of nested calls. */
  stack: number;
  /** Interrupts per call, one for every ten thousand loops or function calls. */
  steps: number;
  /** Milliseconds per call; on a machine this slow the run stops. */
  milliseconds: number;
  /** Maximum count of numbers that a call may return in lists. */
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

/** A cell reads whole runs, and the reader waits for it. */
export const CELL_LIMITS: SandboxLimits = {
  ...DEFINITION_LIMITS,
  memory: 128 * MIB,
  steps: 20_000,
  milliseconds: 10_000,
};

/** Maximum nesting of lists and objects in a value that crosses. */
export const DEPTH = 24;
