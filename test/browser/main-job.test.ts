// The main job: an agent asks and is stopped; a person sees it on a phone, answers, and the agent's call returns with it.
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { Called } from "../edges/mcp/stage.ts";
import type { Agent } from "../processes/parley.ts";
import { tap } from "./hands.ts";
import { type Device, devices, openStage, pictures, quiet, type Stage, textOf } from "./stage.ts";

let stage: Stage;
let agent: Agent;
let phone: Device;
let ada: string;

beforeAll(async () => {
  stage = await openStage();
  ada = await stage.place.member("ada");
  agent = await stage.server.agent(ada);
  phone = await stage.open("phone");
  // The first person is asked for a name, and becomes the owner.
  await stage.signIn(phone, await stage.place.link(stage.server), "robin");
}, 120_000);
afterEach(pictures);
afterAll(async () => {
  try {
    await quiet(phone);
  } finally {
    await stage.close();
  }
});

const gateOf = ({ structuredContent }: Called) => structuredContent.gate as Record<string, unknown>;

const action = { command: "npm publish --access public", cwd: "~/code/site" };

async function approveOnThePhone(asker: Agent, title: string): Promise<void> {
  const asked = asker.call("request_approval", { title, details: "Version 2.1, all tests pass.", action });
  const card = phone.card(`Approval: ${title}`);
  // It comes by itself, whole.
  await card.getByRole("button", { name: "Approve", exact: true }).waitFor();
  for (const text of ["npm publish --access public", "~/code/site", "Version 2.1, all tests pass.", "ada"])
    expect(await textOf(card)).toContain(text);
  expect(await phone.sideways()).toBe(0);
  await card.getByLabel("Reason").fill("looks good; tell me when it is out");
  const early = await Promise.race([asked, card.getByText("waits in the call").waitFor()]);
  expect(early).toBeUndefined();
  await press(card, "Approve");
  const gate = gateOf(await asked);
  expect(gate).toMatchObject({
    status: "approved",
    note: "looks good; tell me when it is out",
    from_person: true,
    decided_by: "robin",
    device: devices.phone.called,
    action,
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
  });
  await card.getByText("ada read it at once").waitFor();
  expect(await textOf(card)).toMatch(/Approved by you at [\d:]+, on this device\. ada read it at once\./);
  await done(card);
}

/** Answers by this button, until the card says what was decided. */
const press = (card: Locator, button: string): Promise<void> =>
  tap(
    card.getByRole("button", { name: button, exact: true }),
    card.getByText(/(Approved|Denied|Answered|Resolved) by|before your/),
  );

/** Puts a settled card away. */
async function done(card: Locator): Promise<void> {
  await card.getByRole("button", { name: "Done", exact: true }).click();
  await card.waitFor({ state: "detached" });
}

it("G1 G7: asked over HTTP, approved on the phone with a note, returned to the agent's call", async () => {
  await approveOnThePhone(agent, "Publish the site");
  const { server_role } = (await stage.server.api(ada, "list_members")).body.members.find(
    (one: { name: string }) => one.name === "robin",
  );
  expect(server_role).toBe("owner");
});

it("G1 G7: the same over stdio, in a process of its own on the same file", async () => {
  const other = await stage.place.stdio(ada);
  await approveOnThePhone(other, "Publish the site again");
  await other.close();
});

