/** The kernels of the wasm executor, one per operation of plan/ops.ts; addresses in bytes, sizes in numbers. */
export { KC, matmul, normRows, PACK_BYTES, swiglu } from "./matmul";
export { norm, normBackward } from "./norms";
export { reducePartials, rope, ropeBackward, swigluBackward, value, valueBackward } from "./layers";
export { adamw, addTo, embedGrad, scale, sumSquares, takePackedRows, takeRows } from "./rows";
export { attention, attentionBytes } from "./attention";
export { attentionBackward } from "./attentionBackward";
export { cachedAttention } from "./cachedAttention";
export { headGrad, headStats } from "./head";
export { sample } from "./sample";
