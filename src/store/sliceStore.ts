/** A store limited to one slice, for code that changes only that. */
export interface SliceStore<Slice> {
  getState(): Slice;
  setState(change: Partial<Slice> | ((state: Slice) => Partial<Slice>)): void;
}
