// Many answers to one gate at the same moment, over HTTP, from two people: one of them decides it. Whoever said that
// very answer is told the same each time; everybody else is told who was first, what they said and when (G2).
import { expect } from "vitest";
import type { Chance } from "./chance.ts";
import type { Json, Place, Server } from "./parley.ts";
import { becomes, decisionFor, type Gate, gateKinds, question } from "./questions.ts";

interface Answer {
  by: string;
  args: Json & { decision: string };
}

/** How many different answers a person gives, each several times. */
const opinions = 5;
/** An agent has no more pending gates at once. */
const each = 20;

/** @returns figures, in one line */
export async function contest(
  place: Place,
  { servers: count, gates, answers }: { servers: number; gates: number; answers: number },
  { seed, whole, pick }: Chance,
): Promise<string> {
  const note = `seed ${seed}`;
  const people: Record<string, string> = { zoe: await place.member("zoe", "--role", "owner") };
  const env = { PARLEY_RATE_LIMIT: "1000000" };
  const servers = await Promise.all(Array.from({ length: count }, () => place.serve({ env })));
  const [first] = servers as [Server];
  people.yan = (await first.add(people.zoe ?? "", ["yan"], { person: true }))[0] ?? "";
  const names = Array.from({ length: Math.ceil(gates / each) }, (_, n) => `agent-${n}`);
  const tokens = await first.add(people.zoe ?? "", names);

  const asked: Gate[] = [];
  for (let n = 0; n < gates; n++) {
    const { tool, args } = question(gateKinds[n % gateKinds.length] ?? "approval", `Step ${n}`);
    const { body } = await first.api(tokens[Math.floor(n / each)] ?? "", tool, { ...args, wait_seconds: 0 });
    asked.push(body.gate);
  }

  const begun = performance.now();
  let replays = 0;
  let second = 0;
  const winners = new Map<string, number>();
  for (const gate of asked) {
    const said: Answer[] = Array.from({ length: answers }, (_, n) => {
      const by = n % 2 ? "zoe" : "yan";
      return { by, args: decisionFor(gate, n % 3 > 0, `${by} says ${Math.floor(n / 2) % opinions}`) };
    });
    const order = said.map((answer) => [whole(0, 1000), answer] as const).sort(([a], [b]) => a - b);
    const got = await Promise.all(
      order.map(async ([, { by, args }]) => ({
        by,
        args,
        ...(await pick(servers).api(people[by] ?? "", "decide_gate", args)),
      })),
    );
    const won = got.filter(({ status }) => status === 200);
    const [winner] = won;
    if (!winner) throw new Error(`nobody decided ${gate.title}, ${note}`);
    // All who were told that they decided have given the same answer, and were told the same.
    const alike = said.filter(
      ({ by, args }) => by === winner.by && JSON.stringify(args) === JSON.stringify(winner.args),
    );
    expect(won, note).toHaveLength(alike.length);
    for (const one of won) expect([one.by, one.args, one.body], note).toEqual([winner.by, winner.args, winner.body]);
    const { decided_by, decided_at, device, status } = winner.body.gate;
    expect([decided_by, status], note).toEqual([winner.by, becomes[winner.args.decision]]);
    const words = { note: winner.args.note ?? null, text: winner.args.text ?? null };
    for (const one of got.filter((each) => each.status !== 200)) {
      expect([one.status, one.body.error], note).toMatchObject([
        409,
        { code: "ALREADY_DECIDED", gate_status: status, decided_by, decided_at, device, ...words },
      ]);
      expect(one.body.error.message, note).toContain(`${decided_by} ${status} this first`);
    }
    replays += won.length - 1;
    second += got.length - won.length;
    winners.set(winner.by, (winners.get(winner.by) ?? 0) + 1);
  }
  const seconds = (performance.now() - begun) / 1000;

  const log = await place.query(
    `select subject, action, member from log where room = 'main' and action in
     ('gate.approved', 'gate.denied', 'gate.answered', 'gate.resolved')`,
  );
  const stored = await place.query("select id, status, decided_by from gates");
  const row = (subject: unknown, action: unknown, member: unknown) => `${subject} ${action} ${member}`;
  expect(log.map(({ subject, action, member }) => row(subject, action, member)).sort(), note).toEqual(
    stored.map(({ id, status, decided_by }) => row(`gate:${id}`, `gate.${status}`, decided_by)).sort(),
  );
  expect(stored, note).toHaveLength(gates);
  for (const server of servers) expect((await server.kill("SIGTERM")).err, note).toBe("");
  return (
    `${gates} gates, ${answers} answers each at ${count} server${count > 1 ? "s" : ""} in ${seconds.toFixed(1)} s ` +
    `(${Math.round((gates * answers) / seconds)}/s): ${gates} decided (${[...winners].map((w) => w.join(" ")).join(", ")}), ` +
    `${replays} replays, ${second} came second`
  );
}
