/** Source files of the algorithms, fetched when asked for. */
const files = import.meta.glob<string>("../../algorithm/*.ts", {
  query: "?raw",
  import: "default",
});

/** The file of a row in src/algorithm: its name in camel case. */
export function fileOf(name: string): string {
  return `${name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}.ts`;
}

/** Text of a row's file; null where it has none. */
export async function sourceOf(name: string): Promise<string | null> {
  return (await files[`../../algorithm/${fileOf(name)}`]?.()) ?? null;
}
