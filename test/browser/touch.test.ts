// A finger on the page, by real touch events: what it does, and what it must not do by accident.
import type { CDPSession, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Agent, found } from "../processes/parley.ts";
import { Finger, still } from "./hands.ts";
import { clear, openFloorStage, pictures, quiet, textOf } from "./stage.ts";

type On = Awaited<ReturnType<typeof openFloorStage>>;
let stage: On["stage"], zoe: On["zoe"], ada: On["ada"], bob: On["bob"], phone: On["phone"];
let cdp: CDPSession, finger: Finger;

beforeAll(async () => {
  ({ stage, zoe, ada, bob, phone } = await openFloorStage());
  await phone.page.getByRole("button", { name: "I know" }).click();
  cdp = await phone.context.newCDPSession(phone.page);
  finger = new Finger(cdp);
}, 120_000);
beforeEach(async () => {
  await clear(stage, zoe);
  await phone.page.goto(stage.server.url);
  await phone.page.getByTitle("What you see is live").waitFor();
});
afterEach(pictures);
afterAll(async () => {
  try {
    await quiet(phone);
  } finally {
    await stage.close();
  }
});

/**
 * Controls that are less than 44 px high or wide, other than links within a sentence and the one that only a keyboard shows; and parts that hide what is longer
 * than they are, yet could be scrolled to it by a search or a screen reader.
 */
const smallOrHidden = `(() => {
  const wrong = [];
  for (const one of document.querySelectorAll("a[href], button, input, select, textarea, summary, [role=tab]")) {
    const target = one.closest("label") ?? one;
    const { width, height } = target.getBoundingClientRect();
    if (!width || one.closest("[inert], .prose, .fact, .skip:not(:focus)") || Math.min(width, height) > 43.5) continue;
    wrong.push(Math.round(width) + " x " + Math.round(height) + " " + one.outerHTML.slice(0, 140));
  }
  for (const one of document.querySelectorAll(".needs, .app, .panes, .pane, main, dialog, article")) {
    const { overflowY } = getComputedStyle(one);
    if (overflowY === "hidden" && one.scrollHeight > one.clientHeight + 1)
      wrong.push("hides " + (one.scrollHeight - one.clientHeight) + " " + one.className);
  }
  return wrong;
})()`;

async function ask(agent: Agent, title: string, more: Record<string, unknown> = {}): Promise<string> {
  const action = { command: `do ${title}`, cwd: "~/code" };
  const asked = await agent.call("request_approval", { title, action, wait_seconds: 0, ...more });
  return (asked.structuredContent.gate as { id: string }).id;
}
const stands = async (id: string) => (await stage.server.api(zoe, "get_gate", { gate_id: id })).body.gate;
const button = (name: string | RegExp) => phone.page.locator("article[data-open]").getByRole("button", { name });
const outcome = () => phone.page.locator("article[data-open] .outcome");

it("D18: lifting the finger after press and hold touches nothing: the outcome stays, and can be taken back", async () => {
  const id = await ask(ada, "push it", { risk: "high" });
  await ask(ada, "the next one");
  await outcomeOfHold(id);
  // Whatever stands under the finger now needs a tap of its own.
  await still(phone.page);
  expect(await textOf(outcome())).toContain("Approved by you");
  await finger.tap(button("Take back"));
  await outcome().getByText("Taken back, so denied, by you").waitFor();
  expect(await stands(id)).toMatchObject({ status: "denied" });
  await still(phone.page);
  await finger.tap(button("Done"));
  await phone.card("Approval: the next one").getByRole("button", { name: "Approve", exact: true }).waitFor();
});

async function outcomeOfHold(id: string): Promise<void> {
  const hold = button(/^Approve/);
  await hold.waitFor();
  await still(phone.page);
  const at = await finger.down(hold);
  await outcome().getByText("Approved by you").waitFor();
  // The hand is never quite still, and goes only once the outcome has stood for a while.
  await finger.move({ x: at.x + 3, y: at.y - 2 });
  await still(phone.page);
  await finger.up();
  expect(await stands(id)).toMatchObject({ status: "approved" });
}

