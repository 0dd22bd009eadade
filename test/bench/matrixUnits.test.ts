/** The spike's kernels compile as Dawn reads them today, and a wrong one does not. */
import { expect, test } from "vitest";
import { compileErrors, matrixShader } from "./matrixUnits.ts";

test("products for matrix units compile, and a shader with a wrong operand is refused", async () => {
  const codes = (["NT", "NN", "TN"] as const).flatMap((layout) => [
    matrixShader("nvidia", layout, [2048, 896, 4864]),
    matrixShader("apple", layout, [100, 30, 7]),
  ]);
  expect(await compileErrors(codes)).toEqual([]);
  const wrong = codes[0]!.replace(
    "subgroup_matrix_left<f16, 16, 16>",
    "subgroup_matrix_left<f16, 8, 16>",
  );
  expect(wrong).not.toBe(codes[0]);
  expect((await compileErrors([wrong]))[0]).toMatch(
    /^error, line \d+: .*subgroupMatrixMultiplyAccumulate/,
  );
});
