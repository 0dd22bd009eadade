// What builds of the page define, for tests that run beside a page in Chromium.
import { resolve } from "node:path";
import { courseDefine } from "../src/app/build/course.mjs";

for (const [name, value] of Object.entries(courseDefine(resolve(import.meta.dirname, ".."))))
  Object.assign(globalThis, { [name]: JSON.parse(value) });
