// More than one card, and more than one look at a card: answered together, edited before, late, and run otherwise.
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Agent, found } from "../processes/parley.ts";
import { hold, still, tap, typeApproval } from "./hands.ts";
import { clear, type Device, openStage, pictures, quiet, type Stage, textOf } from "./stage.ts";

let stage: Stage;
let ada: Agent;
let bob: Agent;
let phone: Device;
let zoe: string;
let sam: string;
/** Facts that are still on their way to the phone: it has not heard of what others do. */
let held = false;

beforeAll(async () => {
  stage = await openStage();
  zoe = await stage.place.member("zoe", "--role", "owner");
  sam = await stage.place.member("sam", "--person");
  const [a = "", b = ""] = await stage.server.add(zoe, ["ada", "bob"]);
  [ada, bob] = await Promise.all([stage.server.agent(a), stage.server.agent(b)]);
  phone = await stage.open("phone");
  await phone.page.routeWebSocket(/\/ws$/, (socket) => {
    const line = socket.connectToServer();
    line.onMessage((message) => {
      if (!held || JSON.parse(String(message)).type !== "facts") socket.send(message);
    });
  });
  await stage.signIn(phone, await stage.linkOf(zoe));
  await phone.page.getByRole("button", { name: "I know" }).click();
}, 120_000);
beforeEach(async () => {
  held = false;
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

/** Asked without waiting; its id. */
async function ask(agent: Agent, title: string, more: Record<string, unknown> = {}): Promise<string> {
  const asked = await agent.call("request_approval", {
    title,
    action: { command: `do ${title}`, cwd: "~/code" },
    wait_seconds: 0,
    ...more,
  });
  return (asked.structuredContent.gate as { id: string }).id;
}

const stands = async (id: string) => (await stage.server.api(zoe, "get_gate", { gate_id: id })).body.gate;
const rail = () => phone.page.getByRole("navigation", { name: "What waits" });
const select = (card: Locator) => card.getByLabel("Select", { exact: true });

/** Opens the sheet where it is not up yet. */
async function sheet(): Promise<void> {
  const close = phone.page.getByRole("button", { name: "Close", exact: true });
  await found(async () => {
    if ((await close.count()) > 0) return true;
    await phone.page
      .getByRole("button", { name: "Open what needs you" })
      .click({ timeout: 500 })
      .catch(() => {});
    return false;
  });
}

/** Reads a card on the phone: by its button in the rail. */
async function read(title: string): Promise<Locator> {
  await rail()
    .getByRole("button", { name: new RegExp(`: ${title}, `) })
    .click();
  const card = phone.page.locator("article[data-open]").filter({ hasText: title });
  await card.waitFor();
  return card;
}

it("G15 D12: opened cards are answered together, each with its result; unread ones and high risk are not approved so", async () => {
  const ids = {
    lint: await ask(ada, "lint"),
    format: await ask(ada, "format"),
    test: await ask(bob, "test"),
    push: await ask(bob, "push", { risk: "high" }),
    later: await ask(bob, "unread"),
  };
  await sheet();
  for (const title of ["lint", "format", "test", "push"]) {
    const card = await read(title);
    await found(async () => select(card).isEnabled());
    await select(card).check();
  }
  // While one is read, its own buttons are the only ones.
  await phone.page.getByText("4 selected.").waitFor();
  expect(await phone.page.getByRole("button", { name: /^Approve \d/ }).count()).toBe(0);
  await phone.page.getByRole("button", { name: "Answer together" }).click();

  // All of them, by who asks; what was not opened cannot be chosen.
  const rows = await phone.page.locator(".needs-body :is(.needs-part h3, .gate-row .what)").allTextContents();
  expect(rows.map((row) => row.trim())).toEqual(["ada 2", "lint", "format", "bob 3", "test", "push", "unread"]);
  expect(await phone.page.getByLabel("Not opened yet: unread").isDisabled()).toBe(true);
  const bar = phone.page.getByRole("group", { name: "Answer together" });
  expect(await textOf(bar)).toContain("1 card of high risk: approved alone, on its own card.");
  expect(await phone.sideways()).toBe(0);

  // Somebody else is quicker with one of them, and one is withdrawn; the page has not heard of it yet.
  held = true;
  await stage.server.api(sam, "decide_gate", { gate_id: ids.format, decision: "deny", note: "not now" });
  await bob.call("withdraw_gate", { gate_id: ids.test, reason: "done by hand" });
  const results = phone.page.getByRole("region", { name: "Answered together" });
  await tap(bar.getByRole("button", { name: "Approve 3" }), results);
  await results.getByText("Approved by you").waitFor();
  await results.getByText("sam denied this").waitFor();
  await results.getByText("This gate was withdrawn (done by hand) before").waitFor();
  expect(await stands(ids.lint)).toMatchObject({ status: "approved", decided_by: "zoe" });
  expect(await stands(ids.format)).toMatchObject({ status: "denied", decided_by: "sam" });
  for (const id of [ids.push, ids.later]) expect(await stands(id)).toMatchObject({ status: "pending" });
  await results.getByRole("button", { name: "Done" }).click();
  await results.waitFor({ state: "detached" });

  // Several of high risk are denied together.
  held = false;
  await read("unread").then((card) => select(card).check());
  await read("push").then((card) => select(card).check());
  await phone.page.getByRole("button", { name: "Answer together" }).click();
  await tap(bar.getByRole("button", { name: "Deny 2" }), results);
  await found(async () => (await results.getByText("Denied by you").count()) === 2);
  for (const id of [ids.push, ids.later]) expect(await stands(id)).toMatchObject({ status: "denied" });
  await results.getByRole("button", { name: "Done" }).click();
});

it("D1 G15: what could not be sent together says so on each, and is sent again", async () => {
  const [one, two] = [await ask(ada, "first step"), await ask(ada, "second step")];
  await sheet();
  for (const title of ["first step", "second step"]) await read(title).then((card) => select(card).check());
  await phone.page.getByRole("button", { name: "Answer together" }).click();
  const bar = phone.page.getByRole("group", { name: "Answer together" });
  const results = phone.page.getByRole("region", { name: "Answered together" });
  await stage.server.kill();
  await tap(bar.getByRole("button", { name: "Approve 2" }), results);
  await found(async () => (await results.getByText("Not sent.").count()) === 2);
  await stage.restart();
  await phone.page.getByTitle("What you see is live").waitFor();
  for (const id of [one, two]) expect(await stands(id)).toMatchObject({ status: "pending" });
  await tap(results.getByRole("button", { name: "Retry 2" }), results.getByText("Approved by you"));
  await found(async () => (await results.getByText("Approved by you").count()) === 2);
  for (const id of [one, two]) expect(await stands(id)).toMatchObject({ status: "approved" });
  await results.getByRole("button", { name: "Done" }).click();
});

it("G14 G2: what expired while a person was away is reopened and approved in one gesture, or put away", async () => {
  const soon = { timeout_seconds: 1 };
  const low = await ask(ada, "tidy up", soon);
  const high = await ask(ada, "push it", { ...soon, risk: "high" });
  const critical = await ask(bob, "drop it", { timeout_seconds: 5, risk: "critical" });
  const asked = await bob.call("wait_for_feedback", { question: "Which one?", ...soon, wait_seconds: 0 });
  const question = (asked.structuredContent.gate as { id: string }).id;
  for (const id of [low, high, critical, question]) await found(async () => (await stands(id)).status === "expired");
  // Nothing waits, so nothing comes up by itself; the person looks.
  await phone.page.goto(stage.server.url);
  await phone.page.getByText("Nothing waits; 4 expired").waitFor();
  expect(await phone.page.getByRole("button", { name: "Close", exact: true }).count()).toBe(0);
  await sheet();
  await phone.page.getByRole("heading", { name: "Expired while you were away 4" }).waitFor();
  // The sheet comes up by a tap; the page under it stays where it is.
  expect(await phone.page.evaluate<number>("document.scrollingElement.scrollTop")).toBe(0);
  expect(await phone.sideways()).toBe(0);

  let card = await read("tidy up");
  await card.getByText("ada is told that the answer is late").waitFor();
  await card.getByLabel("Reason").fill("was asleep");
  await tap(card.getByRole("button", { name: "Reopen and approve" }), phone.page.getByText("Approved by you"));
  const { reopened_as } = await stands(low);
  expect(await stands(reopened_as)).toMatchObject({ status: "approved", note: "was asleep", decided_by: "zoe" });
  expect(await phone.page.getByText("What you wrote, not used").count()).toBe(0);
  const told = (await ada.call("get_gate", { gate_id: reopened_as })).structuredContent.gate;
  expect(told).toMatchObject({ reopens: low, next: { advice: expect.stringContaining("late") } });
  await phone.page.locator("article[data-open]").getByRole("button", { name: "Done", exact: true }).click();

  // High risk is held, and a tap is nothing.
  card = await read("push it");
  const both = card.getByRole("button", { name: /^Reopen and approve/ });
  await still(phone.page);
  await both.click();
  expect((await stands(high)).reopened_as).toBeUndefined();
  await hold(both, phone.page.getByText("Approved by you"));
  expect(await stands((await stands(high)).reopened_as)).toMatchObject({ status: "approved" });
  await phone.page.locator("article[data-open]").getByRole("button", { name: "Done", exact: true }).click();

  // What needs two approvals is only asked again.
  card = await read("drop it");
  await card.getByText("It needs two approvals").waitFor();
  expect(await card.getByRole("button", { name: /^Reopen and/ }).count()).toBe(0);
  const again = phone.page.locator("article[data-open][data-status=pending]").filter({ hasText: "drop it" });
  await tap(card.getByRole("button", { name: "Reopen", exact: true }), again);
  expect(await stands((await stands(critical)).reopened_as)).toMatchObject({ status: "pending", approvals: [] });
  const open = phone.page.locator("article[data-open]");
  await tap(open.getByRole("button", { name: "Deny", exact: true }), open.getByText("Denied by you"));
  await open.getByRole("button", { name: "Done", exact: true }).click();

  // The rest is put away for this person on every device, and stays before others.
  await sheet();
  await phone.page.getByRole("button", { name: "Dismiss all" }).click();
  await phone.page.getByText("Nothing waits for you").waitFor();
  await phone.page.goto(stage.server.url);
  await phone.page.getByText("Nothing waits for you").waitFor();
  const desk = await stage.open("desk");
  await stage.signIn(desk, await stage.linkOf(sam));
  const part = desk.needs.getByRole("heading", { name: "Expired while you were away 1" });
  await part.waitFor();
  await desk.needs.getByRole("button", { name: "Which one?" }).click();
  const late = desk.card("Question: Which one?");
  expect(await late.getByRole("button", { name: "Reopen and answer" }).isDisabled()).toBe(true);
  await late.getByLabel("Your own words").fill("The blue one");
  await tap(late.getByRole("button", { name: "Reopen and answer" }), desk.needs.getByText("Answered by you"));
  expect(await stands((await stands(question)).reopened_as)).toMatchObject({
    status: "answered",
    text: "The blue one",
  });
  await quiet(desk);
}, 90_000);

it("G2 D1: reopened by somebody else meanwhile, nothing is approved: the new card is shown", async () => {
  const id = await ask(ada, "twice", { timeout_seconds: 1 });
  await found(async () => (await stands(id)).status === "expired");
  await phone.page.goto(stage.server.url);
  await sheet();
  const card = await read("twice");
  held = true;
  const { body } = await stage.server.api(sam, "reopen_gate", { gate_id: id });
  await tap(
    card.getByRole("button", { name: "Reopen and approve" }),
    phone.page.getByText("This gate was reopened before; answer the new one."),
  );
  expect(await stands(body.gate.id)).toMatchObject({ status: "pending" });
});

it("G7 G9: the action is edited with the change in sight, and an approver who saw another one is refused", async () => {
  const id = await ask(ada, "deploy", { risk: "critical", action: { command: "make deploy", cwd: "~/code" } });
  await sheet();
  const card = await read("deploy");
  const desk = await stage.open("desk");
  let late = false;
  await desk.page.routeWebSocket(/\/ws$/, (socket) => {
    const line = socket.connectToServer();
    line.onMessage((message) => {
      if (!late || JSON.parse(String(message)).type !== "facts") socket.send(message);
    });
  });
  await stage.signIn(desk, await stage.linkOf(sam));
  const there = desk.card("Approval: deploy");
  await there.locator(".btn.hold:enabled").waitFor();

  await card.getByRole("button", { name: "Edit before approving" }).click();
  await card.getByLabel("The action, edited").fill("make deploy --canary");
  const change = card.getByRole("group", { name: "What you change" });
  expect(await textOf(change.locator(".del code"))).toBe("make deploy");
  expect(await textOf(change.locator(".add em"))).toBe(" --canary");
  // While it is being edited nothing is approved: neither the one nor the other.
  await card.getByText("You are editing the action.").waitFor();
  expect(await card.getByRole("button", { name: /^Approve/ }).isDisabled()).toBe(true);
  // It survives a reload.
  await phone.page.reload();
  await sheet();
  await read("deploy");
  expect(await card.getByLabel("The action, edited").inputValue()).toBe("make deploy --canary");
  await card.getByRole("button", { name: "Use this" }).click();
  await card.getByText("This is what would be approved.").waitFor();
  expect(await phone.sideways()).toBe(0);
  late = true;
  await hold(card.getByRole("button", { name: /^Approve/ }), card.getByText("You approved"));
  expect(await stands(id)).toMatchObject({ status: "pending", edited: true, approvals: [{ by: "zoe" }] });

  // On the desk the old action stands, and what is answered to it is refused.
  await typeApproval(there);
  await there.getByText("Not taken: the action is another now.").waitFor();
  await there.getByText("zoe edited the action after you opened it").waitFor();
  expect(await stands(id)).toMatchObject({ status: "pending", approvals: [{ by: "zoe" }] });
  late = false;
  expect(await textOf(there.getByRole("group", { name: "The action, whole" }))).toContain("make deploy --canary");
  expect(await textOf(there.getByRole("group", { name: "What was edited" }))).toContain("make deploy");
  await typeApproval(there);
  await there.getByText("Approved by you").waitFor();
  expect(await stands(id)).toMatchObject({ status: "approved", action: { command: "make deploy --canary" } });
  await card.getByText("zoe edited it:").waitFor();
  expect(await textOf(card.getByRole("group", { name: "What was edited" }).locator(".add"))).toContain("--canary");
  await quiet(desk);
});

it("G7: an action that is JSON is edited as JSON, and what is none is refused in place", async () => {
  const action = { tool: "deploy", replicas: 3, region: "eu" };
  const id = await ask(ada, "scale", { action });
  await sheet();
  const card = await read("scale");
  await card.getByRole("button", { name: "Edit before approving" }).click();
  const field = card.getByLabel("The action, edited");
  await field.fill('{"tool": "deploy", "replicas": }');
  await card.getByText("This is no JSON").waitFor();
  expect(await card.getByRole("button", { name: "Use this" }).isDisabled()).toBe(true);
  await field.fill('{"tool": "deploy", "replicas": 1, "region": "eu"}');
  expect(await textOf(card.getByRole("group", { name: "What you change" }).locator(".add code"))).toContain(
    '"replicas": 1',
  );
  await card.getByRole("button", { name: "Use this" }).click();
  await tap(card.getByRole("button", { name: "Approve edited" }), card.getByText("Approved by you"));
  expect(await stands(id)).toMatchObject({
    status: "approved",
    action: { ...action, replicas: 1 },
    asked_action: action,
  });
  await card.getByRole("button", { name: "Done", exact: true }).click();
});

it("G7 G6: a card says whether its answer was delivered, and warns where something else was run", async () => {
  const id = await ask(ada, "lint it", { action: { command: "npm run lint", cwd: "~/code" } });
  await sheet();
  const card = await read("lint it");
  await tap(card.getByRole("button", { name: "Approve", exact: true }), card.getByText("Approved by you"));
  await card.getByText("Not delivered yet").waitFor();
  await ada.call("wait_for_gate", { gate_id: id });
  await card.getByText("Delivered", { exact: true }).waitFor();
  await ada.call("whoami");
  await card.getByText("Delivered", { exact: true }).waitFor({ state: "detached" });
  await card.getByRole("button", { name: "Done", exact: true }).click();

  await ada.call("gate_result", { gate_id: id, action: { command: "npm run lint; git push", cwd: "~/code" } });
  // It stands before the person again, and in the stream.
  await sheet();
  const again = await read("lint it");
  await again.getByText("ada ran something else than was approved").first().waitFor();
  const change = again.getByRole("group", { name: "What was run" });
  expect(await textOf(change.locator(".del code"))).toBe("npm run lint");
  expect(await textOf(change.locator(".add em"))).toBe("; git push");
  expect(await phone.sideways()).toBe(0);
  await again.getByRole("button", { name: "Done", exact: true }).click();
  await phone.page.getByText("Nothing waits for you").waitFor();
  await phone.page.locator(".bad-fact").filter({ hasText: "something else" }).waitFor();
});

it("G7: what was denied and ran all the same, and what ran twice, is said so, without a change that is none", async () => {
  const action = { command: "rm -r build", cwd: "~/code" };
  const denied = await ask(ada, "clear it", { action });
  const once = await ask(ada, "clear it once", { action: { ...action, cwd: "~" }, single_use: true });
  await stage.server.api(sam, "decide_gate", { gate_id: denied, decision: "deny" });
  await stage.server.api(sam, "decide_gate", { gate_id: once, decision: "approve" });
  await ada.call("gate_result", { gate_id: denied, action });
  for (let n = 0; n < 2; n++) await ada.call("gate_result", { gate_id: once, action: { ...action, cwd: "~" } });
  for (const [title, words] of [
    ["clear it", "ada ran what sam denied"],
    ["clear it once", "ada ran it again, though it was approved for one time"],
  ] as const) {
    await sheet();
    const card = await read(title);
    await card.getByText(words).first().waitFor();
    expect(await card.getByRole("group", { name: "What was run" }).count()).toBe(0);
    expect(await card.getByText("Nothing differs").count()).toBe(0);
    await card.getByRole("button", { name: "Done", exact: true }).click();
  }
});

it("G2: where choices are offered, Approve waits for one and says so; Deny does not", async () => {
  const id = await ask(ada, "deploy where", { options: ["staging", "production"] });
  await sheet();
  const card = await read("deploy where");
  await card.getByText("Choose one to approve.").waitFor();
  await found(async () => card.getByRole("button", { name: "Deny", exact: true }).isEnabled());
  expect(await card.getByRole("button", { name: "Approve", exact: true }).isDisabled()).toBe(true);
  await card.getByRole("radio", { name: "staging" }).click();
  await card.getByText("Choose one to approve.").waitFor({ state: "detached" });
  await tap(card.getByRole("button", { name: "Approve", exact: true }), card.getByText("Approved by you"));
  expect(await stands(id)).toMatchObject({ status: "approved", choice: "staging" });
});
