/** Links as mail leaves them lead where they led. */
import { expect, it } from "vitest";
import { mendAddresses, mendedAddress } from "../../src/app/mendAddress.ts";
import { decodeLink, encodeLink } from "../../src/spec/link.ts";
import { presetNames, presetSpec } from "../../src/spec/presets.ts";

const WHOLE = [
  "",
  "#",
  "#v1/nano",
  "#v1/nano?seed=3&optimisation.iterations=20&algorithms=grpo,turn-ppo",
  "#v1/nano?view=lens&at=turn-ppo,12,1,4&layout=r(50-episodes~50-ribbon)",
  "#lesson/first",
  "#lesson/first/first?view=lens&at=grpo,100,1,1",
  "#text/3fA9-_xQ",
  "#book/k3x9mnpqrs",
  "#algorithms-grpo",
  "#glossary-advantage",
  "#shop-3-4",
  "#class/TB1~3fA9-_xQ~2s~1~Zk3v~heldout,0.1,0.5,0.10.11,AAbC~x9Qa",
];

it.each(WHOLE)("leaves a whole address alone: %j", (hash) => {
  expect(mendedAddress(hash)).toBe(hash);
});

it.each(WHOLE.slice(2))("takes off what a sentence put behind it: %j", (hash) => {
  for (const ending of [".", ",", ").", "!", "”.", "%22", ">"])
    expect(decodedAlike(mendedAddress(hash + ending), hash), ending).toBe(true);
});

/** `seed=3.` says 3, so that the full stop may stay. */
function decodedAlike(a: string, b: string): boolean {
  if (!a.startsWith("#v1/")) return a === b;
  const [one, other] = [decodeLink(a), decodeLink(b)];
  return JSON.stringify(one) === JSON.stringify(other);
}

it("reads &amp; as &", () => {
  for (const hash of WHOLE) expect(mendedAddress(hash.replaceAll("&", "&amp;"))).toBe(hash);
});

it("leaves every preset's own link alone", () => {
  for (const name of presetNames) {
    const link = encodeLink({ ...presetSpec(name), seed: 7 });
    expect(mendedAddress(link)).toBe(link);
  }
});

it("leaves what cannot be read either way, for its reader to say", () => {
  for (const hash of ["#v1/nano?sed=3.", "#nowhere.", "#v9/nano."])
    expect([hash, hash.slice(0, -1)]).toContain(mendedAddress(hash));
});

it("mends the address at the start and whenever it changes", () => {
  const listeners: (() => void)[] = [];
  const location = { hash: "#lesson/first." };
  const page = {
    location,
    history: {
      state: null,
      replaceState: (_: unknown, __: string, hash: string) => void (location.hash = hash),
    },
    addEventListener: (_: string, listener: () => void) => void listeners.push(listener),
    removeEventListener: () => void listeners.pop(),
  } as unknown as Parameters<typeof mendAddresses>[0];
  const stop = mendAddresses(page);
  expect(location.hash).toBe("#lesson/first");
  location.hash = "#v1/nano?seed=3&amp;iterations=20";
  listeners.forEach((listener) => listener());
  expect(location.hash).toBe("#v1/nano?seed=3&iterations=20");
  stop();
  expect(listeners).toEqual([]);
});
