// Standing rules on the phone: what each would have matched, until when it stands, and away with it.
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { tap } from "./hands.ts";
import { openStage, pictures, quiet, type Stage } from "./stage.ts";

let stage: Stage;
let zoe: string;

beforeAll(async () => {
  stage = await openStage();
  zoe = await stage.place.member("zoe", "--role", "owner");
  const [token = ""] = await stage.server.add(zoe, ["ada"]);
  const ada = await stage.server.agent(token);
  for (const what of ["lint", "test", "deploy"])
    await ada.call("request_approval", {
      title: `Run ${what}`,
      action: { tool: "shell", command: `npm run ${what}`, cwd: "/code" },
      wait_seconds: 0,
    });
  const pattern = { tool: "shell", command: "npm run lint", cwd: "/code" };
  expect((await stage.server.api(zoe, "create_rule", { effect: "allow", pattern })).status).toBe(200);
}, 120_000);
afterEach(pictures);
afterAll(() => stage.close());

it("G10: a rule in the settings tells its end, is tried on what is past, and revoked in one tap", async () => {
  const phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
  const { page } = phone;
  await page.goto(`${stage.server.url}?view=settings`);
  const rule = page.locator("li.rule");
  await rule.getByText("ends if unused by").waitFor();
  const dryRun = rule.getByRole("button", { name: "Try the rule on what is past: Always allow" });
  await tap(dryRun, rule.getByText("Of the last 3 approvals it would have touched 1:"));
  expect(await rule.getByRole("listitem").allTextContents()).toEqual([expect.stringMatching(/^Run lint ada, /)]);
  expect(await phone.sideways()).toBeLessThanOrEqual(0);
  await tap(rule.getByRole("button", { name: "Revoke the rule: Always allow" }), page.getByText("No rule stands."));
  await quiet(phone);
});

it("G10: a rule that is too wide says why, and is confirmed in one tap", async () => {
  const pattern = { tool: "shell", argv: ["rm", "**"], cwd: "/code" };
  expect((await stage.server.api(zoe, "create_rule", { effect: "allow", pattern })).status).toBe(200);
  // As rules stand that were made before anybody was asked to confirm them.
  const db = new Database(stage.place.store);
  db.prepare("update rules set confirmed_by = null, confirmed_at = null").run();
  db.close();
  const phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
  const { page } = phone;
  await page.goto(`${stage.server.url}?view=settings`);
  const rule = page.locator("li.rule");
  await rule.getByText("leaves open what rm works on").waitFor();
  expect(await phone.sideways()).toBeLessThanOrEqual(0);
  const confirmed = page.locator("li.rule").filter({ hasNotText: "leaves open what rm works on" });
  await tap(rule.getByRole("button", { name: "Confirm the rule as wide as it is: Always allow" }), confirmed);
  expect(await rule.getByRole("button", { name: "Confirm the rule" }).count()).toBe(0);
  expect(await rule.getByText("rm **").count()).toBe(1);
  await quiet(phone);
});

it("G10: a rule that can match nothing any more says why, and is only revoked", async () => {
  // As it was taken before make was known to run what its files say.
  const db = new Database(stage.place.store);
  const pattern = { tool: "shell", program: "make", argv: ["make", "*"], cwd: "/code" };
  db.prepare("update rules set pattern = ?").run(JSON.stringify(pattern));
  db.close();
  const phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
  const { page } = phone;
  await page.goto(`${stage.server.url}?view=settings`);
  const rule = page.locator("li.rule");
  await rule.getByText("Behind make there may stand what else to run").waitFor();
  expect(await phone.sideways()).toBeLessThanOrEqual(0);
  expect(await rule.getByRole("button", { name: "Confirm the rule" }).count()).toBe(0);
  await tap(rule.getByRole("button", { name: "Revoke the rule: Always allow" }), page.getByText("No rule stands."));
  await quiet(phone);
});
