/** The gradient panel in a real Chromium: its looks, and a figure that does not load. Its numbers are in ../dom. */
import { describe, it } from "vitest";
import { lensPanel } from "./lensPanel.ts";
import { by } from "./support.ts";

const { open, looks } = lensPanel("gradient");

describe("the gradient panel", () => {
  it("says so where the figure does not load", async () => {
    const { page, close } = await open("", { serviceWorkers: "block" });
    await page.route("**/figures/gradient.json", (route) => route.fulfill({ status: 404 }));
    // The address, which is read again, follows what is open after a moment.
    await page.waitForURL(/layout=[^&]*gradient/);
    await page.reload();
    await page.getByText("The recorded figure did not load").waitFor();
    await close();
  });
});

looks(["light", "dark", "phone"], "", async (page) => {
  await by(page, "gradient-rows").locator("tbody tr").first().waitFor();
});
