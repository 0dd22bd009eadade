/** The teacher's camera in Chromium: a code that is held before it is read from the picture and counted. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { encode } from "uqr";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readExperiment } from "../../src/notebook/cells/experiment/experiment.ts";
import { seedOfSeat } from "../../src/reading/classroom/classResults.ts";
import { codeOfRun } from "../../src/reading/classroom/resultCode.ts";
import { RunLog } from "../../src/reading/log/runLog.ts";
import { bodyOf } from "../fixtures/lesson.ts";
import { syntheticRun } from "../fixtures/syntheticRun.ts";
import { by, launch, openPage, servePage, type ServedPage } from "./support.ts";

const [WIDTH, HEIGHT] = [640, 480];
const FRAMES = 10;

/** A film of a QR code on grey ground, as Chromium takes it for its camera: YUV4MPEG2, brightness and no colour. */
function filmOf(text: string): Buffer {
  const { size, data } = encode(text, { ecc: "L", border: 4 });
  const scale = Math.floor(HEIGHT / size);
  const light = Buffer.alloc(WIDTH * HEIGHT, 150);
  for (let y = 0; y < size * scale; y++)
    for (let x = 0; x < size * scale; x++) {
      const isDark = data[Math.floor(y / scale)]![Math.floor(x / scale)];
      light[y * WIDTH + x] = isDark ? 30 : 220;
    }
  const frame = [Buffer.from("FRAME\n"), light, Buffer.alloc((WIDTH * HEIGHT) / 2, 128)];
  const head = Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`);
  return Buffer.concat([head, ...Array.from({ length: FRAMES }, () => frame).flat()]);
}

/** Of desk 8, had it trained. */
function codeOfDesk8(): string {
  const { spec } = readExperiment(bodyOf("class", "first"));
  const log = new RunLog();
  for (const event of syntheticRun({ ...spec, seed: seedOfSeat({ spec }, 8) })) log.append(event);
  return codeOfRun(log, "heldout", 2);
}

let site: ServedPage;
let browser: Browser;
let folder: string;
const code = codeOfDesk8();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "turnbook-camera-"));
  const film = join(folder, "code.y4m");
  writeFileSync(film, filmOf(`https://example.org/turnbook/#class/${code}`));
  const flags = ["fake-ui-for-media-stream", "fake-device-for-media-stream"];
  const all = [...flags, `file-for-fake-video-capture=${film}`].map((flag) => `--use-${flag}`);
  [site, browser] = await Promise.all([servePage({ worker: "fake" }), launch(all)]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

it("reads a result code and counts its desk once, and the camera is let go of", async () => {
  const { page, errors, close } = await openPage(browser, `${site.url}#lesson/class`);
  await by(page, "lesson").waitFor();
  for (let step = 1; step < 3; step++) await by(page, "lesson-next").click();
  await page.getByText("For the teacher: collect the codes").click();
  await by(page, "class-use-camera").click();
  const counted = () => by(page, "class-count").textContent();
  await expect.poll(counted).toBe("Counted: 1 of 1 code.");
  const row = by(page, "class-table").locator("tbody tr");
  await expect
    .poll(() => row.locator("th, td").allTextContents())
    .toEqual(expect.arrayContaining(["8", "Turn-PPO"]));
  // It stays before the camera, and counts no second time.
  const video = by(page, "class-camera");
  const time = () => video.evaluate((one) => (one as HTMLVideoElement).currentTime);
  const before = await time();
  await expect.poll(time).toBeGreaterThan(before + 0.5);
  expect(await counted()).toBe("Counted: 1 of 1 code.");
  const live = await video.evaluateHandle(
    (one) => ((one as HTMLVideoElement).srcObject as MediaStream).getVideoTracks()[0]!,
  );
  await by(page, "class-use-camera").click();
  await expect.poll(() => live.evaluate((track) => track.readyState)).toBe("ended");
  expect(errors).toEqual([]);
  await close();
});
