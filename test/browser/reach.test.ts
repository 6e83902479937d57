// Everything on the page can be reached and left again: links, the way back, hidden cards, long texts, the keyboard.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Agent, found } from "../processes/parley.ts";
import { clear, type Device, openStage, pictures, quiet, type Stage, textOf } from "./stage.ts";

let stage: Stage;
let ada: Agent;
let phone: Device;
let zoe: string;

beforeAll(async () => {
  stage = await openStage();
  zoe = await stage.place.member("zoe", "--role", "owner");
  const [a = ""] = await stage.server.add(zoe, ["ada"]);
  ada = await stage.server.agent(a);
  phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
}, 120_000);
beforeEach(async () => {
  await clear(stage, zoe);
  await open(phone);
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
async function open({ page }: Device, address = ""): Promise<void> {
  await page.goto(`${stage.server.url}${address}`);
  await page.getByTitle("What you see is live").waitFor();
}

/** Asked without waiting; its id. */
async function ask(title: string, more: Record<string, unknown> = {}): Promise<string> {
  const asked = await ada.call("request_approval", {
    title,
    action: { command: `do ${title}`, cwd: "~/code" },
    wait_seconds: 0,
    ...more,
  });
  return (asked.structuredContent.gate as { id: string }).id;
}

it("D15: every link to a task opens its page, from a card, the stream, the roster and the palette", async () => {
  const { page } = phone;
  const { body } = await stage.server.api(zoe, "create_task", { title: "Write the changelog" });
  const task = body.task.id as number;
  await ada.call("claim_task", { task_id: task });
  await ask("tag it", { task_id: task });
  const card = phone.card("Approval: tag it");
  await card.waitFor();
  const there = page.getByRole("heading", { name: "Write the changelog", level: 2 });
  const close = page.getByRole("button", { name: "Close", exact: true });
  const arrived = async () => {
    await there.waitFor();
    expect(await there.isVisible()).toBe(true);
    expect(new URL(page.url()).searchParams.get("task")).toBe(String(task));
  };

  await card.getByRole("link", { name: /Write the changelog/ }).tap();
  await arrived();
  expect(await close.count(), "the sheet is down").toBe(0);

  await clear(stage, zoe);
  await page.getByRole("tab", { name: "Stream" }).tap();
  await page.locator(".item a.to").filter({ hasText: "Write the changelog" }).first().tap();
  await arrived();

  await page.getByRole("tab", { name: "People" }).tap();
  await page.locator(".member", { hasText: "ada" }).first().tap();
  await arrived();

  for (const view of ["Stream", "Floor", "People"]) {
    await page.getByRole("tab", { name: view }).tap();
    await page.getByRole("button", { name: "Find or do" }).tap();
    await page.getByRole("combobox", { name: "Find or do" }).fill("changelog");
    await page.getByRole("option", { name: /Write the changelog/ }).tap();
    await arrived();
  }

  // A gate's own page leads to the same place.
  const id = await ask("tag it again", { task_id: task });
  await open(phone, `gate/${id}`);
  await page.getByRole("link", { name: /Write the changelog/ }).tap();
  await arrived();
});

it("D1: what became of an answer, and why none can be given, stands above the buttons, seen without scrolling", async () => {
  const { page } = phone;
  await ask("ship it", { details: "one more line\n\n".repeat(60), options: ["now", "later"] });
  const card = phone.card("Approval: ship it");
  const reads = async (words: string) => {
    const line = card.getByText(words);
    await line.waitFor();
    // Once the sheet has come to rest.
    await found(async () => {
      const box = await line.boundingBox();
      const deny = await card.getByRole("button", { name: "Deny", exact: true }).boundingBox();
      return box && deny && box.y > 60 && box.y + box.height <= deny.y && deny.y + deny.height < 844;
    });
    expect(await phone.sideways()).toBe(0);
  };
  await reads("Choose one to approve.");
  await card.getByRole("button", { name: "Edit before approving" }).tap();
  await reads("You are editing the action.");
  await card.getByRole("button", { name: "Leave as it was" }).tap();
  await card.getByRole("radio", { name: "now" }).tap();
  await page.locator(".needs-body").evaluate((body) => body.scrollTo(0, 0));
  // In a lift: the tap changes what is on the screen.
  await phone.context.setOffline(true);
  await page
    .getByText(/^Reconnecting|^Offline/)
    .first()
    .waitFor();
  await found(async () => {
    await card
      .getByRole("button", { name: "Approve", exact: true })
      .tap({ timeout: 500 })
      .catch(() => {});
    return (await card.getByText("Not sent.").count()) > 0;
  });
  await reads("Not sent.");
  await phone.context.setOffline(false);
  await page.getByTitle("What you see is live").waitFor();
  await card.locator(".so-far .btn:enabled").tap();
  await card.getByText("Approved by you").waitFor();
});

it("D16: a hidden card comes back before it expires, is listed and undone, and badge and sheet count the same", async () => {
  const { page } = phone;
  await ask("ship soon", { timeout_seconds: 347 });
  await ask("too soon", { timeout_seconds: 100, risk: "low" });
  await ask("ship later", { timeout_seconds: 86_400 });
  const { body: blocked } = await stage.server.api(zoe, "list_gates", { status: "pending" });
  expect(blocked.gates).toHaveLength(3);
  const sheet = page.getByRole("region", { name: "Needs you" });
  const badge = page.getByRole("navigation", { name: "Rooms" }).locator(".badge");
  const rail = page.getByRole("navigation", { name: "What waits" });
  const read = async (title: string) => {
    await rail.getByRole("button", { name: new RegExp(`: ${title}, `) }).tap();
    const card = phone.card(`Approval: ${title}`);
    await card.locator(".btn.deny:enabled").waitFor();
    await card.getByRole("button", { name: "More: snooze, rules" }).tap();
    return card;
  };
  const counts = async (many: number) => {
    await found(async () => (await badge.textContent()) === String(many));
    await found(async () => (await sheet.locator(".needs-title .badge").first().textContent()) === String(many));
  };
  await counts(3);
  expect(await textOf((await read("ship later")).locator(".more"))).toContain("8:00");
  expect(await textOf((await read("too soon")).locator(".more"))).toContain("It expires too soon to be hidden.");

  let card = await read("ship soon");
  expect(await textOf(card.locator(".more"))).not.toContain("10 min");
  const hide = card.getByRole("button", { name: /^Hide until \d\d:\d\d, 1 min before it expires$/ });
  await hide.tap();
  await page.getByText(/^Hidden until \d\d:\d\d\.$/).waitFor();
  await counts(2);
  await page.getByRole("button", { name: "Undo" }).tap();
  await counts(3);

  card = await read("ship soon");
  await card.getByRole("button", { name: /^Hide until/ }).tap();
  await counts(2);
  await open(phone);
  await counts(2);
  await page.getByRole("button", { name: "Open what needs you" }).tap();
  await rail.getByRole("button", { name: "All cards" }).tap();
  await sheet.getByText(/^1 hidden until \d\d:\d\d$/).tap();
  expect(await phone.sideways()).toBe(0);
  await sheet.getByRole("button", { name: "Show now" }).tap();
  await counts(3);
}, 60_000);

it("D16 G14: what expires while it is hidden is at once among what expired while the person was away", async () => {
  const { page } = phone;
  const id = await ask("gone soon", { timeout_seconds: 2 });
  const until = new Date(Date.now() + 600_000).toISOString();
  const { body } = await stage.server.api(zoe, "snooze_gate", { gate_id: id, until });
  expect(Date.parse(body.snoozed_until)).toBeLessThan(Date.now() + 3000);
  await page.getByText("Nothing waits; 1 hidden").waitFor();
  await found(async () => {
    const gate = await stage.server.api(zoe, "get_gate", { gate_id: id });
    return gate.body.gate.status === "expired";
  });
  await open(phone);
  await page.getByText("Nothing waits; 1 expired").waitFor();
});

it("D17: a patch of 20,000 lines shows its card and Deny at once, with counts, and every line by scrolling", async () => {
  const { page } = phone;
  const lines = Array.from({ length: 20_000 }, (_, i) => `${"+-  "[i % 4]}line ${i} of the patch`);
  const patch = `--- a/all.ts\n+++ b/all.ts\n@@ -1,15000 +1,15000 @@\n${lines.join("\n")}`;
  await ask("patch it", { action: { patch } });
  const card = phone.card("Approval: patch it");
  const began = performance.now();
  await card.locator(".btn.deny:enabled").waitFor();
  expect(performance.now() - began).toBeLessThan(5000);
  await card.getByText("Loading the whole card").waitFor({ state: "detached" });
  const whole = card.getByRole("group", { name: "The action, whole" }).first();
  const nodes = () => page.evaluate<number>("document.querySelectorAll('*').length");
  expect(await nodes()).toBeLessThan(2000);
  expect(await textOf(card.locator(".action-head"))).toMatch(/\+5,000 −5,000 · 20,003 lines · \d{3},\d{3} characters/);
  for (const share of [0.5, 1]) {
    await whole.evaluate((box, to) => box.scrollTo(0, box.scrollHeight * to), share);
    await whole
      .getByText(/line \d+ of the patch/)
      .first()
      .waitFor();
    expect(await nodes()).toBeLessThan(2000);
  }
  await found(async () => {
    await whole.evaluate((box) => box.scrollTo(0, box.scrollHeight));
    return (await whole.getByText("line 19999 of the patch").count()) > 0;
  });
  // And a command of as many lines.
  await clear(stage, zoe);
  await open(phone);
  await ask("run it", { action: { command: Array.from({ length: 5000 }, (_, i) => `echo ${i}`).join("\n") } });
  await phone.card("Approval: run it").locator(".btn.deny:enabled").waitFor();
  expect(await nodes()).toBeLessThan(2000);
  expect(await textOf(phone.card("Approval: run it").locator(".action-head"))).toContain("5,000 lines");
  expect(await phone.sideways()).toBe(0);
});

it("D17: two long texts that differ in little are told by what differs, not as all gone and all new", async () => {
  const lines = await phone.page.evaluate<Array<{ kind: string; text: string }>>(`import("./words/line-diff.js").then(
    ({ linesOfEdit }) => {
      const before = Array.from({ length: 5000 }, (_, i) => (i % 3 ? "line " + i : "}"));
      const after = before.flatMap((line, i) => (i === 10 || i === 4990 ? ["new " + i, line] : i === 2500 ? [] : [line]));
      return linesOfEdit(before.join("\\n"), after.join("\\n")).filter((line) => line.kind);
    })`);
  expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual(["add new 10", "del line 2500", "add new 4990"]);
});

it("D6: code keeps its order in text that is written from right to left", async () => {
  const { page } = phone;
  await ask("rtl", { details: "הרץ את `0042_down.sql` עכשיו" });
  const code = phone.card("Approval: rtl").locator(".gate-text code");
  await code.waitFor();
  const style = await page.evaluate<string[]>(
    "(({ direction, unicodeBidi }) => [direction, unicodeBidi])(getComputedStyle(document.querySelector('.gate-text code')))",
  );
  expect(style).toEqual(["ltr", "isolate"]);
  // On the screen too: the digits stand left of the letters.
  const [digits = 0, letters = 0] = await page.evaluate<number[]>(`(() => {
    const text = document.querySelector(".gate-text code").firstChild;
    return [0, 5].map((at) => {
      const range = new Range();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    });
  })()`);
  expect(digits).toBeLessThan(letters);
});

it("D10: the first stop of the keyboard leads past everything to what needs the person", async () => {
  const desk = await stage.open("desk");
  await stage.signIn(desk, await stage.linkOf(zoe));
  await ask("by keyboard");
  // Loaded anew, so that the focus has been nowhere yet.
  await open(desk);
  await desk.card("Approval: by keyboard").locator(".btn.deny:enabled").waitFor();
  await desk.page.keyboard.press("Tab");
  await desk.page.locator(".skip:focus").waitFor();
  await desk.page.keyboard.press("Enter");
  await desk.page.locator(".gate-title:focus", { hasText: "by keyboard" }).waitFor();
  await quiet(desk);
});

it("D12: Stop all says for which rooms it is, and how many cards wait there", async () => {
  const { page } = phone;
  await stage.server.api(zoe, "create_room", { room: "billing", title: "Billing" });
  await ask("first");
  await ask("second");
  await page.getByRole("navigation", { name: "Rooms" }).locator(".badge", { hasText: "2" }).waitFor();
  await page.getByRole("button", { name: "Stop all" }).tap();
  const dialog = page.getByRole("dialog", { name: "Stop all agents?" });
  await dialog.getByText("In all 2 rooms where you decide:").waitFor();
  const text = await textOf(dialog);
  for (const words of ["Billing", "main", "2 cards wait there now"]) expect(text).toContain(words);
  expect(await phone.sideways()).toBe(0);
  await dialog.getByRole("button", { name: "Leave it" }).tap();
});
