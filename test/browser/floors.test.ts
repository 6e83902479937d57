// Several floors at once, by thumb: what is typed stays, whose turn it is is told everywhere, one channel can be read.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { found } from "../processes/parley.ts";
import { still, tap } from "./hands.ts";
import { type Device, openFloorStage, pictures, quiet, textOf } from "./stage.ts";

type On = Awaited<ReturnType<typeof openFloorStage>>;
let stage: On["stage"], zoe: On["zoe"], ada: On["ada"], bob: On["bob"], phone: On["phone"], pane: On["pane"];

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

/** What zoe does, in main unless it is said elsewhere. */
const act = (action: string, args: object) => stage.server.api(zoe, action, { room: "main", ...args });
const floor = async (channel = "main") => (await act("floor", { channel })).body.floor;
const dialog = (name: string) => phone.page.getByRole("dialog", { name });
const calls = (device: Device = phone) => device.page.getByRole("region", { name: "Your word is waited for" });
const chips = () => pane.getByRole("group", { name: "Channels" }).getByRole("button").allInnerTexts();
const chip = (name: string) =>
  pane.getByRole("group", { name: "Channels" }).getByRole("button", { name: new RegExp(`^${name}`) });
const open = (channel: string, more: object = {}) =>
  act("open_floor", { channel, seats: ["ada", "bob", "zoe"], ...more });

it("R16: limits stay as they are typed, whatever is tapped and whatever happens meanwhile; a bad one is told in words", async () => {
  await pane.getByRole("button", { name: "Open a floor" }).click();
  const opening = dialog("Open a floor");
  await opening.getByLabel("Silence, seconds").fill("241");
  await opening.getByLabel("Turn, seconds").fill("1200");
  await opening.getByLabel("Answer, seconds").fill("none");
  await opening.getByLabel("Agent turns").fill("7");
  await opening.getByRole("radio", { name: /^Round robin/ }).click();
  await opening.getByRole("button", { name: "bob earlier" }).click();
  await ada.call("post_message", { text: "Something happens." });
  await stage.server.add(zoe, ["dan"]);
  await opening.getByRole("button", { name: "dan", exact: true }).waitFor();
  const stands = () =>
    Promise.all(
      ["Silence, seconds", "Turn, seconds", "Answer, seconds", "Agent turns"].map((name) =>
        opening.getByLabel(name).inputValue(),
      ),
    );
  expect(await stands()).toEqual(["241", "1200", "none", "7"]);
  await opening.getByRole("button", { name: "Open the floor" }).click();
  await opening.getByRole("alert").getByText("A whole number from 1 to 86,400.").waitFor();
  expect(await opening.getByLabel("Answer, seconds").evaluate((field) => field.matches(":focus"))).toBe(true);
  await opening.getByLabel("Channel").fill(" ");
  await opening.getByLabel("Answer, seconds").fill("99");
  await opening.getByRole("button", { name: "Open the floor" }).click();
  await opening.getByText("Give the channel a name").waitFor();
  await opening.getByLabel("Channel").fill("main");
  await opening.getByRole("button", { name: "Open the floor" }).click();
  await opening.waitFor({ state: "detached" });
  expect(await floor()).toMatchObject({
    mode: "round_robin",
    hold_seconds: 241,
    max_turn_seconds: 1200,
    ack_seconds: 99,
    max_agent_turns: 7,
    seats: [{ seat: "bob" }, { seat: "ada" }, { seat: "cyd" }],
  });

  await pane.getByRole("button", { name: "More about this floor" }).click();
  await pane.getByRole("menuitem", { name: "Seats and settings" }).click();
  const settings = dialog("Seats and settings");
  await settings.getByLabel("Silence, seconds").fill("300");
  await settings.getByRole("radio", { name: /^Open/ }).click();
  await act("say", { text: "A word." });
  await settings.getByRole("button", { name: "ada earlier" }).click();
  expect(await settings.getByLabel("Silence, seconds").inputValue()).toBe("300");
  await settings.getByRole("button", { name: "Save" }).click();
  await settings.waitFor({ state: "detached" });
  expect(await floor()).toMatchObject({
    mode: "open",
    hold_seconds: 300,
    ack_seconds: 99,
    seats: [{ seat: "ada" }, { seat: "bob" }, { seat: "cyd" }],
  });
  // One floor alone is not named in the stream.
  await phone.page.getByRole("tab", { name: "Stream" }).click();
  await phone.page.getByText("opened the floor").waitFor();
  expect(await phone.page.locator(".item .channel").count()).toBe(0);
});

