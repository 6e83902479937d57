import { expect, it } from "vitest";
import { quietUntil } from "../../src/notify/quiet.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, stage } from "../stage.ts";
import { receiver, told } from "./stage.ts";

type Channels = Array<Record<string, unknown> & { id: string }>;
const minute = 60_000;

eachStore(({ make }) => {
  it("D8: a channel is its person's alone; its secret is shown once at most, and its address stands in no fact", async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "approver" });
    const yves = await p.guest("yves", { role: "approver" });
    const given = await zoe.does("add_channel", { kind: "ntfy", url: "https://ntfy.sh/hush-hush", secret: "tk_9" });
    const made = await zoe.does("add_channel", { kind: "webhook", url: "https://example.org/hook" });
    expect(given).not.toHaveProperty("secret");
    expect(made.secret).toMatch(/^[\w-]{43}$/);
    const listed = await zoe.does("list_channels");
    expect(listed.channels).toMatchObject([
      { kind: "ntfy", url: "https://ntfy.sh/hush-hush", has_secret: true, min_risk: "low", state: "untried" },
      { kind: "webhook", has_secret: true },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(new RegExp(`tk_9|${made.secret}`));
    const log = await p.table.store.read((db) => db.selectFrom("log").selectAll().execute());
    expect(JSON.stringify(log)).not.toMatch(/hush-hush|example\.org/);
    const [{ id } = { id: "" }] = listed.channels as Channels;
    expect((await yves.does("list_channels")).channels).toEqual([]);
    for (const action of ["remove_channel", "test_channel"])
      expect((await yves.refused(action, { id })).code).toBe("NOT_FOUND");
    await zoe.does("remove_channel", { id });
    expect((await zoe.does("list_channels")).channels).toHaveLength(1);
  });

  it("D8: only http and https, whole quiet hours, real zones, ntfy with a topic; no agent has a channel", async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "approver" });
    const ada = await p.guest("ada");
    const url = "https://example.org/x";
    for (const wrong of [
      { kind: "webhook", url: "file:///etc/passwd" },
      { kind: "webhook", url: "ftp://example.org/x" },
      { kind: "webhook", url: "https://me:you@example.org/x" },
      { kind: "webhook", url: "example.org" },
      { kind: "web_push", url },
      { kind: "ntfy", url: "https://ntfy.sh/" },
      { kind: "ntfy", url: "https://ntfy.sh/with%20space" },
      { kind: "webhook", url, quiet_from: "22:00" },
      { kind: "webhook", url, quiet_from: "24:00", quiet_to: "07:00", zone: "UTC" },
      { kind: "webhook", url, quiet_from: "07:00", quiet_to: "07:00", zone: "UTC" },
      { kind: "webhook", url, quiet_from: "22:00", quiet_to: "07:00", zone: "Moon/Base" },
    ])
      expect((await zoe.refused("add_channel", wrong)).code, JSON.stringify(wrong)).toBe("BAD_INPUT");
    expect((await ada.refused("add_channel", { kind: "webhook", url })).code).toBe("FORBIDDEN");
    for (const name of ["list_channels", "add_channel", "remove_channel", "test_channel"])
      expect(p.table.actions.get(name), name).toMatchObject({ peopleOnly: true });
  });

  it("D8: the same place twice is refused, however its address is written; others may be told there too", async () => {
    const p = await stage(make);
    const [zoe, yves] = [await p.guest("zoe", { role: "approver" }), await p.guest("yves", { role: "approver" })];
    const topic = { kind: "ntfy", url: "https://ntfy.sh/hush" };
    const hook = { kind: "webhook", url: "https://example.org/hook?to=me" };
    const { id } = (await zoe.does("add_channel", topic)).channel as { id: string };
    await zoe.does("add_channel", hook);
    for (const again of [
      topic,
      { ...topic, secret: "tk_9", min_risk: "high" },
      { ...topic, url: "https://NTFY.sh:443/hush/" },
      { ...topic, url: "https://ntfy.sh/hush?x#y" },
      hook,
      { ...hook, url: "HTTPS://Example.org/hook?to=me#part" },
    ]) {
      const refused = await zoe.refused("add_channel", again);
      expect([refused.code, refused.message]).toEqual(["CONFLICT", expect.stringMatching(/remove_channel/)]);
    }
    for (const other of [
      { ...topic, url: "https://ntfy.sh/Hush" },
      { ...topic, url: "https://ntfy.example.org/hush" },
      { ...hook, url: "https://example.org/hook?to=you" },
    ])
      await zoe.does("add_channel", other);
    expect((await zoe.does("list_channels")).channels).toHaveLength(5);
    await yves.does("add_channel", topic);
    await zoe.does("remove_channel", { id });
    await zoe.does("add_channel", topic);
  });

  it("G14: an asker is told at once when nobody who could answer is there or told elsewhere", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const gate = await ask(ada, "request_approval", { title: "Deploy" });
    expect(gate.next).toMatchObject({ call: "wait_for_gate", gate_id: gate.id, nobody_reachable: true });
    const zoe = await p.guest("zoe", { role: "approver" });
    const viewer = await p.guest("vera", { role: "viewer" });
    await viewer.does("list_rooms");
    const again = async () => (await ask(ada, "wait_for_gate", { gate_id: gate.id })).next;
    expect(await again()).toHaveProperty("nobody_reachable");
    await zoe.does("list_rooms");
    expect(await again()).toEqual({ call: "wait_for_gate", gate_id: gate.id });
    await p.clock.tick(15 * minute);
    expect(await again()).toMatchObject({ nobody_reachable: true, advice: expect.stringContaining("other work") });
    await zoe.does("add_channel", { kind: "ntfy", url: "https://ntfy.sh/t", min_risk: "high" });
    await p.clock.tick(15 * minute);
    expect(await again()).toHaveProperty("nobody_reachable");
    await zoe.does("add_channel", { kind: "ntfy", url: "https://ntfy.sh/u" });
    await p.clock.tick(15 * minute);
    expect(await again()).not.toHaveProperty("nobody_reachable");
  });

  it("G14: a channel whose last delivery failed, or that is in its quiet hours, reaches nobody", async () => {
    const p = await told(make);
    p.there.answers = 500;
    const [{ id } = { id: "" }] = (await p.zoe.does("list_channels")).channels as Channels;
    const gate = await ask(p.ada, "request_approval", { title: "Deploy" });
    const next = async (asked = gate) => (await ask(p.ada, "wait_for_gate", { gate_id: asked.id })).next;
    await p.clock.tick(15 * minute);
    expect(await next()).not.toHaveProperty("nobody_reachable");
    await p.zoe.does("test_channel", { id });
    await p.clock.tick(15 * minute);
    expect(await next()).toMatchObject({ nobody_reachable: true });
    p.there.answers = 200;
    await p.zoe.does("test_channel", { id });
    await p.clock.tick(15 * minute);
    expect(await next()).not.toHaveProperty("nobody_reachable");
    await p.zoe.does("remove_channel", { id });
    const hours = { quiet_from: "00:00", quiet_to: "23:59", zone: "UTC" };
    await p.zoe.does("add_channel", { kind: "webhook", url: p.there.url, ...hours });
    await p.clock.tick(15 * minute);
    expect(await next()).toMatchObject({ nobody_reachable: true });
    // A critical gate passes quiet hours.
    const critical = await ask(p.ada, "request_approval", { title: "Delete", risk: "critical" });
    expect(await next(critical)).not.toHaveProperty("nobody_reachable");
  });
});

