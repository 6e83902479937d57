// What the page says is what the server has committed, and no answer is given by accident.
import type { Locator, WebSocketRoute } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Agent, found, untilAnswered } from "../processes/parley.ts";
import { hold, still, tap, typeApproval } from "./hands.ts";
import { clear, type Device, openStage, pictures, quiet, type Stage, textOf } from "./stage.ts";

let stage: Stage;
let agent: Agent;
let phone: Device;
let ada: string;
let zoe: string;

beforeAll(async () => {
  stage = await openStage();
  zoe = await stage.place.member("zoe", "--role", "owner");
  [ada = ""] = await stage.server.add(zoe, ["ada"]);
  agent = await stage.server.agent(ada);
  phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
}, 120_000);
beforeEach(async () => {
  await clear(stage, zoe);
  await phone.page.goto(stage.server.url);
  await live(phone);
});
afterEach(pictures);
afterAll(() => stage.close());

/** Asked without waiting; what stands in the store afterwards. */
async function ask(title: string, more: Record<string, unknown> = {}) {
  const asked = await agent.call("request_approval", { title, wait_seconds: 0, ...more });
  const { id } = asked.structuredContent.gate as { id: string };
  return async () => (await stage.server.api(zoe, "get_gate", { gate_id: id })).body.gate;
}

async function done(card: Locator): Promise<void> {
  await card.getByRole("button", { name: "Done", exact: true }).click();
  await card.waitFor({ state: "detached" });
}

const live = (device: Device) => device.page.getByTitle("What you see is live").waitFor();

it("D3: nothing on a new card has focus, its buttons are dead for 400 ms, no key approves", async () => {
  const { page } = phone;
  // Taps every button of a card at the very moment it appears, and notes when they come to life.
  await page.evaluate(`
    window.first = {}; window.alive = {};
    new MutationObserver(() => {
      for (const card of document.querySelectorAll("article.gate[data-open][data-status=pending]")) {
        const id = card.getAttribute("aria-label");
        const buttons = [...card.querySelectorAll(".answer-bar .btn")];
        if (!buttons.length) continue;
        const now = performance.now();
        if (!(id in first)) { first[id] = now; for (const one of buttons) one.click(); }
        if (buttons.every((one) => !one.disabled)) alive[id] ??= now;
      }
    }).observe(document, { subtree: true, childList: true, attributes: true });
  `);
  const gate = await ask("Deploy");
  const card = phone.card("Approval: Deploy");
  await card.locator(".answer-bar .btn:enabled").first().waitFor();
  const dead = await page.evaluate<number>('alive["Approval: Deploy"] - first["Approval: Deploy"]');
  expect(dead).toBeGreaterThan(395);
  expect(await page.evaluate<string>("document.activeElement.tagName")).toBe("BODY");
  for (const key of ["Enter", "Space", "a", "y", "Control+Enter"]) await page.keyboard.press(key);
  // With the focus in the reason too.
  await card.getByLabel("Reason").fill("thinking");
  for (const key of ["Enter", "Control+Enter"]) await page.keyboard.press(key);
  expect(await gate()).toMatchObject({ status: "pending" });
  await card.getByLabel("Reason").fill("");
  await tap(card.getByRole("button", { name: "Deny", exact: true }), card.getByText("Denied by you"));
  await done(card);
});

it("D3: high risk is approved by press and hold, or by the word; a tap or Enter does not", async () => {
  const { page } = phone;
  const gate = await ask("Force-push main", { risk: "high" });
  const card = phone.card("Approval: Force-push main");
  const button = card.getByRole("button", { name: /^Approve/ });
  await still(page);
  await button.click();
  await button.press("Enter");
  await still(page);
  const box = await button.boundingBox();
  expect(box?.height).toBeGreaterThanOrEqual(44);
  expect(await gate()).toMatchObject({ status: "pending" });
  await hold(button, card.getByText("keep holding"));
  await card.getByText("press and hold").waitFor();
  expect(await gate()).toMatchObject({ status: "pending" });
  await hold(button, card.getByText("Approved by you"));
  expect(await gate()).toMatchObject({ status: "approved" });
  await done(card);

  const other = await ask("Force-push again", { risk: "high" });
  const next = phone.card("Approval: Force-push again");
  await typeApproval(next);
  await next.getByText("Approved by you").waitFor();
  expect(await other()).toMatchObject({ status: "approved" });
  await done(next);
});