it("R7 R22: whose turn it is, and who is asked, reads it on every page and answers with a tap", async () => {
  const { page } = phone;
  await open("plan");
  await ada.call("say", {
    channel: "plan",
    text: "Shall we begin?",
    addressed_to: "zoe",
    expects_reply: true,
  });
  await page.getByRole("tab", { name: "Board" }).click();
  await calls().getByText("ada asks you on plan").waitFor();
  expect(await page.title()).toContain("ada asks you on plan");
  expect(await phone.sideways()).toBe(0);
  await calls().getByRole("button", { name: "Answer" }).click();
  const say = pane.getByLabel("Speak");
  await found(() => say.evaluate((field) => field.matches(":focus")));
  await say.fill("Yes, begin.");
  // Who asked is who is answered.
  expect(await pane.getByLabel(/^On plan to/).inputValue()).toBe("ada");
  await pane.getByRole("button", { name: "Say" }).click();
  await calls().waitFor({ state: "detached" });
  expect((await floor("plan")).questions).toEqual([]);

  await page.getByRole("tab", { name: "People" }).click();
  await ada.call("pass_floor", { channel: "plan", to: "bob" });
  expect((await bob.call("wait_for_floor", { channel: "plan" })).structuredContent).toMatchObject({ your_turn: true });
  await bob.call("say", {
    channel: "plan",
    text: "And you?",
    addressed_to: "zoe",
    expects_reply: true,
    then: "nobody",
  });
  await calls().getByText("Your turn on plan, bob asks you").waitFor();
  await calls()
    .getByText(/\d:\d\d/)
    .waitFor();
  expect(await page.title()).toContain("Your turn on plan");
  expect(await textOf(page.getByRole("tab", { name: /^Floor/ }))).toContain("1");
  await still(page);
  const small = await calls()
    .getByRole("button")
    .evaluateAll((all) => all.filter((one) => one.getBoundingClientRect().height < 43.5).length);
  expect(small).toBe(0);
  await calls().getByRole("button", { name: "Speak" }).click();
  await found(async () => !(await floor("plan")).offered);
  expect(await chips()).toEqual([expect.stringMatching(/^plan\s+your turn$/), expect.stringContaining("main")]);
  await pane.getByLabel("Speak").fill("I have it.");
  await pane.getByRole("button", { name: "Say" }).click();
  await page.getByRole("tab", { name: "Stream" }).click();
  await calls().getByRole("button", { name: "Pass" }).click();
  await calls().waitFor({ state: "detached" });
  expect((await floor("plan")).holder).not.toBe("zoe");

  // In a room that is not shown.
  await stage.server.api(zoe, "create_room", { room: "lab", title: "The lab" });
  await act("open_floor", { room: "lab", seats: ["zoe"], channel: "bench" });
  await act("take_floor", { room: "lab", channel: "bench" });
  await calls().getByText("Your turn on bench in The lab").waitFor();
  await calls().getByRole("button", { name: "Speak" }).click();
  await pane.getByText("have the floor, turn 1").waitFor();
  await calls().getByRole("button", { name: "Pass" }).click();
  await calls().waitFor({ state: "detached" });
  await page.getByRole("link", { name: "main" }).click();
});

it("what is said to somebody without a question is told until it is answered or heard", async () => {
  const told = { channel: "plan", text: "For you to know.", addressed_to: "zoe" };
  await act("grant_floor", { channel: "plan", seat: "ada" });
  await ada.call("wait_for_floor", { channel: "plan" });
  await ada.call("say", told);
  await calls().getByText("ada speaks to you on plan").waitFor();
  await calls().getByRole("button", { name: "Heard" }).click();
  await calls().waitFor({ state: "detached" });
  await phone.page.reload();
  await phone.page.getByTitle("What you see is live").waitFor();
  await chip("plan").waitFor();
  expect(await calls().count()).toBe(0);
});

it("with several floors each fact names its own; the floor's page has what was said on it", async () => {
  const { page } = phone;
  await act("say", { channel: "main", text: "Only on main." });
  await page.getByRole("tab", { name: "Stream" }).click();
  const line = page.locator(".item.speech").filter({ hasText: "Only on main." });
  await line.waitFor();
  expect(await line.locator(".channel").textContent()).toBe("main");
  expect(await page.locator(".item").filter({ hasText: "I have it." }).locator(".channel").textContent()).toBe("plan");
  await page.getByRole("tab", { name: /^Floor/ }).click();
  await chip("plan").click();
  const plan = pane.getByRole("region", { name: "Said on plan" });
  await plan.getByText("I have it.").waitFor();
  expect(await textOf(plan)).not.toContain("Only on main.");
  await ada.call("say", { channel: "plan", text: "And one more." });
  await plan.getByText("And one more.").waitFor();
  await chip("main").click();
  await pane.getByRole("region", { name: "Said on main" }).getByText("Only on main.").waitFor();
});

it("D13: what is to be said is kept per channel, over tabs and a reload, and sent to its own", async () => {
  const { page } = phone;
  await page.getByRole("tab", { name: /^Floor/ }).click();
  const say = pane.getByLabel("Speak");
  await chip("main").click();
  await say.fill("For main only");
  await chip("plan").click();
  await found(async () => (await say.inputValue()) === "");
  await say.fill("For plan only");
  await page.getByRole("tab", { name: "Stream" }).click();
  await page.getByRole("tab", { name: /^Floor/ }).click();
  expect(await say.inputValue()).toBe("For plan only");
  await page.reload();
  await say.waitFor();
  // The channel is the same as before, too.
  await found(async () => (await say.inputValue()) === "For plan only");
  await chip("main").click();
  await found(async () => (await say.inputValue()) === "For main only");
  await pane.getByRole("button", { name: "Say" }).click();
  await found(async () => (await say.inputValue()) === "");
  await chip("plan").click();
  await found(async () => (await say.inputValue()) === "For plan only");
  await say.fill("");
});

