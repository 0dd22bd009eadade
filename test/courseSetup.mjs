// What builds of the page define. Vitest's own `define` is lost where files share a worker.
import { resolve } from "node:path";
import { courseDefine } from "../src/app/build/course.mjs";

for (const [name, value] of Object.entries(courseDefine(resolve(import.meta.dirname, ".."))))
  Object.assign(globalThis, { [name]: JSON.parse(value) });