it("D3: a typed approval is sent, though the button seems alive a moment before the card may be answered", async () => {
  const gate = await ask("Force-push it all", { risk: "high", details: "line\n\n".repeat(60) });
  const card = phone.card("Approval: Force-push it all");
  await still(phone.page);
  // Timers that fire early, as those of browsers do by fractions of a millisecond.
  await phone.page.evaluate(`{
    const right = setTimeout;
    window.setTimeout = (act, ms = 0, ...more) => right(act, Math.max(0, ms - 20), ...more);
  }`);
  await typeApproval(card);
  await card.getByText("Approved by you").waitFor();
  expect(await gate()).toMatchObject({ status: "approved" });
  await done(card);
});

it("D1 D13: with the server gone an answer is not sent, and says so; its words are kept, and Retry sends them", async () => {
  const asked = agent.call("request_approval", { title: "Rotate the keys", key: "rotate" });
  const card = phone.card("Approval: Rotate the keys");
  await card.getByLabel("Reason").fill("after six, please");
  await stage.server.kill();
  await expect(asked).rejects.toThrow();
  await tap(card.getByRole("button", { name: "Approve", exact: true }), card.getByText("Not sent."));
  expect(await card.getAttribute("data-status")).toBe("pending");
  expect(await card.getByLabel("Reason").inputValue()).toBe("after six, please");
  await stage.restart();
  await live(phone);
  const { body } = await stage.server.api(zoe, "list_gates", { status: "pending" });
  expect(body.gates).toMatchObject([{ title: "Rotate the keys" }]);
  await tap(card.getByRole("button", { name: "Retry", exact: true }), card.getByText("Approved by you"));
  const answer = await agent.call("request_approval", { title: "Rotate the keys", key: "rotate" });
  expect(answer.structuredContent).toMatchObject({ gate: { status: "approved", note: "after six, please" } });
  await done(card);
});

it("D1 D4: a server that hangs: on its way until it is found out, and then the server's word", async () => {
  const gate = await ask("Restart the queue");
  const card = phone.card("Approval: Restart the queue");
  await card.getByRole("button", { name: "Approve", exact: true }).waitFor();
  await card.locator(".btn.approve:enabled").waitFor();
  stage.server.signal("SIGSTOP");
  const began = performance.now();
  await tap(card.getByRole("button", { name: "Approve", exact: true }), card.getByText("Sending your approval."));
  expect(await card.getAttribute("data-status")).toBe("pending");
  expect(await textOf(card)).toContain("Nothing is decided until the server says so.");
  // The socket looks alive all the while.
  await phone.page.getByText(/^(Reconnecting|Offline)/).waitFor();
  expect(performance.now() - began).toBeLessThan(12_000);
  await card.getByText("Not confirmed: it may have arrived.").waitFor();
  stage.server.signal("SIGCONT");
  await live(phone);
  // Whether it had arrived before is the server's to say.
  const now = await found(async () => {
    const { status } = await gate();
    if (status !== "pending") return status;
    await card
      .getByRole("button", { name: "Retry", exact: true })
      .click({ timeout: 1000 })
      .catch(() => {});
    return false;
  });
  expect(now).toBe("approved");
  await card.getByText("Approved by you").waitFor();
  await done(card);
});

it("D1: an answer whose confirmation was lost is never called not sent; the server is asked what it has", async () => {
  const device = await stage.open("phone");
  const { page } = device;
  let line: WebSocketRoute | undefined;
  /** What is kept back: the server's confirmation, or the answer itself; and everything, once the line is cut. */
  let lost: "done" | "do" | null = null;
  const waiting: Array<() => void> = [];
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const server = socket.connectToServer();
    line = socket;
    const first = lost === null;
    const pass = (go: () => void) => (first || lost === null ? go() : waiting.push(go));
    socket.onMessage((message) => {
      const { type, action } = JSON.parse(String(message));
      if (lost === "do" && type === "do" && action === "decide_gate") return;
      pass(() => server.send(message));
    });
    server.onMessage((message) => {
      const { type } = JSON.parse(String(message));
      if (first && lost !== null && ["done", "facts"].includes(type)) return;
      pass(() => socket.send(message));
    });
  });
  await stage.signIn(device, await stage.linkOf(zoe));
  await page.evaluate(`
    window.lies = [];
    new MutationObserver(() => {
      if (document.body.textContent.includes("Not sent")) lies.push(document.body.textContent);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  `);
  for (const [title, what] of [
    ["Send it", "done"],
    ["Send the other", "do"],
  ] as const) {
    const gate = await ask(title);
    const card = device.card(`Approval: ${title}`);
    await card.locator(".btn.approve:enabled").waitFor();
    lost = what;
    await tap(card.getByRole("button", { name: "Approve", exact: true }), card.getByText("Sending your approval."));
    if (what === "done") await found(async () => (await gate()).status === "approved");
    await line?.close();
    await card.getByText("Not confirmed: it may have arrived.").waitFor();
    // Nothing else can be sent until the server has said what it has.
    expect(await card.getByRole("button", { name: "Deny", exact: true }).isDisabled()).toBe(true);
    expect(await card.getByRole("button", { name: "Retry", exact: true }).count()).toBe(0);
    lost = null;
    for (const go of waiting.splice(0)) go();
    if (what === "do") {
      await card.getByText("It did not arrive.").waitFor();
      expect(await gate()).toMatchObject({ status: "pending" });
      await tap(card.getByRole("button", { name: "Retry", exact: true }), card.getByText("Approved by you"));
    }
    await card.getByText("Approved by you").waitFor();
    expect(await gate()).toMatchObject({ status: "approved", decided_by: "zoe" });
    await done(card);
  }
  expect(await page.evaluate("lies")).toEqual([]);
  await quiet(device);
});

