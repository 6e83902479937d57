// Clocks that are wrong, zones that are elsewhere, and a keyboard that takes half of the screen.
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Agent, found } from "../processes/parley.ts";
import { still, tap } from "./hands.ts";
import { clear, type Device, openStage, pictures, quiet, type Stage } from "./stage.ts";

let stage: Stage;
let agent: Agent;
let zoe: string;

beforeAll(async () => {
  stage = await openStage();
  zoe = await stage.place.member("zoe", "--role", "owner");
  const [ada = ""] = await stage.server.add(zoe, ["ada"]);
  agent = await stage.server.agent(ada);
}, 120_000);
beforeEach(() => clear(stage, zoe));
afterEach(pictures);
afterAll(() => stage.close());

interface Gate {
  id: string;
  asked_at: string;
  status: string;
}

async function ask(title: string, more: Record<string, unknown> = {}): Promise<Gate> {
  const asked = await agent.call("request_approval", { title, wait_seconds: 0, ...more });
  return asked.structuredContent.gate as Gate;
}
const stands = async ({ id }: Gate): Promise<Gate> =>
  (await stage.server.api(zoe, "get_gate", { gate_id: id })).body.gate;

/** A phone whose own clock goes wrong by so many milliseconds. */
async function phoneThatIsOff(by: number): Promise<Device> {
  const phone = await stage.open("phone");
  await phone.page.addInitScript(`{
    const Right = Date;
    const now = () => Right.now() + ${by};
    window.Date = class extends Right {
      constructor(...given) { given.length ? super(...given) : super(now()); }
      static now = now;
    };
  }`);
  await stage.signIn(phone, await stage.linkOf(zoe));
  return phone;
}

/** Seconds that the card says are left. */
async function left(card: Locator): Promise<number> {
  const [, minutes = "", seconds = ""] = /(\d+):(\d\d)\s*until/.exec((await card.textContent()) ?? "") ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

it("D5: a phone whose clock is an hour wrong counts down by the server's", async () => {
  await ask("Deploy", { timeout_seconds: 500 });
  for (const by of [3_600_000, -3_600_000]) {
    const phone = await phoneThatIsOff(by);
    const card = phone.card("Approval: Deploy");
    await card.getByRole("button", { name: "Approve", exact: true }).waitFor();
    expect(await left(card), String(by)).toBeGreaterThan(300);
    expect(await left(card), String(by)).toBeLessThanOrEqual(500);
    await quiet(phone);
  }
});

it("D5: a card that expires under one's thumb keeps what was written, and offers to reopen it", async () => {
  const phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
  const gate = await ask("Migrate", { timeout_seconds: 8 });
  const card = phone.card("Approval: Migrate");
  await card.getByLabel("Reason").fill("only on staging");
  await found(async () => (await stands(gate)).status === "expired");
  await card.getByRole("button", { name: "Reopen and approve" }).waitFor();
  expect(await card.getByRole("button", { name: "Approve", exact: true }).count()).toBe(0);
  expect(await card.getByLabel("Reason").inputValue()).toBe("only on staging");
  await quiet(phone);
});

it("D14: times stand in the viewer's zone, which is named on hover beside UTC", async () => {
  const gate = await ask("Rotate the keys", { timeout_seconds: 7200 });
  for (const timezoneId of ["Asia/Kathmandu", "America/St_Johns"]) {
    const desk = await stage.open("desk", { timezoneId });
    await stage.signIn(desk, await stage.linkOf(zoe));
    const local = new Intl.DateTimeFormat("en-GB", {
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
      timeZone: timezoneId,
    });
    const times = desk.page.locator("time");
    const asked = desk.page.locator(`time[datetime="${gate.asked_at}"]`, {
      hasText: local.format(new Date(gate.asked_at)),
    });
    await asked.first().waitFor();
    for (const hover of await times.evaluateAll((all) => all.map((one) => one.getAttribute("title"))))
      expect(hover).toMatch(/(?:GMT[+-]\d|NST).*Z$/);
    await quiet(desk);
  }
});

/** The box of what stands there, and the height of what can be seen. */
async function seen(page: Page, what: Locator): Promise<{ bottom: number; height: number; of: number }> {
  const box = await what.boundingBox();
  if (!box) throw new Error("it is not there");
  return { bottom: box.y + box.height, height: box.height, of: await page.evaluate<number>("visualViewport.height") };
}

it("D11: with the keyboard open the buttons are there and large enough, and typing does not zoom", async () => {
  const phone = await stage.open("phone");
  await stage.signIn(phone, await stage.linkOf(zoe));
  await ask("Purge the cache", { details: "line\n\n".repeat(60) });
  const card = phone.card("Approval: Purge the cache");
  await tap(
    phone.page
      .getByRole("button", { name: /Purge the cache/ })
      .or(card)
      .first(),
    card.getByLabel("Reason"),
  );
  const reason = card.getByLabel("Reason");
  await reason.fill("why");
  // A keyboard that resizes the page, as its viewport asks for.
  await phone.page.setViewportSize({ width: 390, height: 844 - 336 });
  await still(phone.page);
  for (const name of ["Deny", "Approve"]) {
    const button = await seen(phone.page, card.getByRole("button", { name, exact: true }));
    expect(button.height, name).toBeGreaterThanOrEqual(44);
    expect(button.bottom, name).toBeLessThanOrEqual(button.of);
  }
  const size = await phone.page.evaluate<number>("parseFloat(getComputedStyle(document.activeElement).fontSize)");
  expect(size).toBeGreaterThanOrEqual(16);
  expect(await phone.page.locator("meta[name=viewport]").getAttribute("content")).toMatch(
    /viewport-fit=cover.*interactive-widget=resizes-content/,
  );
  await quiet(phone);
});
