// A floor by thumb: opened with its limits, moderated, spoken on, looked at, taken away as a file.
import { readFile } from "node:fs/promises";
import type { Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Agent, found } from "../processes/parley.ts";
import { still, tap } from "./hands.ts";
import { type Device, openFloorStage, pictures, quiet, type Stage, textOf } from "./stage.ts";

let stage: Stage;
let phone: Device;
let zoe: string;
let ada: Agent;
let bob: Agent;
let pane: Locator;

beforeAll(async () => {
  ({ stage, zoe, ada, bob, phone, pane } = await openFloorStage());
}, 120_000);
afterEach(pictures);
afterAll(async () => {
  try {
    await quiet(phone);
  } finally {
    await stage.close();
  }
});

const floor = async (channel = "main") => (await stage.server.api(zoe, "floor", { channel })).body.floor;
/** What stands behind the button with the three points. */
async function more(word: string | RegExp, there: Locator = pane): Promise<void> {
  await there.getByRole("button", { name: "More about this floor" }).click();
  await there.getByRole("menuitem", { name: word }).click();
}
const dialog = (name: string) => phone.page.getByRole("dialog", { name });

/** Every control that a thumb must hit, and is too small for it. */
const small = async (where: string) => {
  await still(phone.page);
  return phone.page.evaluate<string[]>(`[...document.querySelectorAll(${JSON.stringify(where)})].flatMap((e) => {
    const { width, height } = e.getBoundingClientRect();
    return width && Math.min(width, height) < 43.5 ? [e.outerHTML.slice(0, 120)] : [];
  })`);
};

it("R13 R16: a moderated floor is opened with its limits, changed, and moderated: granted, denied with a reason, revoked, paused, resumed", async () => {
  await pane.getByRole("button", { name: "Open a floor" }).click();
  const opening = dialog("Open a floor");
  await opening.getByRole("button", { name: "cyd earlier" }).click();
  await opening.getByRole("radio", { name: /^Moderated/ }).click();
  await opening.getByLabel("Silence, seconds").fill("240");
  await opening.getByLabel("Turn, seconds").fill("0");
  await opening.getByLabel("Answer, seconds").fill("90");
  await opening.getByLabel("Agent turns").fill("50");
  expect(await phone.sideways()).toBe(0);
  expect(await small("dialog :is(button:not(.chip), input)")).toEqual([]);
  await opening.getByRole("button", { name: "Open the floor" }).click();
  await opening.waitFor({ state: "detached" });
  expect(await floor()).toMatchObject({
    mode: "moderated",
    seats: [{ seat: "ada" }, { seat: "cyd" }, { seat: "bob" }],
    hold_seconds: 240,
    max_turn_seconds: 0,
    ack_seconds: 90,
    max_agent_turns: 50,
  });

  await ada.call("request_floor", { purpose: "to begin" });
  await bob.call("request_floor", { purpose: "to object", urgency: "high" });
  await pane.getByText("to object").waitFor();
  expect(await textOf(pane.locator(".queue"))).toContain("waits for a grant");
  expect(await small(".floor :is(.queue, .ops, .say, .menu, .channels) button")).toEqual([]);
  await pane.getByRole("button", { name: "Grant to ada" }).click();
  await pane.getByText("is offered the floor, turn 1").waitFor();
  await ada.call("wait_for_floor");
  await pane.getByText("has the floor, turn 1").waitFor();

  await pane.getByRole("button", { name: "Deny bob" }).click();
  const deny = dialog("Deny bob the floor?");
  expect(await deny.getByRole("button", { name: "Deny", exact: true }).isDisabled()).toBe(true);
  await deny.getByRole("button", { name: "Another topic" }).click();
  await deny.getByRole("button", { name: "Deny", exact: true }).click();
  await deny.waitFor({ state: "detached" });
  expect((await bob.call("wait_for_floor", { wait_seconds: 0 })).structuredContent).toMatchObject({
    denied: true,
    reason: expect.stringContaining("Another topic"),
  });

  await pane.getByRole("button", { name: "Pause" }).click();
  await pane.getByText("paused: the clock stands").waitFor();
  await pane.getByRole("button", { name: "Resume" }).click();
  await more("Revoke: take it from ada");
  await dialog("Take the floor from ada?").getByRole("button", { name: "Revoke" }).click();
  await pane.getByText("Nobody", { exact: true }).waitFor();
  // Any seat, though it has not asked.
  await pane.locator("summary").filter({ hasText: "cyd" }).click();
  await pane.getByRole("button", { name: "Grant cyd the floor" }).click();
  await pane.getByText("is offered the floor, turn 2").waitFor();

  await more("Seats and settings");
  const settings = dialog("Seats and settings");
  await settings.getByRole("radio", { name: /^Open/ }).click();
  expect(await settings.getByLabel("Silence, seconds").inputValue()).toBe("240");
  await settings.getByRole("button", { name: "Save" }).click();
  await settings.waitFor({ state: "detached" });
  expect(await floor()).toMatchObject({ mode: "open", holder: "cyd", hold_seconds: 240 });
});

