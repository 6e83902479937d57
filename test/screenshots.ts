// npm run screenshots: the README's pictures, taken of the real page on a freshly seeded store.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { chromium } from "playwright-core";
import { seed } from "../seed.ts";
import { wallClock } from "../src/clock.ts";
import { readConfig } from "../src/config.ts";
import { startServer } from "../src/edges/server.ts";
import { callerByName, localOperator } from "../src/members/caller.ts";
import { root } from "../src/package.ts";
import { newKey } from "../src/receipts/keys.ts";
import { openStore } from "../src/store/open.ts";
import { openTable } from "../src/table.ts";
import { ensureChromium } from "./setup/chromium.ts";
import { report } from "./table.ts";

const folder = await mkdtemp(join(tmpdir(), "parley-pictures-"));
const config = readConfig({ PARLEY_STORE: join(folder, "parley.db"), PARLEY_PORT: "0" });
const store = await openStore(config.store);
const settings = { ...config, sign: (await newKey()).sign };
await seed(store, settings, report);
const table = openTable(store, wallClock, settings, report);
const server = await startServer(table, config, pino({ level: "silent" }));
const browser = await chromium.launch({
  executablePath: ensureChromium(),
  args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-sync"],
});
const images = join(root, "docs", "images");
await mkdir(images, { recursive: true });

/** Takes the picture `name` of the demo room at this size. */
async function picture(name: string, width: number, height: number, scale: number, dark = false): Promise<void> {
  const { result } = await table.perform(localOperator, "make_link", {});
  // What the command line did is told to the person once; not in the picture.
  const person = await store.read((db) => callerByName(db, String(result.member)));
  if (person) await table.perform(person, "acknowledge_notices", { seq: 1_000_000 });
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    hasTouch: width < 600,
    colorScheme: dark ? "dark" : "light",
  });
  const page = await context.newPage();
  await page.goto(`${server.url}/?room=billing#link=${result.code}`);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Run migration 0042 on staging").first().waitFor();
  await page.waitForTimeout(1000);
  await page.screenshot({ path: join(images, name) });
  await context.close();
}

try {
  await picture("phone.png", 390, 844, 2);
  await picture("phone-dark.png", 390, 844, 2, true);
  await picture("wide.png", 1440, 900, 1);
} finally {
  await browser.close();
  await server.close();
  await table.close();
  await rm(folder, { recursive: true, force: true });
}
