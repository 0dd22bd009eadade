/** The texts of the algorithms to read, by path; loaded on demand. */
export const readingTexts = import.meta.glob<string>("../../algorithm/reading/*.ts", {
  query: "?raw",
  import: "default",
  eager: true,
});