it.each([
  [0, 150, 650],
  [0, 400, 900],
  [0, 700, 1400],
  [0, 1000, 2000],
])("D18: impatient taps on one spot, at %i, %i and %i ms, approve the first card and touch no other", async (...at) => {
  const titles = [`publish ${at[1]}`, `mail ${at[1]}`, `delete ${at[1]}`];
  const ids: string[] = [];
  for (const title of titles) ids.push(await ask(ada, title));
  const approve = button("Approve");
  await approve.waitFor();
  await still(phone.page);
  await finger.series(await middleOf(approve), at);
  await outcome().getByText("Approved by you").waitFor();
  const after = await Promise.all(ids.map(stands));
  expect(after.map(({ status }) => status).sort()).toEqual(["approved", "pending", "pending"]);
});

it("D18: a double tap on Deny denies one card, and one on Done puts one card away", async () => {
  const ids = [await ask(ada, "first"), await ask(ada, "second"), await ask(bob, "third")];
  await button("Deny").waitFor();
  await still(phone.page);
  await finger.series(await middleOf(button("Deny")), [0, 300]);
  await outcome().getByText("Denied by you").waitFor();
  await still(phone.page);
  await finger.series(await middleOf(button("Done")), [0, 300, 600]);
  await button("Approve").waitFor();
  expect((await Promise.all(ids.map(stands))).map(({ status }) => status).sort()).toEqual([
    "denied",
    "pending",
    "pending",
  ]);
});

it.each([450, 1000])("D18: a second tap on More, after %i ms, does not deny what came there", async (ms) => {
  const id = await ask(ada, `not yet ${ms}`);
  await button("Deny").waitFor();
  await still(phone.page);
  await finger.series(await middleOf(button("More: snooze, rules")), [0, ms]);
  await button("Less").waitFor();
  await still(phone.page);
  expect(await stands(id)).toMatchObject({ status: "pending" });
  await finger.tap(button(/^Deny/));
  await outcome().getByText("Denied by you").waitFor();
});

it("D18: answered together: no tap of a series reaches Done, or the card behind it", async () => {
  const ids = [await ask(ada, "lint"), await ask(ada, "format"), await ask(ada, "alone")];
  const rail = phone.page.getByRole("navigation", { name: "What waits" });
  for (const title of ["lint", "format"]) {
    await rail.getByRole("button", { name: new RegExp(`: ${title}, `) }).click();
    const select = phone.page.locator("article[data-open]").filter({ hasText: title }).getByLabel("Select");
    await found(() => select.isEnabled());
    await select.check();
  }
  await phone.page.getByRole("button", { name: "Answer together" }).click();
  await still(phone.page);
  await finger.series(await middleOf(phone.page.getByRole("button", { name: "Approve 2" })), [0, 400, 900]);
  const results = phone.page.getByRole("region", { name: "Answered together" });
  await found(async () => (await results.getByText("Approved by you").count()) === 2);
  expect((await Promise.all(ids.map(stands))).map(({ status }) => status)).toEqual(["approved", "approved", "pending"]);
});

it("D18: a seat that comes under the finger is not granted by the tap that granted the one before it", async () => {
  await stage.server.api(zoe, "open_floor", { seats: ["ada", "bob"], mode: "moderated" });
  await ada.call("request_floor", { purpose: "one" });
  await bob.call("request_floor", { purpose: "two" });
  await phone.page.goto(`${stage.server.url}?view=floor`);
  const grant = phone.page.getByRole("button", { name: "Grant to ada" });
  await grant.waitFor();
  await still(phone.page);
  await finger.series(await middleOf(grant), [0, 250, 500]);
  await phone.page.getByText("is offered the floor, turn 1").waitFor();
  const { body } = await stage.server.api(zoe, "floor", {});
  expect(body.floor).toMatchObject({ holder: "ada", last_turn: 1 });
  await stage.server.api(zoe, "close_floor", {});
});

