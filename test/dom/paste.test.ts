// @vitest-environment happy-dom
/** What is pasted into a notebook becomes cells, in one step, and stays in its text. */
import { expect, it } from "vitest";
import { shelf } from "../../src/app/book/openBook.ts";
import { MAX_LENGTH } from "../../src/notebook/document.ts";
import { openApp, usesApp } from "./app.tsx";
import { by } from "./page.ts";

usesApp();

function paste(text: string, files: readonly File[] = []): void {
  const event = new Event("paste", { bubbles: true, cancelable: true });
  const clipboardData = { files, getData: () => text };
  document.body.dispatchEvent(Object.assign(event, { clipboardData }));
}

it("takes a table, a link and a picture as cells, and says where there is no room", async () => {
  const { page, errors, close } = await openApp("#notebooks");
  await by(page, "new-notebook").click();
  await by(page, "edit").waitFor();
  const id = /#book\/(\w+)/.exec(page.url())![1]!;
  const text = async () => (await shelf.get(id))!.text;
  const cells = () => by(page, "edit-cell").count();
  const before = await cells();
  paste("method,reward\ngrpo,0.5\nturn-ppo,0.75\n");
  await expect.poll(text).toContain('```code id=data\n[\n  {"method":"grpo","reward":0.5},');
  paste("https://example.org/#v1/nano?seed=7");
  await expect.poll(text).toMatch(/```experiment id=experiment\npreset: nano\nseed: 7/);
  paste("", [new File([new Uint8Array([137, 80, 78, 71])], "plot.png", { type: "image/png" })]);
  await expect.poll(text).toContain("![plot](data:image/png;base64,iVBORw==)");
  expect(await cells()).toBe(before + 3);
  const full = await text();
  paste(`# Long\n\n${"word ".repeat(MAX_LENGTH / 5)}`);
  // A screen reader's copy of a message has its words too, for a second.
  const hasText = `at most ${MAX_LENGTH} are allowed, pictures included`;
  await by(page, "pasted").filter({ hasText }).waitFor();
  expect(await text()).toBe(full);
  await by(page, "edit").focus();
  await page.keyboard.press("Control+z");
  await expect.poll(text).not.toContain("data:image");
  expect(errors).toEqual([]);
  await close();
});