it("D4: live, reconnecting, offline since when; after a restart it goes on from the last fact, and none is lost", async () => {
  const { page } = phone;
  const frames: string[] = [];
  page.on("websocket", (socket) => {
    socket.on("framesent", ({ payload }) => frames.push(`> ${payload}`));
    socket.on("framereceived", ({ payload }) => frames.push(`< ${payload}`));
  });
  await agent.call("post_message", { text: "said before" });
  await page.getByText("said before").waitFor();
  // Over stdio agents go on meanwhile: the store is the same.
  const other = await stage.place.stdio(ada);
  await stage.server.kill();
  await page.getByText(/^Reconnecting\. What you see is from \d/).waitFor();
  const told = ["said meanwhile 1", "said meanwhile 2", "said meanwhile 3"];
  for (const text of told) await other.call("post_message", { text });
  await other.call("request_approval", { title: "Asked meanwhile", wait_seconds: 0 });
  await page.getByText(/^Offline since \d/).waitFor();
  expect(await textOf(page.getByRole("status"))).toContain("Answers can’t be sent.");
  expect(await page.getByTitle("What you see is live").count()).toBe(0);
  frames.length = 0;
  await stage.restart();
  await page
    .getByRole("button", { name: "Try now" })
    .click({ timeout: 2000 })
    .catch(() => {});
  await live(phone);
  await phone.card("Approval: Asked meanwhile").waitFor();
  const said = await page.locator(".item.speech .prose").allTextContents();
  expect(said.filter((text) => text.startsWith("said"))).toEqual(["said before", ...told]);
  const hello = JSON.parse(frames.find((frame) => frame.startsWith('> {"type":"hello"'))?.slice(2) ?? "{}");
  expect(hello.since.main).toBeGreaterThan(0);
  expect(frames.filter((frame) => frame.startsWith('< {"type":"room"'))).toEqual([]);
  await other.close();

  await untilAnswered(() => stage.server.api(zoe, "list_gates"));
  const card = phone.card("Approval: Asked meanwhile");
  await tap(card.getByRole("button", { name: "Deny", exact: true }), card.getByText("Denied by you"));
});

// Last: from here on zoe is in two rooms.
it("D4: that nothing waits is said only when it is known, and when nothing waits in another room either", async () => {
  await stage.server.api(zoe, "create_room", { room: "lab", title: "The lab" });
  const [token = ""] = await stage.server.add(zoe, ["eve"], { room: "lab" });
  const eve = await stage.server.agent(token);
  const device = await stage.open("phone");
  const { page } = device;
  const held: (() => void)[] = [];
  let holds = true;
  await page.routeWebSocket(/\/ws$/, (socket) => {
    const line = socket.connectToServer();
    line.onMessage((message) => {
      if (holds && JSON.parse(String(message)).type === "room") held.push(() => socket.send(message));
      else socket.send(message);
    });
  });
  await stage.signIn(device, await stage.linkOf(zoe));
  await page.goto(`${stage.server.url}?room=main`);
  const head = device.needs.getByRole("heading").first();
  await head.getByText("Looking for what waits").waitFor();
  await found(async () => held.length > 0);
  expect(await textOf(head)).not.toContain("Nothing");
  holds = false;
  for (const go of held) go();
  await head.getByText("Nothing waits for you").waitFor();

  await eve.call("report_blocker", { title: "No key for the lab", details: "None.", wait_seconds: 0 });
  await head.getByText("Nothing here").waitFor();
  await head.getByRole("link", { name: "1 in The lab" }).click();
  await device.card("Blocker: No key for the lab").waitFor();
  expect(await device.sideways()).toBe(0);
  await quiet(phone, device);
});
