/** A store as far as one slice of it goes: who changes the slice need know no other. */
export interface SliceStore<Slice> {
  getState(): Slice;
  setState(change: Partial<Slice> | ((state: Slice) => Partial<Slice>)): void;
}