it("channels stand in the order of what matters, and a thumb hits them", async () => {
  await open("attic");
  await open("zeal");
  await act("close_floor", { channel: "attic" });
  for (const channel of ["main", "plan"]) {
    const { holder } = await floor(channel);
    if (holder) await act("revoke_floor", { channel });
  }
  await act("grant_floor", { channel: "zeal", seat: "bob" });
  await found(async () => /^zeal main plan attic$/.test((await chips()).map((text) => text.split(/\s/)[0]).join(" ")));
  expect(await chips()).toContainEqual(expect.stringMatching(/^attic\s+closed$/));
  await still(phone.page);
  const { height = 0 } = (await chip("zeal").boundingBox()) ?? {};
  expect(height).toBeGreaterThanOrEqual(43.5);
  await act("take_floor", { channel: "plan" });
  await found(async () => (await chips())[0]?.startsWith("plan") === true);
  await act("pass_floor", { channel: "plan", to: "" });
  await calls().waitFor({ state: "detached" });
});

it("long purposes and questions are three lines, and whole when asked for", async () => {
  const long = "All that I mean to say about the migration and its order. ".repeat(12).trim();
  await chip("main").click();
  await act("grant_floor", { channel: "main", seat: "bob" });
  await ada.call("request_floor", { purpose: long.slice(0, 480) });
  await bob.call("wait_for_floor");
  await bob.call("say", { text: long, addressed_to: "ada", expects_reply: true });
  await pane.getByRole("heading", { name: "Open questions" }).waitFor();
  for (const where of [pane.locator(".queue .purpose"), pane.locator(".questions li")]) {
    const text = where.locator("[dir=auto]").first();
    const height = async () => (await text.boundingBox())?.height ?? 0;
    expect(await height()).toBeLessThan(80);
    await where.getByRole("button", { name: "Show all" }).click();
    await found(async () => (await height()) > 80);
    await where.getByRole("button", { name: "Show less" }).click();
  }
  expect(await phone.sideways()).toBe(0);
});

it("the share of talk time is of the whole: a full bar is all of it", async () => {
  await pane.locator(".talk .num").first().waitFor();
  const rows = await pane
    .locator(".talk li")
    .evaluateAll((all) =>
      all.map((row) => [
        row.querySelector("rect")?.getAttribute("width"),
        row.querySelector(".num")?.textContent?.replace(" ", ""),
      ]),
    );
  expect(rows.length).toBeGreaterThan(1);
  for (const [bar, share] of rows) expect(bar).toBe(share);
});

it("an answered card has no draft left of its choice, and what needs you is calm when nothing waits", async () => {
  const { page } = phone;
  await bob.call("wait_for_feedback", { question: "Which way?", options: ["Left", "Right"], wait_seconds: 0 });
  const card = page.locator("article[data-open]").filter({ hasText: "Which way?" });
  await card.waitFor();
  expect(await page.locator(".app[data-calm]").count()).toBe(0);
  await card.getByRole("radio", { name: "Left" }).click();
  await tap(card.getByRole("button", { name: "Send answer" }), page.getByText("Answered by you"));
  expect(await textOf(card)).toContain("Left");
  expect(await textOf(card)).not.toContain("not used");
  await page.locator(".app[data-calm]").waitFor();
  await page.getByRole("heading", { name: "Nothing waits for you" }).waitFor();
  await card.getByRole("button", { name: "Done", exact: true }).click();
});

it("wide: the floor's head names it, and what ends a turn or the floor stands in words behind one button", async () => {
  const desk = await stage.open("desk");
  await stage.signIn(desk, await stage.linkOf(zoe));
  await desk.page.getByRole("link", { name: "main" }).click();
  const there = desk.page.getByRole("region", { name: "Floor", exact: true });
  await there.getByRole("group", { name: "Channels" }).getByRole("button", { name: /^main/ }).click();
  await there.getByRole("button", { name: "Pause" }).waitFor();
  expect(await there.getByRole("button", { name: /Revoke|Close|Export/ }).count()).toBe(0);
  await there.getByRole("button", { name: "More about this floor" }).click();
  expect(await there.getByRole("menuitem").allInnerTexts()).toEqual([
    "Seats and settings",
    "One more channel",
    "Export as Markdown",
    "Export as JSON Lines",
    "Revoke: take it from bob",
    "Close this floor",
  ]);
  await desk.page.keyboard.press("Escape");
  expect(await there.getByRole("menuitem").count()).toBe(0);
  const head = await there.locator(".pane-head .cut").evaluate((one) => one.scrollWidth <= one.clientWidth);
  expect(head).toBe(true);
  expect(await desk.sideways()).toBe(0);
  await quiet(desk);
});
