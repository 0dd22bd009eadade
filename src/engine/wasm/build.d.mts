/** Path of the compiled kernels, brought up to date first. */
export function buildKernels(): Promise<string>;
