import { createHmac } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { claim } from "../../src/notify/claim.ts";
import { openStore } from "../../src/store/open.ts";
import { openTable } from "../../src/table.ts";
import { inFile, inPostgres } from "../setup/stores.ts";
import { ask, found } from "../stage.ts";
import { report, settings, settled } from "../table.ts";
import { address, receiver, sending, told } from "./stage.ts";

const deploy = { title: "Deploy", details: "the long story", action: { command: "make deploy" } };
const second = 1000;

for (const { name, make } of [inFile, inPostgres])
  describe(name, () => {
    it("D8: who can answer is told once, signed, without details, and again when it is answered", async () => {
      const p = await told(make);
      sending(p.table);
      const gate = await ask(p.ada, "request_approval", deploy);
      const asked = await p.there.nth(1);
      expect(asked.path).toBe("/hook");
      const { "x-parley-timestamp": at, "x-parley-signature": signature } = asked.headers;
      const expected = createHmac("sha256", "s3cret").update(`${at}.${asked.text}`).digest("hex");
      expect(signature).toBe(`sha256=${expected}`);
      expect(Number(at) * 1000).toBe(p.clock.now());
      expect(asked.json).toMatchObject({
        event: "gate.asked",
        to: "zoe",
        title: "Deploy",
        text: "ada waits for an approval.",
        url: `${address}gate/${gate.id}`,
        gate: { id: gate.id, kind: "approval", status: "pending", asked_by: "ada" },
      });
      expect(asked.text).not.toMatch(/long story|make deploy/);
      await p.still();
      await p.zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
      const settled = await p.there.nth(2);
      expect(settled.json).toMatchObject({
        id: asked.json.id,
        event: "gate.settled",
        text: "Answered by zoe.",
        gate: { status: "approved", decided_by: "zoe" },
      });
      await p.still();
      expect(await p.notices()).toEqual([]);
      expect(p.there.got).toHaveLength(2);
    });

    it("G14: reminded once, in place of the first notice; the deadline takes it back", async () => {
      const p = await told(make);
      sending(p.table);
      await ask(p.ada, "request_approval", { ...deploy, timeout_seconds: 3600 });
      const asked = await p.there.nth(1);
      await p.still();
      await p.clock.tick(599 * second);
      expect(p.there.got).toHaveLength(1);
      await p.clock.tick(1 * second);
      const reminder = await p.there.nth(2);
      expect(reminder.json).toMatchObject({ id: asked.json.id, event: "gate.reminder" });
      await p.still();
      await p.clock.tick(2999 * second);
      expect(p.there.got).toHaveLength(2);
      expect(await p.notices()).toHaveLength(1);
      // Nobody writes in the room: the deadline alone does it.
      await p.clock.tick(1 * second);
      expect((await p.there.nth(3)).json).toMatchObject({ id: asked.json.id, event: "gate.settled" });
    });

    it("G14: after a machine has slept, reminders and the end of quiet hours are looked at within a minute", async () => {
      const p = await told(make, { quiet_from: "22:00", quiet_to: "07:00", zone: "UTC" });
      sending(p.table);
      await ask(p.ada, "request_approval", deploy);
      await p.there.nth(1);
      await p.still();
      // Timers do not notice that the wall clock went on from 09:00 to 09:20, nor later from 22:20 to 07:20.
      // The sender may still be falling asleep when a minute is turned: some minutes, far fewer than it would sleep.
      const within = async (n: number, minutes: number) => {
        for (; minutes > 0 && !p.there.got[n - 1]; minutes--) {
          await p.clock.tick(60 * second);
          for (let look = 0; look < 100 && !p.there.got[n - 1]; look++) await settled();
        }
        return p.there.nth(n);
      };
      p.clock.jump(20 * 60 * second);
      expect((await within(2, 5)).json.event).toBe("gate.reminder");
      await p.still();
      p.clock.jump(13 * 3600 * second);
      await ask(p.ada, "request_approval", { ...deploy, title: "Another", action: { command: "make more" } });
      await p.still();
      expect(p.there.got).toHaveLength(2);
      p.clock.jump(9 * 3600 * second);
      expect((await within(3, 5)).json).toMatchObject({
        event: "gate.asked",
        title: expect.stringContaining("Another"),
      });
    });

    it("G14: what a person puts aside is not told before it comes back", async () => {
      const p = await told(make);
      sending(p.table);
      const gate = await ask(p.ada, "request_approval", deploy);
      await p.there.nth(1);
      await p.still();
      const until = new Date(p.clock.now() + 7200 * second).toISOString();
      await p.zoe.does("snooze_gate", { gate_id: gate.id, until });
      await p.still();
      await p.clock.tick(7199 * second);
      expect(p.there.got).toHaveLength(1);
      await p.clock.tick(1 * second);
      expect((await p.there.nth(2)).json.event).toBe("gate.reminder");
    });

    it("D8: a dead receiver is tried again after 10 s, 30 s, 2 min, 10 min and every hour, for a day", async () => {
      const p = await told(make);
      p.there.answers = 500;
      sending(p.table);
      const from = p.clock.now();
      await ask(p.ada, "report_blocker", { title: "No access" });
      let n = 0;
      for (const wait of [10, 30, 120, 600, 3600, 3600]) {
        await p.there.nth(++n);
        await p.still();
        await p.clock.tick(wait * second - 1);
        expect(p.there.got).toHaveLength(n);
        await p.clock.tick(1);
      }
      await p.there.nth(++n);
      await p.still();
      const [channel] = (await p.zoe.does("list_channels")).channels as Array<Record<string, unknown>>;
      expect(channel).toMatchObject({ state: "failing", last_status: 500, last_error: "it answered 500" });
      while ((await p.notices())[0]?.due !== null) {
        await p.clock.tick(3600 * second);
        await p.still();
      }
      expect(p.clock.now() - from).toBeGreaterThanOrEqual(24 * 3600 * second);
    });

    it("D8: a receiver that never answers delays no answer; well again, it is told with the same id", async () => {
      const p = await told(make);
      p.there.answers = "never";
      sending(p.table);
      const gate = await ask(p.ada, "request_approval", deploy);
      const first = await p.there.nth(1);
      // The request hangs while all of this happens, and the clock stands.
      const other = await ask(p.ada, "wait_for_feedback", { question: "Which?" });
      await p.zoe.does("decide_gate", { gate_id: other.id, decision: "answer", text: "blue" });
      await p.zoe.does("see_gate", { gate_id: gate.id });
      p.there.answers = 204;
      const before = p.there.got.length;
      await p.clock.tick(10 * second);
      // The next try counts from when the first was given up.
      await found(async () => (await p.notices()).find(({ id, attempts }) => id === first.json.id && attempts > 0));
      await p.clock.tick(10 * second);
      const again = await found(() => p.there.got.slice(before).find(({ json }) => json.gate.id === gate.id));
      expect(again.json).toEqual(first.json);
      await p.still();
      await p.zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
      await found(() => p.there.got.find(({ json }) => json.gate.id === gate.id && json.event === "gate.settled"));
      // What may have arrived is taken back as well.
      await found(() => p.there.got.find(({ json }) => json.gate.id === other.id && json.event === "gate.settled"));
    });

    it("D8: what was never accepted is not taken back, and not tried any more once it is answered", async () => {
      const p = await told(make);
      p.there.answers = 500;
      sending(p.table);
      const gate = await ask(p.ada, "request_approval", deploy);
      await p.there.nth(1);
      await p.still();
      await p.zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
      await found(async () => ((await p.notices()).length === 0 ? true : undefined));
      expect(p.there.got).toHaveLength(1);
    });

    it("D8: quiet hours hold a notice until they end, but not a critical one", async () => {
      // It is 09:00 UTC: 10:00 in Berlin.
      const p = await told(make, { quiet_from: "22:00", quiet_to: "10:30", zone: "Europe/Berlin" });
      sending(p.table);
      await ask(p.ada, "request_approval", deploy);
      await ask(p.ada, "request_approval", { title: "Drop it", risk: "critical" });
      expect((await p.there.nth(1)).json).toMatchObject({ title: "Drop it", risk: "critical" });
      await p.still();
      await p.clock.tick(30 * 60 * second - 1);
      expect(p.there.got.map(({ json }) => json.title)).not.toContain("Deploy");
      await p.clock.tick(1);
      await found(() => p.there.got.find(({ json }) => json.title === "Deploy"));
    });

    it("D8: two processes send a notice once", async () => {
      const p = await told(make);
      const other = openTable(await openStore(p.fresh.where), p.clock, settings, report);
      onTestFinished(() => other.close());
      sending(p.table);
      sending(other);
      const gates = await Promise.all(
        Array.from({ length: 8 }, (_, n) => ask(p.ada, "request_approval", { title: `Deploy ${n}` })),
      );
      await p.there.nth(gates.length);
      await p.still();
      expect(p.there.got.map(({ json }) => json.gate.id).sort()).toEqual(gates.map(({ id }) => id).sort());
    });

    it("D8: what a process was sending when it died is sent again, with the same id, and taken back", async () => {
      const p = await told(make);
      const gate = await ask(p.ada, "request_approval", deploy);
      const [notice] = await p.notices();
      const at = { id: String(notice?.id), room: "main" };
      // As a process leaves it that is killed between taking it in hand and noting how it went.
      const held = await claim(p.table.store, at, { lease: "dead", now: p.clock.now(), address });
      expect(held?.event).toBe("gate.asked");
      sending(p.table);
      await p.clock.tick(29 * second);
      expect(p.there.got).toEqual([]);
      await p.clock.tick(1 * second);
      expect((await p.there.nth(1)).json).toMatchObject({ id: at.id, event: "gate.asked" });
      await p.still();
      await p.zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
      expect((await p.there.nth(2)).json).toMatchObject({ id: at.id, event: "gate.settled" });
    });

    it("D8: only who can answer is told, in the gate's own room, of gates of enough risk", async () => {
      const p = await told(make, { min_risk: "high" });
      const olga = await p.guest("olga", { role: "owner" });
      const yves = await p.guest("yves", { role: "approver" });
      const hers = await receiver();
      await olga.does("add_channel", { kind: "webhook", url: hers.url });
      await yves.does("add_channel", { kind: "webhook", url: hers.url });
      await p.operator.does("create_room", { room: "lab", open: true });
      await p.ada.does("join_room", { room: "lab" });
      const ada = await p.again(p.ada);
      sending(p.table);
      await ask(ada, "request_approval", { title: "Small", risk: "low", room: "main" });
      await ask(ada, "request_approval", { title: "Big", risk: "high", room: "main" });
      await ask(ada, "request_approval", { title: "Elsewhere", risk: "high", room: "lab" });
      await ask(yves, "request_approval", { title: "Mine", risk: "low", room: "main" });
      await hers.nth(6);
      await p.still();
      const seen = hers.got.map(({ json }) => `${json.to} ${json.title}`).sort();
      expect(seen).toEqual(["olga Big", "olga Elsewhere", "olga Mine", "olga Small", "yves Big", "yves Small"]);
      expect(p.there.got.map(({ json }) => json.title)).toEqual(["Big"]);
      expect(p.there.got[0]?.text).not.toMatch(/\bada\b/);
    });

    it("D8: ntfy gets the topic, a priority by risk, Open and never Approve; the answer replaces it quietly", async () => {
      const there = await receiver();
      const p = await told(make, { kind: "ntfy", url: `${there.url}/base/my-topic`, secret: "tk_1" });
      sending(p.table);
      const gate = await ask(p.ada, "request_approval", { ...deploy, risk: "high" });
      const { path, headers, json } = await there.nth(1);
      expect([path, headers.authorization]).toEqual(["/base/", "Bearer tk_1"]);
      const open = `${address}gate/${gate.id}`;
      expect(json).toEqual({
        topic: "my-topic",
        sequence_id: expect.any(String),
        title: "Deploy",
        message: "Somebody waits for an approval.",
        priority: 4,
        tags: ["raised_hand"],
        click: open,
        actions: [{ action: "view", label: "Open", url: open }],
      });
      await p.still();
      await p.zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
      expect((await there.nth(2)).json).toMatchObject({
        sequence_id: json.sequence_id,
        message: "Answered by zoe.",
        priority: 1,
      });
    });
  });