it("D8: a test says whether it was accepted, follows no redirect and shows nothing of what was answered", async () => {
  const p = await told(inMemory.make);
  const [{ id } = { id: "" }] = (await p.zoe.does("list_channels")).channels as Channels;
  expect(await p.zoe.does("test_channel", { id })).toEqual({ accepted: true, status: 200 });
  expect(p.there.got[0]?.json).toMatchObject({ event: "test", gate: null });
  expect((await p.zoe.does("list_channels")).channels).toMatchObject([{ state: "working", last_status: 200 }]);
  p.there.answers = 302;
  const redirected = await p.zoe.does("test_channel", { id });
  expect(redirected).toEqual({ accepted: false, status: 302, error: "it redirects, which is not followed" });
  expect(p.there.got).toHaveLength(2);
  p.there.answers = "never";
  const slow = p.zoe.does("test_channel", { id });
  await p.there.nth(3);
  await p.clock.tick(10_000);
  expect(await slow).toEqual({ accepted: false, status: null, error: "nothing answered within 10 s" });
  const gone = await receiver();
  const closed = await p.zoe.does("add_channel", { kind: "webhook", url: gone.url.replace(/\d+$/, "1") });
  const failed = await p.zoe.does("test_channel", { id: (closed.channel as { id: string }).id });
  expect(failed).toMatchObject({
    accepted: false,
    status: null,
    error: expect.stringContaining("could not be reached"),
  });
});

it("D8: quiet hours end at their wall clock, across midnight and where the clocks change", () => {
  const berlin = { quiet_from: "22:00", quiet_to: "07:00", zone: "Europe/Berlin" };
  const at = (text: string) => Date.parse(text);
  expect(quietUntil(berlin, at("2026-01-05T20:59:00Z"))).toBe(at("2026-01-05T20:59:00Z"));
  expect(quietUntil(berlin, at("2026-01-05T21:00:00Z"))).toBe(at("2026-01-06T06:00:00Z"));
  expect(quietUntil(berlin, at("2026-01-06T05:59:59Z"))).toBe(at("2026-01-06T06:00:00Z"));
  expect(quietUntil(berlin, at("2026-01-06T06:00:00Z"))).toBe(at("2026-01-06T06:00:00Z"));
  // 29 March: an hour is missing; 25 October: an hour comes twice.
  expect(quietUntil(berlin, at("2026-03-28T22:00:00Z"))).toBe(at("2026-03-29T05:00:00Z"));
  expect(quietUntil(berlin, at("2026-10-24T21:00:00Z"))).toBe(at("2026-10-25T06:00:00Z"));
  const noon = { quiet_from: "12:00", quiet_to: "13:30", zone: "Asia/Kolkata" };
  // 02:30 does not exist in this night: they end at 03:00, which is 2 h after midnight.
  const early = { quiet_from: "22:00", quiet_to: "02:30", zone: "America/New_York" };
  expect(quietUntil(early, at("2027-03-14T04:00:00Z"))).toBe(at("2027-03-14T07:00:00Z"));
  expect(quietUntil(early, at("2027-03-14T06:50:00Z"))).toBe(at("2027-03-14T07:00:00Z"));
  expect(quietUntil(early, at("2027-03-14T07:00:00Z"))).toBe(at("2027-03-14T07:00:00Z"));
  expect(quietUntil(noon, at("2026-01-05T06:30:20Z"))).toBe(at("2026-01-05T08:00:00Z"));
});
