// The floor and the board under a thumb, and every page at the width of a phone and of a desk.
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type Agent, found } from "../processes/parley.ts";
import { type Device, openStage, pictures, quiet, type Stage, textOf } from "./stage.ts";

let stage: Stage;
let phone: Device;
let zoe: string;
let ada: Agent;
let bob: Agent;

beforeAll(async () => {
  stage = await openStage();
  zoe = await stage.place.member("zoe", "--role", "owner");
  const [a = "", b = ""] = await stage.server.add(zoe, ["ada", "bob"]);
  [ada, bob] = await Promise.all([stage.server.agent(a), stage.server.agent(b)]);
  phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
}, 120_000);
afterEach(pictures);
afterAll(() => stage.close());

it("R7 R10 R12: on the phone a person opens a floor, speaks out of turn, takes it, speaks and passes it on", async () => {
  const { page } = phone;
  await page.getByRole("tab", { name: "Floor" }).click();
  await page.getByRole("button", { name: "Open a floor" }).click();
  const dialog = page.getByRole("dialog", { name: "Open a floor" });
  await dialog.getByText("ada", { exact: true }).waitFor();
  await dialog.getByRole("button", { name: "bob earlier" }).click();
  await dialog.getByRole("button", { name: "zoe", exact: true }).click();
  expect(await phone.sideways()).toBe(0);
  await dialog.getByRole("button", { name: "Open the floor" }).click();
  await dialog.waitFor({ state: "detached" });

  const turn = await ada.call("wait_for_floor", { request: true });
  expect(turn.structuredContent).toMatchObject({ your_turn: true, turn: 1 });
  const pane = page.getByRole("region", { name: "Floor" });
  await pane.getByText("has the floor, turn 1").waitFor();
  await ada.call("say", { text: "I begin.", turn: 1 });
  await bob.call("request_floor", { purpose: "an objection", urgency: "high" });
  await pane.getByText("an objection").waitFor();

  // Out of turn: the holder stays.
  await pane.getByLabel("Speak").fill("One moment: mind the deadline.");
  await pane.getByRole("button", { name: "Say" }).click();
  const heard = await bob.call("wait_for_floor", { wait_seconds: 0 });
  expect(heard.structuredContent).toMatchObject({ waiting: true, holder: "ada" });

  await pane.getByRole("button", { name: "Take" }).click();
  await pane.getByText("have the floor, turn 2").waitFor();
  await pane.getByText("Was interrupted").waitFor();
  await pane.getByLabel("Speak").fill("Now listen.");
  await pane.getByRole("button", { name: "Say" }).click();
  await found(async () => {
    const { structuredContent } = await ada.call("conversation");
    return (structuredContent.utterances as unknown[]).length === 3;
  });
  await pane.getByRole("button", { name: "Pass" }).click();
  // Who was interrupted speaks next.
  await pane.getByText("turn 3").waitFor();
  expect((await ada.call("wait_for_floor")).structuredContent).toMatchObject({ your_turn: true, turn: 3 });
  const { utterances } = (await ada.call("conversation")).structuredContent as { utterances: object[] };
  expect(utterances).toMatchObject([
    { id: 1, turn: 1, speaker: "ada", text: "I begin.", kind: "speech" },
    { id: 2, speaker: "zoe", text: "One moment: mind the deadline.", kind: "interjection" },
    { id: 3, turn: 2, speaker: "zoe", text: "Now listen.", kind: "speech" },
  ]);
  await page.getByRole("tab", { name: "Stream" }).click();
  const said = page.locator(".item.speech .prose");
  await found(async () => (await said.count()) === 3);
  expect(await said.allTextContents()).toEqual(["I begin.", "One moment: mind the deadline.", "Now listen."]);
});

