// Several processes on one store, two servers and two over stdio: each thing happens once, in order, and everybody
// hears of it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Called } from "../edges/mcp/stage.ts";
import { type Agent, found, type Place, pause, type Row, type Server } from "./parley.ts";
import { shared } from "./shared.ts";

const errorOf = ({ structuredContent }: Called) => (structuredContent.error as { code: string } | undefined)?.code;

/** A call that waits can be told from outside by nothing: others of its process that come and go have passed it. */
async function begun(agent: Agent, call: Promise<Called>): Promise<void> {
  for (let n = 0; n < 3; n++) await agent.call("whoami");
  const first = await Promise.race([call, pause(0)]);
  expect(first).toBeUndefined();
}

describe.each(Object.entries(shared))("on %s", (_name, make) => {
  let place: Place;
  let servers: [Server, Server];
  /** ada and bob each at a server of their own, cyd and dan each over stdio. */
  let agents: [Agent, Agent, Agent, Agent];
  const names = ["ada", "bob", "cyd", "dan"] as const;
  let people: { zoe: string; yan: string };

  beforeAll(async () => {
    place = await make();
    const [zoe, a, b] = await Promise.all([place.member("zoe", "--role", "owner"), place.serve(), place.serve()]);
    servers = [a, b];
    const [yan = ""] = await a.add(zoe, ["yan"], { person: true });
    people = { zoe, yan };
    const [ada = "", bob = "", cyd = "", dan = ""] = await b.add(zoe, names, { role: "lead" });
    agents = await Promise.all([a.agent(ada), b.agent(bob), place.stdio(cyd), place.stdio(dan)]);
  }, 120_000);
  afterAll(() => place.remove());

  it("B2 B3: one claimant for each task, whoever they ask", async () => {
    const made = await Promise.all(
      agents.flatMap((agent, n) =>
        [0, 1, 2, 3, 4, 5].map((one) => agent.call("create_task", { title: `Task ${n}.${one}` })),
      ),
    );
    const ids = made.map(({ structuredContent }) => (structuredContent.task as { id: number }).id);
    expect([...ids].sort((a, b) => a - b)).toEqual(ids.map((_, n) => n + 1));

    // All four reach for the same task at the same time, for half of them.
    for (const id of ids.slice(0, ids.length / 2)) {
      const tries = await Promise.all(agents.map((agent) => agent.call("claim_task", { task_id: id })));
      const codes = tries.map(errorOf).sort();
      expect([id, ...codes]).toEqual([id, "ALREADY_CLAIMED", "ALREADY_CLAIMED", "ALREADY_CLAIMED", undefined]);
    }
    // And take whatever is next, until nothing is left.
    await Promise.all(
      agents.map(async (agent) => {
        for (;;) {
          const { structuredContent } = await agent.call("next_task", { wait_seconds: 0 });
          if (structuredContent.task === null) return;
        }
      }),
    );
    const claims = await place.query("select subject, member from log where action = 'task.claimed' order by seq");
    expect(claims.map(({ subject }) => String(subject)).sort()).toEqual(ids.map((id) => `task:${id}`).sort());
    const tasks = await place.query("select id, status, assignee from tasks order by id");
    const claimants = new Map(claims.map(({ subject, member }) => [subject, member]));
    for (const { id, status, assignee } of tasks)
      expect([id, status, assignee]).toEqual([id, "claimed", claimants.get(`task:${id}`)]);
  });

  it("S1 S3 S4: one speaks at a time; turns rise by one, each utterance in its own turn", async () => {
    const rounds = 5;
    expect((await servers[1].api(people.zoe, "open_floor", { seats: [...names] })).status).toBe(200);
    const said = await Promise.all(
      agents.map(async (agent, n) => {
        const spoken: string[] = [];
        while (spoken.length < rounds) {
          const { structuredContent: heard } = await agent.call("wait_for_floor", { request: true });
          if (!heard.your_turn) continue;
          const text = `${names[n]} ${spoken.length}`;
          // Everybody else tries to speak in between.
          const others = agents.filter((one) => one !== agent);
          const [mine, ...theirs] = await Promise.all([
            agent.call("say", { text, turn: heard.turn }),
            ...others.map((one) => one.call("say", { text: "out of turn", turn: heard.turn })),
          ]);
          expect(errorOf(mine as Called)).toBeUndefined();
          for (const other of theirs) expect(errorOf(other)).toMatch(/^(NOT_YOUR_TURN|STALE_TURN)$/);
          spoken.push(text);
          expect(errorOf(await agent.call("pass_floor"))).toBeUndefined();
        }
        return spoken;
      }),
    );
    const turns = await place.query("select number, seat, ended from floor_turns order by number");
    expect(turns.map(({ number }) => Number(number))).toEqual(turns.map((_, n) => n + 1));
    const utterances = await place.query("select id, turn, speaker, text from floor_utterances order by id");
    expect(utterances.map(({ id }) => Number(id))).toEqual(utterances.map((_, n) => n + 1));
    expect(utterances.map(({ text }) => String(text)).sort()).toEqual(said.flat().sort());
    const seats = new Map(turns.map(({ number, seat }) => [number, seat]));
    for (const { turn, speaker } of utterances) expect([turn, seats.get(turn)]).toEqual([turn, speaker]);
    // By the log alone: between a turn's beginning and its end nobody else begins one or speaks.
    const log = await place.query(
      "select action, member, data from log where room = 'main' and subject like 'floor:%' order by seq",
    );
    let open: { turn: number; seat: string } | null = null;
    for (const { action, member, data } of log) {
      const facts = (typeof data === "string" ? JSON.parse(data) : data) as { turn?: number; seat?: string };
      if (action === "floor.granted") {
        expect(open).toBeNull();
        open = { turn: Number(facts.turn), seat: String(facts.seat) };
      }
      if (action === "floor.said") expect([member, facts.turn]).toEqual([open?.seat, open?.turn]);
      if (action === "floor.ended") {
        expect(facts.turn).toBe(open?.turn);
        open = null;
      }
    }
  });

  it("G2: one decision for each gate, told to everybody alike", async () => {
    for (let round = 0; round < 3; round++) {
      const asked = agents.map((agent, n) => agent.call("request_approval", { title: `Deploy ${round}.${n}` }));
      const gates = await found(async () => {
        const { body } = await servers[0].api(people.zoe, "list_gates", { status: "pending" });
        return body.gates.length === agents.length && (body.gates as Array<{ id: string }>);
      });
      for (const { id } of gates) {
        const tries = await Promise.all(
          (["zoe", "yan"] as const).flatMap((name) =>
            servers.map(async (server, at) => {
              const decision = { gate_id: id, decision: at ? "approve" : "deny", note: `${name} at ${at}` };
              return server.api(people[name], "decide_gate", decision);
            }),
          ),
        );
        const won = tries.filter(({ status }) => status === 200);
        expect(won).toHaveLength(1);
        const { status, note, decided_by } = won[0]?.body.gate ?? {};
        for (const one of tries.filter((one) => one !== won[0])) {
          expect(one.status).toBe(409);
          expect(one.body.error).toMatchObject({ code: "ALREADY_DECIDED", gate_status: status, decided_by, note });
        }
        const told = await Promise.race(
          asked.map(async (call) => {
            const { gate } = (await call).structuredContent as { gate: Row };
            return gate.id === id ? gate : new Promise<Row>(() => {});
          }),
        );
        expect(told).toMatchObject({ status, note, decided_by, from_person: true });
      }
    }
    const decisions = await place.query(
      "select subject from log where action in ('gate.approved', 'gate.denied') order by seq",
    );
    expect(decisions).toHaveLength(12);
    expect(new Set(decisions.map(({ subject }) => subject)).size).toBe(12);
  });

  it("every process hears within a second what another has committed", async () => {
    const took: number[] = [];
    /** How long after the answer to `act` the answer to `waiting` came (ms). */
    const heard = async <T>(waiting: Promise<T>, act: () => Promise<unknown>): Promise<T> => {
      let at = 0;
      const seen = waiting.then((result) => {
        at = performance.now();
        return result;
      });
      await act();
      const acted = performance.now();
      const result = await seen;
      took.push(Math.max(0, at - acted));
      return result;
    };
    const waits = (count: number, server: Server) =>
      found(async () => {
        const { body } = await server.api(people.zoe, "list_gates", { status: "pending" });
        const gates = body.gates as Array<{ id: string; waiting_now: boolean }>;
        return gates.filter((gate) => gate.waiting_now).length === count && gates;
      });

    // Gates asked in each process, answered in another.
    for (const [n, agent] of agents.entries()) {
      const elsewhere = servers[n === 1 ? 0 : 1];
      const asked = agent.call("wait_for_feedback", { question: `Which way, ${n}?`, timeout_seconds: 600 });
      const [gate] = await waits(1, elsewhere);
      const answer = await heard(asked, async () => {
        const args = { gate_id: gate?.id, decision: "answer", text: `that way, ${n}` };
        expect((await elsewhere.api(people.zoe, "decide_gate", args)).status).toBe(200);
      });
      expect(answer.structuredContent).toMatchObject({ gate: { status: "answered", text: `that way, ${n}` } });
    }
    // Messages and tasks, each from one process to another.
    for (const [n, agent] of agents.entries()) {
      const other = agents[(n + 1) % agents.length] as Agent;
      const text = `@${names[(n + 1) % names.length]}: hello from ${names[n]}`;
      const call = other.call("wait_for_message", { mentions_only: true });
      await begun(other, call);
      const got = await heard(call, () => agent.call("post_message", { text }));
      expect(got.structuredContent).toMatchObject({ messages: [{ text }] });
    }
    for (const [n, agent] of agents.entries()) {
      const other = agents[(n + 3) % agents.length] as Agent;
      const title = `For whoever waits, ${n}`;
      const call = other.call("next_task", { wait_seconds: 40 });
      await begun(other, call);
      const got = await heard(call, () => agent.call("create_task", { title }));
      expect(got.structuredContent).toMatchObject({ task: { title } });
    }
    expect(took).toHaveLength(12);
    process.stderr.write(`several.test: heard after ${took.map((ms) => Math.round(ms)).join(", ")} ms\n`);
    for (const ms of took) expect(ms).toBeLessThan(1000);
  });

  it("the log of all four verifies, without a gap", async () => {
    const { code, out, err } = await place.run(["audit", "verify"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^_server: \d+ facts, sound, .*\nmain: \d+ facts, sound, .*\n$/);
    for (const server of servers) expect(server.said().err).toBe("");
  });
});
