// Two servers on one store, agents over HTTP and over stdio, commands behind `parley gate` and two people who answer,
// while one process after the other is killed at any moment of its life (G16).
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { type Chance, chance } from "./chance.ts";
import { openLedger } from "./ledger.ts";
import { type Agent, type Begun, found, type Place, pause, type Server, untilAnswered } from "./parley.ts";
import { decisionFor, type Gate, gateKinds, question, type Way, ways } from "./questions.ts";

/** Who asks, and how it comes by its answers. Calls with keys may run side by side, the others one after the other. */
const overHttp: ReadonlyArray<[name: string, Way]> = [
  ["ada", ways["the same call with the same key"]],
  ["ada", ways["the same call with the same key"]],
  ["bob", ways["the same call without a key"]],
  ["cyd", ways.wait_for_gate],
  ["dan", ways["the inbox of any call"]],
];
const overStdio: ReadonlyArray<[name: string, Way]> = [
  ["eve", ways["the same call with the same key"]],
  ["fay", ways.wait_for_gate],
];
const commands = [["gus"], ["hal"]] as const;

/** Kills again and again; holds what everybody was told against the store. Answers figures, in one line. */
async function killing(place: Place, kills: number, { seed, whole, pick }: Chance): Promise<string> {
  const begun = performance.now();
  const note = `seed ${seed}`;
  const ledger = openLedger(note);
  const zoe = await place.member("zoe", "--role", "owner");
  const env = { PARLEY_RATE_LIMIT: "100000" };
  const servers: Server[] = await Promise.all([place.serve({ env }), place.serve({ env })]);
  const server = (at: number) => servers[at] as Server;
  const [yan = ""] = await server(0).add(zoe, ["yan"], { person: true });
  const tokenOf = async (name: string) => (await server(0).add(zoe, [name]))[0] ?? "";

  let asking = true;
  let lane = 0;
  /** Asks one thing after the other; each agent in its own lane. */
  async function asks(agent: Pick<Agent, "call">, way: Way): Promise<void> {
    const mine = ++lane;
    for (let n = 0; asking; n++) {
      const asked = question(pick(gateKinds), `${mine}.${n}`);
      ledger.asks(asked);
      const got = await way(agent, asked).catch((cause: Error) => {
        throw new Error(`${asked.title} has no answer, ${note}: ${cause.message}`, { cause });
      });
      ledger.received(asked.title, got);
    }
  }

  const tokens = new Map<string, string>();
  for (const name of new Set([...overHttp, ...overStdio, ...commands].map((one) => one[0])))
    tokens.set(name, await tokenOf(name));
  const agents = new Map<string, Agent>();
  for (const [name] of overHttp) {
    const home = server(agents.size % servers.length);
    agents.set(name, agents.get(name) ?? (await home.agent(tokens.get(name) ?? "")));
  }
  const sessions = [...agents.values()].map((agent) => agent.session());

  /** Over stdio the server is the client's own process: killed, the client starts it again. */
  const processes = new Set<number>();
  async function stands(token: string): Promise<Pick<Agent, "call">> {
    let agent = await place.stdio(token);
    processes.add(agent.pid ?? 0);
    return {
      async call(...call) {
        const { client, pid } = agent;
        if (client.transport === undefined) {
          processes.delete(pid ?? 0);
          agent = await place.stdio(token);
          processes.add(agent.pid ?? 0);
        }
        return agent.call(...call);
      },
    };
  }

  /** Commands that run once they are approved: each leaves a line. */
  const waiting = new Set<{ begun: Begun; killed: boolean }>();
  const file = (title: string) => join(place.folder, `ran-${title}`);
  async function runs(token: string): Promise<void> {
    const mine = ++lane;
    for (let n = 0; asking; n++) {
      const asked = question("approval", `${mine}.${n}`);
      ledger.asks(asked);
      const begun = place.begin(
        ["gate", "--title", asked.title, "--", "/bin/sh", "-c", `echo ran >>'${file(asked.title)}'`],
        { PARLEY_URL: server(mine % servers.length).url, PARLEY_TOKEN: token, PARLEY_STORE: "" },
      );
      const one = { begun, killed: false };
      waiting.add(one);
      const ran = await begun.over;
      waiting.delete(one);
      ledger.ended(asked.title, one.killed ? null : ran);
      // To start a process is what costs most here.
      await pause(whole(0, 500));
    }
  }

  const lanes = [
    ...overHttp.map(([name, way]) => asks(agents.get(name) as Agent, way)),
    ...overStdio.map(async ([name, way]) => asks(await stands(tokens.get(name) ?? ""), way)),
    ...commands.map(([name]) => runs(tokens.get(name) ?? "")),
  ];
  const askersDone = Promise.all(lanes);

  let second = 0;
  let inFlight = 0;
  let onDecision = () => {};
  let deciding = true;
  const peopleDone = Promise.all(
    Object.entries({ zoe, yan }).map(async ([name, token]) => {
      const anywhere = (action: string, args: Record<string, unknown>) =>
        untilAnswered(() => {
          const sent = pick(servers).api(token, action, args);
          if (action === "decide_gate") onDecision();
          return sent;
        });
      for (let n = 0; ; n++) {
        const { body } = await anywhere("list_gates", { status: "pending" });
        const gates = body.gates as Gate[];
        if (gates.length === 0 && !deciding) return;
        if (gates.length === 0) {
          await pause(5);
          continue;
        }
        const gate = pick(gates);
        const said = `${name} says ${n}`;
        const decision = decisionFor(gate, whole(0, 2) > 0, said);
        ledger.says(name, decision, said);
        inFlight += 1;
        // What was not answered is said again, word for word, until it is: to the other server as well.
        const { status, body: answer } = await anywhere("decide_gate", decision);
        inFlight -= 1;
        if (status === 200) ledger.acknowledged(name, answer.gate);
        else {
          expect([status, answer.error.code], note).toEqual([409, "ALREADY_DECIDED"]);
          second += 1;
        }
        await pause(whole(0, 20));
      }
    }),
  );

  let caught = 0;
  const killed = { servers: 0, "stdio processes": 0, "gate commands": 0 };
  async function restart(at: number): Promise<void> {
    const { port } = server(at);
    expect((await server(at).kill()).err, note).toBe("");
    killed.servers += 1;
    servers[at] = await place.serve({ port, env });
  }
  async function kill(): Promise<void> {
    const dice = whole(0, 9);
    if (dice === 0 && processes.size > 0) {
      const pid = pick([...processes]);
      processes.delete(pid);
      killed["stdio processes"] += 1;
      process.kill(pid, "SIGKILL");
    } else if (dice === 1 && waiting.size > 0) {
      const one = pick([...waiting].filter((each) => !each.killed));
      if (!one) return kill();
      one.killed = true;
      killed["gate commands"] += 1;
      one.begun.kill();
    } else if (dice === 2) await Promise.all([restart(0), restart(1)]);
    else await restart(whole(0, 1));
  }
  async function killAtAnyMoment(turn: number): Promise<void> {
    // At any moment of its life, its first included; and every second time just after an answer has left a person's
    // hands. Told by what it has done and not by the clock alone, so that a slow machine tests as much.
    const enough = ledger.size + whole(0, 4);
    await found(() => ledger.size >= enough);
    if (turn % 2 === 0) await pause(whole(0, 60));
    else {
      await new Promise<void>((resolve) => {
        onDecision = resolve;
      });
      onDecision = () => {};
      await pause(whole(0, 6));
    }
    caught += inFlight;
    await kill();
    if (turn % 20 !== 19) return;
    await sound();
    process.stderr.write(`${turn + 1} kills, ${ledger.size} decided\n`);
  }
  async function sound(): Promise<void> {
    const { code, out, err } = await place.run(["audit", "verify"]);
    expect([code, err], note).toEqual([0, ""]);
    expect(out, note).toMatch(/^_server: .* sound, .*\nmain: \d+ facts, sound, .*\n$/);
  }

  // Whoever fails ends the test at once.
  const everybody = Promise.all([askersDone, peopleDone]);
  const meanwhile = <T>(work: Promise<T>): Promise<T> => Promise.race([work, everybody.then(() => work)]);
  for (let turn = 0; turn < kills; turn++) await meanwhile(killAtAnyMoment(turn));
  asking = false;
  await meanwhile(askersDone);
  deciding = false;
  await everybody;
  for (const one of servers) expect((await one.kill("SIGTERM")).err, note).toBe("");
  await sound();
  await ledger.agreesWith(place, async (title) => {
    const text = await readFile(file(title), "utf8").catch(() => "");
    return text.split("\n").length - 1;
  });
  expect([...agents.values()].map((agent) => agent.session())).toEqual(sessions);
  // The test itself: answers were on their way when something was killed.
  expect(caught, note).toBeGreaterThanOrEqual(kills / 8);
  expect(ledger.size, note).toBeGreaterThanOrEqual(kills);
  const what = Object.entries(killed).map(([name, n]) => `${n} ${name}`);
  return (
    `${kills} kills (${what.join(", ")}) in ${Math.round((performance.now() - begun) / 1000)} s: ${ledger.asked} asked, ` +
    `${ledger.size} decided, ${second} came second, ${caught} answers caught on their way, ` +
    `the slowest was with its agent after ${(ledger.slowest / 1000).toFixed(1)} s`
  );
}

/** The same with a seed that is printed, and the figures with it. */
export async function killingOn(name: string, place: Place, kills: number): Promise<void> {
  const figures = await killing(place, kills, chance(`kill -9 on ${name}`));
  process.stderr.write(`kill -9 on ${name}: ${figures}\n`);
}