it("B6: on the phone a person makes a task, sends its result back with a note, and accepts the next", async () => {
  const { page } = phone;
  await page.getByRole("tab", { name: "Board" }).click();
  await page.getByRole("button", { name: "New task" }).click();
  const dialog = page.getByRole("dialog", { name: "New task" });
  await dialog.getByLabel("Title").fill("Write the changelog");
  await dialog.getByLabel("Description").fill("For **2.1**.");
  await dialog.getByLabel("Reviewer").selectOption("zoe");
  expect(await phone.sideways()).toBe(0);
  await dialog.getByRole("button", { name: "Create task" }).click();
  await page.getByText("is on the board.").waitFor();

  const { task } = (await ada.call("next_task")).structuredContent as { task: { id: number; title: string } };
  expect(task).toMatchObject({ title: "Write the changelog", creator: "zoe", reviewer: "zoe", status: "claimed" });
  await ada.call("submit_result", { task_id: task.id, result: "Nine entries." });

  await page.getByRole("group", { name: "State" }).getByRole("button", { name: "Submitted" }).click();
  await page.getByRole("link", { name: /Write the changelog/ }).click();
  const review = page.getByRole("region", { name: "Review" });
  await review.waitFor();
  expect(await phone.sideways()).toBe(0);
  // Without a word it is not sent back.
  expect(await review.getByRole("button", { name: "Reject result" }).isDisabled()).toBe(true);
  await review.getByLabel("Note").fill("The date is missing.");
  await review.getByRole("button", { name: "Reject result" }).click();
  await page.getByText("Sent back by zoe").waitFor();
  const back = await ada.call("get_task", { task_id: task.id });
  expect(back.structuredContent).toMatchObject({
    task: { assignee: "ada", rounds: [{ verdict: "reject", note: "The date is missing." }] },
  });
  if ((back.structuredContent.task as { status: string }).status === "open")
    await ada.call("claim_task", { task_id: task.id });
  await ada.call("submit_result", { task_id: task.id, result: "Nine entries, with the date." });
  await review.getByRole("button", { name: "Approve result" }).click();
  await page.getByText("Accepted by zoe").waitFor();
  expect((await ada.call("get_task", { task_id: task.id })).structuredContent).toMatchObject({
    task: { status: "done" },
  });
});

it("nothing scrolls sideways on a phone or on a desk, whatever stands there", async () => {
  const word = "Donaudampfschifffahrtsgesellschaftskapitänspatentverlängerung".repeat(2);
  const title = `${word} and on`;
  const action = { command: `curl https://example.org/${"a/".repeat(300)}`, [word]: [word] };
  await ada.call("request_approval", { title, action, options: [word, "no"], wait_seconds: 0 });
  await bob.call("report_blocker", { title, details: `\`${word}${word}\`\n\n> ${word}`, wait_seconds: 0 });
  await stage.server.api(zoe, "create_task", { title, description: word });
  await bob.call("post_message", { text: `${word}\n\n\`\`\`\n${word} ${word} ${word}\n\`\`\`` });
  await bob.call("request_floor", { purpose: word });
  const desk = await stage.open("desk");
  await stage.signIn(desk, await stage.linkOf(zoe));
  const { body } = await stage.server.api(zoe, "list_gates", { status: "pending" });
  const gates = (body.gates as Array<{ id: string }>).map(({ id }) => `gate/${id}`);
  const { body: board } = await stage.server.api(zoe, "list_tasks");
  const tasks = (board.tasks as Array<{ id: number }>).map(({ id }) => `?task=${id}`);
  const views = ["stream", "board", "floor", "people", "settings", "connect"].map((view) => `?room=main&view=${view}`);
  for (const device of [phone, desk]) {
    for (const path of [...views, ...tasks, ...gates]) {
      await device.page.goto(`${stage.server.url}${path}`);
      await device.page.getByTitle("What you see is live").waitFor();
      const sheet = device.page.getByRole("button", { name: "Close", exact: true });
      if (device === phone && !path.startsWith("gate/")) {
        // Over it the sheet, and then what it stood over.
        await found(async () => (await sheet.count()) > 0 || (await device.needs.getByRole("button").count()) > 0);
        expect([path, await device.sideways()]).toEqual([path, 0]);
        if ((await sheet.count()) > 0) await sheet.click();
      }
      expect([path, await device.sideways()]).toEqual([path, 0]);
    }
  }
  expect(await textOf(desk.page.getByRole("article"))).toContain(word);
  await quiet(phone, desk);
}, 90_000);

it("M3: who is signed in and in no room is shown which are open, joins one, and is in it", async () => {
  const link = await stage.linkOf(await stage.place.member("vic", "--person", "--role", "viewer"));
  await stage.server.api(zoe, "kick", { member: "vic" });
  const device = await stage.open("phone");
  await stage.signIn(device, link);
  await device.page.getByRole("heading", { name: "You are in no room yet" }).waitFor();
  // Open, but not to who was put out of it.
  await device.page.getByRole("button", { name: "Join main" }).click();
  await device.page.getByText("You were removed from this room").waitFor();
  await stage.server.api(zoe, "create_room", { room: "lounge", title: "The lounge", open: true });
  await device.page.reload();
  expect(await device.sideways()).toBe(0);
  await device.page.getByRole("button", { name: "Join The lounge" }).click();
  await device.page.getByRole("link", { name: "The lounge" }).waitFor();
  await device.page.getByText("came into the room").first().waitFor();
  await quiet(device);
});
