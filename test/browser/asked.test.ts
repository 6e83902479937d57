// What clients ask for by themselves, as a person reads and answers it: edits as diffs, a plan, questions by their
// choices, and a card whose client is gone.
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { still, tap } from "./hands.ts";
import { clear, type Device, openStage, pictures, quiet, type Stage, textOf } from "./stage.ts";

let stage: Stage;
let phone: Device;
let zoe: string;
let ada: string;

beforeAll(async () => {
  stage = await openStage();
  zoe = await stage.place.member("zoe", "--role", "owner");
  [ada = ""] = await stage.server.add(zoe, ["ada"]);
  phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
}, 120_000);
beforeEach(async () => {
  await phone.page.goto(stage.server.url);
  await phone.page.getByTitle("What you see is live").waitFor();
});
afterEach(pictures);
afterEach(() => clear(stage, zoe));
afterAll(async () => {
  await quiet(phone);
  await stage.close();
});

/** As Claude Code's http hook asks; what it is answered, once it is. */
function hook(tool_name: string, tool_input: object, query = ""): Promise<{ decision: Record<string, unknown> }> {
  const event = { hook_event_name: "PermissionRequest", session_id: "s", cwd: "/srv/app", tool_name, tool_input };
  return fetch(`${stage.server.url}hooks/claude-code${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${ada}` },
    body: JSON.stringify(event),
  }).then(async (res) => ((await res.json()) as { hookSpecificOutput: never }).hookSpecificOutput);
}

/** Its card, open. */
async function open(title: string) {
  const card = phone.card(`Approval: ${title}`);
  await card.first().waitFor();
  if (!(await card.locator(".gate-open").count())) await tap(card.locator(".gate-row"), card.locator(".gate-open"));
  await still(phone.page);
  return card;
}

const approved = "Approved by you";

it("G11: an edit stands as a diff under its file's name, whole, and nothing scrolls sideways", async () => {
  const edits = [
    { old_string: "let a = 1;\nb();", new_string: "const a = 1;\nb();" },
    { old_string: "c", new_string: "d" },
  ];
  const answer = hook("MultiEdit", { file_path: "/srv/app/lock.ts", edits });
  const card = await open("MultiEdit: /srv/app/lock.ts");
  expect(await textOf(card.locator(".action-head"))).toContain("Edit /srv/app/lock.ts in /srv/app");
  expect(await card.locator(".diff .del code").allTextContents()).toEqual(["let a = 1;", "c"]);
  expect(await card.locator(".diff .add code").allTextContents()).toEqual(["const a = 1;", "d"]);
  expect(await textOf(card.locator(".diff"))).toContain("b();");
  expect(await phone.sideways()).toBe(0);
  await tap(card.getByRole("button", { name: "Approve", exact: true }), card.getByText(approved));
  expect((await answer).decision).toMatchObject({ behavior: "allow", updatedInput: { edits } });
});

it("G11: a plan is read as Markdown, and approved as it is", async () => {
  const plan = "# Mend the lock\n\n1. **Find** it\n2. `cut` it <img src=x>";
  const answer = hook("ExitPlanMode", { plan });
  const card = await open("ExitPlanMode: Mend the lock");
  const shown = card.getByRole("group", { name: "The plan, whole" });
  expect(await shown.locator("li").count()).toBe(2);
  expect(await textOf(shown)).toContain("<img src=x>");
  await tap(card.getByRole("button", { name: "Approve", exact: true }), card.getByText(approved));
  expect((await answer).decision).toEqual({ behavior: "allow", updatedInput: { plan } });
});

it("G7: questions are answered by their own choices or in words; until each has its answer nothing is sent", async () => {
  const questions = [
    {
      question: "Which store?",
      header: "Store",
      multiSelect: false,
      options: [{ label: "SQLite" }, { label: "PostgreSQL" }],
    },
    {
      question: "Which tests?",
      header: "Tests",
      multiSelect: true,
      options: [{ label: "unit" }, { label: "browser" }],
    },
    { question: "Which name?", header: "Name", multiSelect: false, options: [{ label: "a" }, { label: "b" }] },
  ];
  const answer = hook("AskUserQuestion", { questions });
  const card = await open("AskUserQuestion: Which store? / Which tests? / Which name?");
  const send = card.getByRole("button", { name: "Send answer" });
  await card.getByText("Answer each question to send it.").waitFor();
  expect(await send.isDisabled()).toBe(true);
  await card.getByRole("radio", { name: "SQLite" }).click();
  await card.getByRole("radio", { name: "PostgreSQL" }).click();
  await card.getByRole("checkbox", { name: "browser" }).click();
  await card.getByRole("checkbox", { name: "unit" }).click();
  expect(await card.getByRole("radio", { name: "SQLite" }).getAttribute("aria-checked")).toBe("false");
  expect(await send.isDisabled()).toBe(true);
  // What is chosen outlives the page.
  const { gates } = (await stage.server.api(zoe, "list_gates", { status: "pending" })).body;
  await phone.page.goto(`${stage.server.url}gate/${gates[0].id}`);
  await phone.page.getByTitle("What you see is live").waitFor();
  const again = await open("AskUserQuestion: Which store? / Which tests? / Which name?");
  expect(await again.getByRole("radio", { name: "PostgreSQL" }).getAttribute("aria-checked")).toBe("true");
  await again.getByRole("group", { name: "Which name?" }).getByLabel("Your own words").fill("lock it");
  expect(await phone.sideways()).toBe(0);
  await tap(again.getByRole("button", { name: "Send answer" }), again.getByText(approved));
  const answers = { "Which store?": "PostgreSQL", "Which tests?": "unit, browser", "Which name?": "lock it" };
  expect((await answer).decision).toEqual({ behavior: "allow", updatedInput: { questions, answers } });
  await again.getByText("lock it").waitFor();
});

it("G19: a client's card that expired is not offered to be reopened, for nobody would run it", async () => {
  const answer = hook("Bash", { command: "make late" }, "?timeout=1");
  expect((await answer).decision).toMatchObject({ behavior: "deny" });
  const { gates } = (await stage.server.api(zoe, "list_gates", { status: "expired" })).body;
  await phone.page.goto(`${stage.server.url}gate/${gates[0].id}`);
  const card = phone.card("Approval: Bash: make late");
  await card.getByText("Expired at").first().waitFor();
  expect(await card.getByRole("button", { name: /Reopen/ }).count()).toBe(0);
});