it("G2: feedback is answered by a choice or in words, a blocker resolved, an approval denied by a chip", async () => {
  const choice = agent.call("wait_for_feedback", { question: "Which colour?", options: ["Blue", "Amber"] });
  let card = phone.card("Question: Which colour?");
  await card.getByRole("radio", { name: "Amber" }).click();
  await press(card, "Send answer");
  expect(gateOf(await choice)).toMatchObject({ status: "answered", choice: "Amber", from_person: true });
  await done(card);

  const words = agent.call("wait_for_feedback", { question: "What shall it be called?" });
  card = phone.card("Question: What shall it be called?");
  await card.getByLabel("Your own words").fill("Call it “Müller & Söhne” 🚀");
  await press(card, "Send answer");
  expect(gateOf(await words)).toMatchObject({ status: "answered", text: "Call it “Müller & Söhne” 🚀" });
  await done(card);

  const blocker = agent.call("report_blocker", { title: "The key is missing", details: "`API_KEY` is not set." });
  card = phone.card("Blocker: The key is missing");
  await card.getByRole("button", { name: "I have set it" }).click();
  await press(card, "Resolve");
  expect(gateOf(await blocker)).toMatchObject({ status: "resolved", text: "I have set it", decided_by: "robin" });
  await done(card);

  const denied = agent.call("request_approval", { title: "Drop the table", risk: "high" });
  card = phone.card("Approval: Drop the table");
  await card.getByRole("button", { name: "Dry run first" }).click();
  await press(card, "Deny");
  expect(gateOf(await denied)).toMatchObject({ status: "denied", note: "Dry run first", decided_by: "robin" });
  await card.getByText("Denied by you").waitFor();
  await done(card);
});

it("D2: on two devices it changes everywhere within a second, and who comes second is told who was first", async () => {
  const desk = await stage.open("desk");
  // A second person, with a link of their own from the command line.
  await stage.place.member("sam", "--person");
  let held = false;
  await desk.page.routeWebSocket(/\/ws$/, (socket) => {
    const line = socket.connectToServer();
    // Facts that are still on their way: the card looks undecided to who taps now.
    line.onMessage((message) => {
      if (!held || JSON.parse(String(message)).type !== "facts") socket.send(message);
    });
  });
  await stage.signIn(desk, await stage.place.link(stage.server, "sam"));

  const first = agent.call("request_approval", { title: "Merge it" });
  const there = desk.card("Approval: Merge it");
  await there.getByRole("button", { name: "Approve", exact: true }).waitFor();
  const changed = there
    .getByText("Approved by robin")
    .waitFor()
    .then(() => Date.now());
  await press(phone.card("Approval: Merge it"), "Approve");
  const decided = Date.parse(String(gateOf(await first).decided_at));
  expect((await changed) - decided).toBeLessThan(1000);
  expect(await textOf(there)).toContain(`on ${devices.phone.called}`);
  await Promise.all([done(there), done(phone.card("Approval: Merge it"))]);

  const second = agent.call("request_approval", { title: "Merge that too" });
  const late = desk.card("Approval: Merge that too");
  await late.getByLabel("Reason").fill("the build is red");
  held = true;
  await press(phone.card("Approval: Merge that too"), "Approve");
  expect(gateOf(await second)).toMatchObject({ status: "approved", decided_by: "robin" });
  await press(late, "Deny");
  expect(await textOf(late)).toMatch(/robin approved this \d+ s before your denial, on Chrome on Android\./);
  expect(await late.getByLabel("What you wrote, not used").inputValue()).toBe("the build is red");
  held = false;
  await Promise.all([done(late), done(phone.card("Approval: Merge that too"))]);

  // And two devices of one person: what was decided on the other is told as such.
  const mine = await stage.open("desk");
  await stage.signIn(mine, await linkFromThePhone());
  const third = agent.call("request_approval", { title: "Merge the last" });
  await press(mine.card("Approval: Merge the last"), "Deny");
  expect(gateOf(await third)).toMatchObject({ status: "denied", decided_by: "robin", device: devices.desk.called });
  const onPhone = phone.card("Approval: Merge the last");
  await onPhone.getByText("Denied by you").waitFor();
  expect(await textOf(onPhone)).toContain(`on ${devices.desk.called}`);
  await quiet(desk, mine);
});

/** A sign-in link as a person gets it for another device: from Settings of the phone. */
async function linkFromThePhone(): Promise<string> {
  const { page } = phone;
  await page.getByRole("tab", { name: "People" }).click();
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = page.getByRole("group", { name: "Sign-in link" });
  await link.waitFor();
  const url = (await textOf(link)).trim();
  await page.getByRole("tab", { name: "Stream" }).click();
  return url;
}
