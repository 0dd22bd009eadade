/** The texts of all files in src/algorithm, by path; loaded on demand for comparing sources. */
export const sourceTexts = import.meta.glob<string>("../../method/estimator/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});
