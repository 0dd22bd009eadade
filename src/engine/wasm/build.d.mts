/** Path of the compiled kernels, brought up to date first. */
export function buildKernels(): Promise<string>;
/** Path of the bundle that a worker thread in Node runs, brought up to date first. */
export function buildNodeWorker(): Promise<string>;
