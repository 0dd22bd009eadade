/** What goes wrong before the wasm engine is there: each is a typed error that names the cause. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWasmEngine } from "../../../src/engine/wasm/createWasmEngine.ts";
import { nodeKernels } from "../../../src/engine/wasm/node.ts";

/** The smallest module: it compiles, and exports nothing. */
const EMPTY = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

const server = createServer((request, response) => {
  if (request.url !== "/kernels.wasm") response.statusCode = 404;
  response.end(request.url === "/kernels.wasm" ? nodeKernels() : "");
});
let base: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const failure = (kernels: BufferSource | string) =>
  createWasmEngine(kernels).catch((error: unknown) => error);

test("kernels come over the network too", async () => {
  const engine = await createWasmEngine(`${base}/kernels.wasm`);
  expect(engine.info.engine).toBe("wasm");
  engine.dispose();
});

test.each([
  ["are not there", () => `${base}/none.wasm`, /none\.wasm did not load \(status 404\)/],
  ["cannot be fetched", () => "http://127.0.0.1:1/k.wasm", /k\.wasm did not load \(.+\); reload/],
  ["are no module", () => Uint8Array.of(1, 2, 3, 4), /did not start \(WebAssembly.compile.*magic/],
  ["are another module", () => EMPTY, /did not start \(.*PACK_BYTES.*\); reload, or choose/],
])("kernels that %s", async (_, kernels, message) => {
  const error = await failure(kernels());
  expect(error).toMatchObject({ name: "EngineError", kind: "backend-failed" });
  expect((error as Error).message).toMatch(message);
  expect((error as Error).cause).toBeInstanceOf(Error);
});