it("R7: a person asks one seat and expects a reply; what is open is shown until it is answered", async () => {
  await pane.getByLabel("Speak").fill("Which port does it take?");
  await pane.getByLabel(/^On main to/).selectOption("bob");
  await pane.getByLabel("Expects a reply").check();
  expect(await phone.sideways()).toBe(0);
  await pane.getByRole("button", { name: "Say" }).click();
  await pane.getByRole("heading", { name: "Open questions" }).waitFor();
  expect(await textOf(pane.locator(".questions"))).toMatch(/you.*asks bob.*Which port does it take\?/s);
  expect((await floor()).questions).toMatchObject([{ from: "zoe", to: "bob", text: "Which port does it take?" }]);
  await bob.call("say", { text: "4747.", or_queue: true });
  await stage.server.api(zoe, "grant_floor", { seat: "bob" });
  await bob.call("wait_for_floor");
  await bob.call("say", { text: "4747, unless the environment says otherwise.", addressed_to: "zoe" });
  await pane.getByRole("heading", { name: "Open questions" }).waitFor({ state: "detached" });
  await phone.page.getByRole("tab", { name: "Stream" }).click();
  await phone.page.getByText("person, out of turn, to bob, asks for a reply").waitFor();
  await phone.page.getByText("to you").first().waitFor();
  await phone.page.getByRole("tab", { name: "Floor" }).click();
});

it("how fairly the seats spoke is shown as the report has it, and the conversation is taken away as a file", async () => {
  await pane.locator("summary").filter({ hasText: "bob" }).click();
  const { body } = await stage.server.api(zoe, "floor_report", {});
  const share = body.seats.find((one: { seat: string }) => one.seat === "bob");
  const figures = (
    await pane.locator("details[open] .figures").filter({ visible: true }).last().allTextContents()
  ).join();
  expect(figures).toContain(`Turns${share.turns}`);
  expect(figures).toContain(`Characters${share.characters}`);
  expect(share.characters).toBeGreaterThan(0);
  expect(await phone.sideways()).toBe(0);
  for (const [name, ending, format] of [
    ["Markdown", "md", "markdown"],
    ["JSON Lines", "jsonl", "jsonl"],
  ] as const) {
    const [download] = await Promise.all([phone.page.waitForEvent("download"), more(`Export as ${name}`)]);
    expect(download.suggestedFilename()).toBe(`main-main.${ending}`);
    const saved = await readFile(await download.path(), "utf8");
    expect(saved).toBe((await stage.server.api(zoe, "export_conversation", { format })).body.text);
    expect(saved).toContain("Which port does it take?");
  }
});

it("after too many turns of agents the floor says that it waits for a person, and goes on at a word of one", async () => {
  await more("One more channel");
  const opening = dialog("Open a floor");
  await opening.getByLabel("Channel").fill("loop");
  await opening.getByRole("button", { name: "Remove cyd" }).click();
  await opening.getByLabel("Agent turns").fill("2");
  await opening.getByRole("button", { name: "Open the floor" }).click();
  await opening.waitFor({ state: "detached" });
  await pane.getByText("0 of 2 agent turns since a person spoke").waitFor();
  for (const agent of [ada, bob]) await agent.call("say", { channel: "loop", text: "No, you first.", then: "nobody" });
  // The question comes up by itself, as every card does.
  const { page } = phone;
  const card = page.locator("article[data-open]").filter({ hasText: "Continue, wrap up, or stop?" });
  await card.waitFor();
  await phone.needs.getByRole("button", { name: "Close", exact: true }).click();
  await pane.getByText("Paused after 2 turns of agents.").waitFor();
  expect(await phone.sideways()).toBe(0);
  await pane.getByRole("button", { name: "Answer", exact: true }).click();
  await card.getByRole("radio", { name: "Wrap up" }).click();
  await tap(card.getByRole("button", { name: "Send answer" }), page.getByText("Answered by you"));
  await page.locator("article[data-open]").getByRole("button", { name: "Done", exact: true }).click();
  await pane.getByText("Wrapping up:").waitFor();
  // The other channel is still there.
  await pane.getByRole("button", { name: /^main/ }).click();
  await pane.getByText("has the floor").waitFor();
  await pane.getByRole("button", { name: /^loop/ }).click();
  await pane.getByText("Wrapping up:").waitFor();
  await page.getByRole("tab", { name: "Stream" }).click();
  await page.getByText("The floor waits for a person after 2 turns of agents").waitFor();
  await page.getByRole("tab", { name: "Floor" }).click();
});

it("R16: a floor is closed after one more question, and opened again where its turns go on", async () => {
  await pane.getByRole("button", { name: /^main/ }).click();
  await pane.getByText("has the floor").waitFor();
  await more("Close this floor");
  await dialog("Close the floor?").getByRole("button", { name: "Leave it" }).click();
  expect((await floor()).status).toBe("open");
  await more("Close this floor");
  await dialog("Close the floor?").getByRole("button", { name: "Close it" }).click();
  await pane.getByText(/^The floor is closed\. It goes on after turn \d+\.$/).waitFor();
  await pane.getByRole("button", { name: "Open a floor" }).click();
  await dialog("Open a floor").getByRole("button", { name: "Open the floor" }).click();
  await found(async () => (await floor()).status === "open");
  expect((await floor()).last_turn).toBeGreaterThan(2);
});

it("D10: on the desk seats are put in order by dragging too", async () => {
  const desk = await stage.open("desk");
  await stage.signIn(desk, await stage.linkOf(zoe));
  const there = desk.page.getByRole("region", { name: "Floor", exact: true });
  await there.getByRole("button", { name: /^main/ }).click();
  await more("Seats and settings", there);
  const settings = desk.page.getByRole("dialog", { name: "Seats and settings" });
  const rows = settings.locator(".order li");
  const before = await rows.locator(".cut").allTextContents();
  await still(desk.page);
  await rows.last().dragTo(rows.first());
  const after = await rows.locator(".cut").allTextContents();
  expect(after).toEqual([before.at(-1), ...before.slice(0, -1)]);
  await settings.getByRole("button", { name: "Save" }).click();
  await settings.waitFor({ state: "detached" });
  expect((await floor()).seats.map((one: { seat: string }) => one.seat)).toEqual(after);
  expect(await desk.sideways()).toBe(0);
  await quiet(desk);
});