it("D18: a double tap that opens a dialog, or leaves it, presses nothing in it or behind it", async () => {
  const stop = phone.page.getByRole("button", { name: "Stop all" });
  const dialog = phone.page.getByRole("dialog", { name: "Stop all agents?" });
  await still(phone.page);
  await finger.series(await middleOf(stop), [0, 200]);
  await dialog.waitFor();
  await still(phone.page);
  // A tap beside it closes it, on the button that opened it.
  await finger.series(await middleOf(stop), [0, 200]);
  await dialog.waitFor({ state: "detached" });
  await still(phone.page);
  expect(await dialog.count()).toBe(0);
});

it("the sheet follows a finger on its head, closes and comes up again; a tap does the same; a small drag does nothing", async () => {
  await ask(ada, "drag me");
  const close = phone.page.getByRole("button", { name: "Close", exact: true });
  const open = phone.page.getByRole("button", { name: "Open what needs you" });
  await close.waitFor();
  await still(phone.page);
  await finger.drag(close, { y: 20 });
  await still(phone.page);
  expect(await close.count()).toBe(1);
  const begin = await finger.down(close);
  const { y: before = 0 } = (await phone.needs.boundingBox()) ?? {};
  for (let y = 20; y <= 120; y += 20) await finger.move({ x: begin.x, y: begin.y + y });
  await found(async () => ((await phone.needs.boundingBox())?.y ?? 0) > before + 80);
  await finger.up();
  await open.waitFor();
  await still(phone.page);
  await finger.drag(open, { y: -100 });
  await close.waitFor();
  await still(phone.page);
  expect(await phone.needs.evaluate((e) => e.style.translate)).toBe("");
  await finger.tap(close);
  await open.waitFor();
  await still(phone.page);
  await finger.tap(open);
  await close.waitFor();
});

it("D18: on a phone every control of every page can be hit by a thumb, and no page scrolls what it hides", async () => {
  const { page } = phone;
  await stage.server.api(zoe, "open_floor", { seats: ["ada", "bob", "zoe"] });
  await ada.call("request_floor", { purpose: "to begin" });
  await bob.call("say", { text: "Which port?", addressed_to: "zoe", expects_reply: true, or_queue: true });
  const { body } = await stage.server.api(zoe, "create_task", { title: "Write it down", description: "All of it." });
  const asked = [
    await ask(ada, "deploy", { details: "See #1 and https://parley.example/a.", options: ["here", "there"] }),
    await ask(ada, "deploy it all", { risk: "high" }),
  ];
  for (const [tool, args] of [
    ["wait_for_feedback", { question: "Which one?" }],
    ["report_blocker", { title: "No key", details: "None." }],
  ] as const) {
    const { structuredContent } = await bob.call(tool, { ...args, wait_seconds: 0 });
    asked.push((structuredContent.gate as { id: string }).id);
  }
  const views = ["stream", "board", "floor", "people", "settings", "connect"].map((view) => `?view=${view}`);
  const found: unknown[] = [];
  for (const path of [...views, `?task=${body.task.id}`, ...asked.map((id) => `?gate=${id}`), `gate/${asked[0]}`]) {
    await page.goto(`${stage.server.url}${path}`);
    await page.getByTitle("What you see is live").waitFor();
    await still(page);
    const sheet = page.getByRole("button", { name: "Close", exact: true });
    if (!path.includes("gate") && (await sheet.count()) > 0) {
      await sheet.click();
      await still(page);
    }
    found.push(...(await page.evaluate<unknown[]>(smallOrHidden)).map((one) => [path, one]));
  }
  expect(found).toEqual([]);
  await stage.server.api(zoe, "close_floor", {});
});

const middleOf = (what: Locator) => Finger.middleOf(what);
