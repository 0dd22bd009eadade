/** A seeded sample of what `node test/hostile/run.mjs notebooks links` tries by the thousand. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { seeded } from "../hostile/area.ts";
import { codeLink, faultOf } from "../hostile/links.ts";
import { mutatedNotebook, mutatedTextLink } from "../hostile/notebookCases.ts";
import { asPage, notebookFault, textLinkFault } from "../hostile/notebooks.ts";

let end = () => {};
beforeAll(async () => void (end = await asPage()));
afterAll(() => end());

const COUNT = 25;
const numbers = Array.from({ length: COUNT }, (_, i) => i);

test.each([
  ["notebooks", mutatedNotebook, notebookFault],
  ["links that hold a notebook", mutatedTextLink, textLinkFault],
  ["links with code", codeLink, faultOf],
] as const)(
  "mutated %s throw nothing, run nothing and overwrite nothing",
  async (name, make, of) => {
    const random = seeded(`sample of ${name}`);
    for (const number of numbers) {
      const text = make(random);
      expect(await of(text), `${number}: ${text.slice(0, 200)}`).toBeNull();
    }
  },
);
