// The back button of a phone closes what lies over the page before it leaves the page.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { found } from "../processes/parley.ts";
import { Finger, still } from "./hands.ts";
import { clear, openFloorStage, pictures, quiet } from "./stage.ts";

type On = Awaited<ReturnType<typeof openFloorStage>>;
let stage: On["stage"], phone: On["phone"], ada: On["ada"], zoe: On["zoe"];
let finger: Finger;

beforeAll(async () => {
  ({ stage, phone, ada, zoe } = await openFloorStage());
  finger = new Finger(await phone.context.newCDPSession(phone.page));
}, 120_000);
beforeEach(async () => {
  await clear(stage, zoe);
  await open("?view=people");
});
afterEach(pictures);
afterAll(async () => {
  try {
    await quiet(phone);
  } finally {
    await stage.close();
  }
});

/** Loads the page anew, at this address below the dashboard's. */
async function open(address: string): Promise<void> {
  await phone.page.goto(`${stage.server.url}${address}`);
  await phone.page.getByTitle("What you see is live").waitFor();
}

/** Asked without waiting; its id. */
async function ask(title: string, more: Record<string, unknown> = {}): Promise<string> {
  const action = { command: `do ${title}`, cwd: "~/code" };
  const asked = await ada.call("request_approval", { title, action, wait_seconds: 0, ...more });
  return (asked.structuredContent.gate as { id: string }).id;
}

const close = () => phone.page.getByRole("button", { name: "Close", exact: true });
const peek = () => phone.page.getByRole("button", { name: "Open what needs you" });
const agents = () => phone.page.getByRole("region", { name: "Agents" });
const opened = (title: string) => phone.page.locator("article[data-open]", { hasText: title });
const row = (title: string) => phone.page.locator(".needs-body .gate-row", { hasText: title });
const all = () => phone.page.getByRole("navigation", { name: "What waits" }).getByRole("button", { name: /^All/ });
const steps = () => phone.page.evaluate<number>("history.length");
/** The browser has gone back as far as the page asked it to. */
const stepsOver = (over: number) =>
  found(async () => (await phone.page.evaluate<number>("history.state?.over ?? 0")) === over);
const press = async (what: ReturnType<typeof close>) => {
  await what.first().waitFor();
  await still(phone.page);
  await finger.tap(what.first());
};
const isDown = async () => {
  await peek().waitFor();
  await agents().waitFor();
  expect(await close().count()).toBe(0);
};

it("D19: back closes a sheet that came up by itself, and forward brings it again", async () => {
  const { page } = phone;
  await ask("publish it");
  await opened("publish it").waitFor();
  await page.goBack();
  await isDown();
  await page.goForward();
  await opened("publish it").waitFor();
  await close().waitFor();
});

it("D19: back leads from a card to the list it was opened from, then to the page, then off it", async () => {
  const { page } = phone;
  await open("?view=board");
  await open("?view=people");
  await ask("first");
  await opened("first").waitFor();
  await ask("second");
  await press(all());
  await press(row("second"));
  await opened("second").waitFor();
  await stepsOver(2);
  await page.goBack();
  await row("first").waitFor();
  await row("second").waitFor();
  await press(row("first"));
  await opened("first").waitFor();
  // The list's own button goes back to it too, so that nothing piles up.
  await press(all());
  await row("second").waitFor();
  await stepsOver(1);
  await page.goBack();
  await isDown();
  await page.goBack();
  await found(() => page.url().includes("view=board"));
});

it("D19: closed by its own button, the sheet leaves no step behind, however often it is opened", async () => {
  const { page } = phone;
  await open("");
  await press(page.getByRole("tab", { name: "People" }));
  await agents().waitFor();
  await ask("send it");
  await opened("send it").waitFor();
  const before = await steps();
  for (let round = 0; round < 3; round++) {
    await press(close());
    await isDown();
    await press(peek());
    await opened("send it").waitFor();
  }
  await ask("send more");
  await press(all());
  await press(row("send it"));
  await opened("send it").waitFor();
  await press(close());
  await isDown();
  await stepsOver(0);
  expect(await steps()).toBeLessThanOrEqual(before + 1);
  await page.goBack();
  await page.getByRole("region", { name: "Stream" }).waitFor();
  expect(new URL(page.url()).searchParams.get("view")).toBe(null);
});

it("D19: from a card to its task, and back to the open card; what was closed on the way stays closed", async () => {
  const { page } = phone;
  const { body } = await stage.server.api(zoe, "create_task", { title: "Write the changelog" });
  await ask("other");
  await opened("other").waitFor();
  await ask("tag it", { task_id: body.task.id });
  await press(all());
  await press(row("tag it"));
  await press(opened("tag it").getByRole("link", { name: /Write the changelog/ }));
  const task = page.getByRole("heading", { name: "Write the changelog", level: 2 });
  await task.waitFor();
  expect(await close().count()).toBe(0);
  await page.goBack();
  await opened("tag it").waitFor();
  // Reloaded, the same card stands open, and the way back is the same.
  await page.reload();
  await opened("tag it").waitFor();
  await still(page);
  await page.goBack();
  await row("other").waitFor();
  await page.goBack();
  await isDown();
  await page.reload();
  await isDown();
});

it("D19: a card that a link opens lies over the page: back closes it, and a reload keeps it", async () => {
  const { page } = phone;
  const ids = [await ask("early"), await ask("late")];
  await open(`?gate=${ids[1]}`);
  await opened("late").waitFor();
  await page.reload();
  await opened("late").waitFor();
  await page.goBack();
  await peek().waitFor();
  await page.getByRole("region", { name: "Stream" }).waitFor();
  expect(page.url()).not.toContain("gate");
  // A card's own page is no sheet, and has no step of its own.
  await open(`gate/${ids[0]}`);
  await opened("early").waitFor();
  await page.goBack();
  await peek().waitFor();
});

it("D19: what a finger does while the browser still goes back is neither lost nor put into the wrong step", async () => {
  const { page } = phone;
  await ask("mail it");
  await opened("mail it").waitFor();
  await still(page);
  // The sheet is closed and another page is opened in one go, before the browser has gone back.
  await page.evaluate(`(() => {
    document.querySelector(".needs-toggle").click();
    document.querySelector('.tabbar a[href*="view=board"]').click();
  })()`);
  await page.getByRole("region", { name: /^(Board|Tasks)/ }).waitFor();
  await found(() => page.url().includes("view=board"));
  expect(await close().count()).toBe(0);
  await page.goBack();
  await isDown();
  await page.goForward();
  await page.getByRole("region", { name: /^(Board|Tasks)/ }).waitFor();
  expect(await close().count()).toBe(0);
});

it("D19: the last card put away closes the sheet; back then opens nothing empty", async () => {
  const { page } = phone;
  await open("");
  await press(page.getByRole("tab", { name: "People" }));
  await ask("drop it");
  await press(opened("drop it").getByRole("button", { name: "Deny", exact: true }));
  await press(opened("drop it").getByRole("button", { name: "Done" }));
  await phone.needs.getByText("Nothing waits for you").waitFor();
  await stepsOver(0);
  await page.goBack();
  await page.getByRole("region", { name: "Stream" }).waitFor();
});
