/** Errors of the machine rather than of learning; each message names cause and next step. */
export type EngineErrorKind =
  | "no-adapter"
  | "device-lost"
  | "out-of-memory"
  | "backend-failed"
  /** It runs, but its numbers differ from the referee's. */
  | "wrong-numbers";

export class EngineError extends Error {
  override name = "EngineError";
  readonly kind: EngineErrorKind;

  constructor(kind: EngineErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}

/** A number of the model was not finite: the learning failed, not the machine. */
export class NotFiniteError extends Error {
  override name = "NotFiniteError";
}
