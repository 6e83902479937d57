import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { found, openPlace } from "../processes/parley.ts";
import { receiver } from "./stage.ts";

it("D8: a server killed in mid-sending has sent nothing in vain: the next sends it again, and ends while it hangs", async () => {
  const there = await receiver();
  const place = await openPlace();
  onTestFinished(() => place.remove());
  const zoe = await place.member("zoe", "--person");
  const ada = await place.member("ada");
  const first = await place.serve({ port: 0 });
  await first.api(zoe, "add_channel", { kind: "webhook", url: there.url });
  there.answers = "never";
  await first.api(ada, "request_approval", { title: "Deploy", wait_seconds: 0 });
  const sent = (await found(() => there.got[0])).json;
  await first.kill("SIGKILL");

  // What the dead one had in hand is let go in half a minute; here at once.
  const db = new Database(place.store);
  expect(db.prepare("update notices set leased_until = 0").run().changes).toBe(1);
  db.close();
  const second = await place.serve({ port: 0 });
  const again = (await found(() => there.got[1])).json;
  expect([again.id, again.event, again.gate]).toEqual([sent.id, "gate.asked", sent.gate]);
  expect(again.url).toBe(`${second.url}gate/${sent.gate.id}`);
  expect((await second.kill("SIGTERM")).code).toBe(0);

  // Broken off in good order, it is not waited for.
  there.answers = 200;
  const third = await place.serve({ port: 0 });
  expect((await found(() => there.got[2])).json).toMatchObject({ id: sent.id, event: "gate.asked" });
  await third.api(zoe, "decide_gate", { gate_id: sent.gate.id, decision: "deny" });
  expect((await found(() => there.got[3])).json).toMatchObject({ id: sent.id, event: "gate.settled" });
}, 120_000);
