/** Bytes as text and back: RFC 4648's own examples, and every byte. */
import { describe, expect, it } from "vitest";
import {
  base64ToBytes,
  base64urlToBytes,
  bytesToBase64,
  bytesToBase64url,
} from "../../src/numeric/base64.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("base64", () => {
  it.each([
    ["", ""],
    ["f", "Zg=="],
    ["fo", "Zm8="],
    ["foo", "Zm9v"],
    ["foobar", "Zm9vYmFy"],
  ])("of '%s' is '%s' (section 10)", (plain, coded) => {
    expect(bytesToBase64(bytesOf(plain))).toBe(coded);
    expect(base64ToBytes(coded)).toEqual(bytesOf(plain));
    expect(bytesToBase64url(bytesOf(plain))).toBe(coded.replace(/=/g, ""));
  });

  it("holds every byte, with digits that an address may have", () => {
    const all = Uint8Array.from({ length: 9000 }, (_, i) => (i * 7 + (i >> 8)) & 255);
    const url = bytesToBase64url(all);
    expect(url).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(url).toMatch(/-/);
    expect(url).toMatch(/_/);
    expect(base64urlToBytes(url)).toEqual(all);
    expect(base64ToBytes(bytesToBase64(all))).toEqual(all);
  });

  it("is refused where it is none", () => {
    expect(() => base64ToBytes("a")).toThrow();
    expect(() => base64urlToBytes("§")).toThrow();
  });
});
