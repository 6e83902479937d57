// G16: `kill -9` of any process at any moment loses no gate and no answer, makes no second card, and leaves a log that
// verifies. What people were told is written down beside the store, and compared with it at the end.
import { afterEach, describe, expect, it } from "vitest";
import { killingOn } from "./killing.ts";
import { type Agent, found, openPlace, type Place } from "./parley.ts";
import { decisionFor, type Gate, gateOf, question, ways } from "./questions.ts";
import { shared } from "./shared.ts";

let place: Place;
afterEach(() => place.remove());

it("G16 G6 G5: an agent that was cut off gets its answer by every way, over the session it had", async () => {
  place = await openPlace();
  const names = Object.keys(ways).map((_, n) => `agent-${n}`);
  let [zoe, server] = await Promise.all([place.member("zoe", "--role", "owner"), place.serve()]);
  const tokens = await server.add(zoe, names);
  const { port } = server;
  const pending = async (count: number, waiting: number) =>
    found(async () => {
      const { body } = await server.api(zoe, "list_gates", { status: "pending" });
      const gates = body.gates as Gate[];
      return gates.length === count && gates.filter((gate) => gate.waiting_now).length >= waiting && gates;
    });

  const agents = await Promise.all(tokens.map((token) => server.agent(token)));
  const sessions = agents.map((agent) => agent.session());
  const answers = Object.values(ways).map((way, n) => way(agents[n] as Agent, question("approval", `Deploy ${n}`)));
  // Two of them are blocked in a call without knowing their gate's id.
  await pending(names.length, 2);
  await server.kill();
  server = await place.serve({ port });
  const gates = await pending(names.length, 0);
  for (const gate of gates) {
    const { status } = await server.api(zoe, "decide_gate", decisionFor(gate, true, `for ${gate.title}`));
    expect(status).toBe(200);
  }
  const got = await Promise.all(answers);
  expect(got.map((gate) => [gate.title, gate.status, gate.note, gate.from_person])).toEqual(
    names.map((_, n) => [`Deploy ${n}`, "approved", `for Deploy ${n}`, true]),
  );
  expect(agents.map((agent) => agent.session())).toEqual(sessions);
  expect(new Set(sessions).size).toBe(names.length);
});

it("G16: a stdio process that is killed while it waits leaves its gate, and the next one gets the answer", async () => {
  place = await openPlace();
  const [ada, zoe, server] = await Promise.all([place.member("ada"), place.member("zoe", "--person"), place.serve()]);
  const first = await place.stdio(ada);
  const asked = first.call("request_approval", { title: "Deploy", key: "k" }).catch((error: Error) => error);
  const gate = await found(async () => {
    const { body } = await server.api(zoe, "list_gates", { status: "pending" });
    return (body.gates as Gate[]).find((one) => one.waiting_now);
  });
  process.kill(first.pid as number, "SIGKILL");
  expect(await asked).toBeInstanceOf(Error);
  const { status } = await server.api(zoe, "decide_gate", decisionFor(gate, false, "not today"));
  expect(status).toBe(200);
  const second = await place.stdio(ada);
  const answer = gateOf(await second.call("request_approval", { title: "Deploy", key: "k" }));
  expect(answer).toMatchObject({ id: gate.id, status: "denied", note: "not today", decided_by: "zoe" });
});

it("G16: a stdio process that is killed right after it had the answer leaves it to the next one", async () => {
  place = await openPlace();
  const [ada, zoe, server] = await Promise.all([place.member("ada"), place.member("zoe", "--person"), place.serve()]);
  const first = await place.stdio(ada);
  const asked = first.call("request_approval", { title: "Deploy" });
  const gate = await found(async () => {
    const { body } = await server.api(zoe, "list_gates", { status: "pending" });
    return (body.gates as Gate[]).find((one) => one.waiting_now);
  });
  await server.api(zoe, "decide_gate", decisionFor(gate, true, "go"));
  expect(gateOf(await asked)).toMatchObject({ id: gate.id, status: "approved" });
  process.kill(first.pid as number, "SIGKILL");
  const second = await place.stdio(ada);
  const { structuredContent } = await second.call("whoami", {});
  expect(structuredContent).toMatchObject({
    inbox: { answered_gates: [{ id: gate.id, status: "approved", note: "go" }] },
  });
  expect(gateOf(await second.call("request_approval", { title: "Deploy" }))).toMatchObject({ id: gate.id });
});

describe.each(Object.entries(shared))("on %s", (name, make) => {
  it("G16 G2: killed again and again, everything that was acknowledged stands and nothing else", async () => {
    place = await make();
    await killingOn(name, place, 6);
  }, 300_000);
});
