/** Devices that are what they were but for a method: to read what an engine asks of them, or to answer it otherwise. */

/** The object, some of its methods others. */
export function withMethods<T extends object>(
  object: T,
  methods: Partial<Record<string | symbol, unknown>>,
): T {
  return new Proxy(object, {
    get(target, key) {
      if (key in methods) return methods[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** The device, but for its kernels' texts. */
export function withCode(
  device: GPUDevice,
  change: (code: string, label: string) => string,
): GPUDevice {
  return withMethods(device, {
    createShaderModule: ({ code, label, ...rest }: GPUShaderModuleDescriptor) =>
      device.createShaderModule({ ...rest, label: label!, code: change(code, label!) }),
  });
}
