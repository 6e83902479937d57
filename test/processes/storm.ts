// Clients that lose their patience: each question is sent again and again, out of order, over two sessions of one
// agent at two servers, under JSON-RPC ids that are used over and over, cancelled, cut off. One card for each (G5, G6).
import { expect } from "vitest";
import { approval, cancelled, initialize } from "../edges/mcp/stage.ts";
import type { Chance } from "./chance.ts";
import { type Json, type Place, pause } from "./parley.ts";
import { decisionFor, type Gate } from "./questions.ts";

interface Line {
  url: string;
  session: string;
}

/** What came back, where anything did. */
interface Got {
  title: string;
  gate: Gate;
}

const sendings = 5;

/** @returns figures, in one line */
export async function storm(place: Place, questions: number, { seed, whole, pick }: Chance): Promise<string> {
  const note = `seed ${seed}`;
  const [zoe, ada] = await Promise.all([place.member("zoe", "--role", "owner"), place.member("ada")]);
  const env = { PARLEY_RATE_LIMIT: "1000000", PARLEY_MAX_PENDING: "1000" };
  const servers = await Promise.all([place.serve({ env }), place.serve({ env })]);
  const [first] = servers;
  const headers = {
    Authorization: `Bearer ${ada}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
  };
  const post = ({ url, session }: Line, body: object, signal?: AbortSignal): Promise<Response> =>
    fetch(`${url}mcp`, {
      method: "POST",
      headers: { ...headers, ...(session && { "Mcp-Session-Id": session }) },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
  // A session is a name: both servers know both.
  const lines = (
    await Promise.all(
      servers.map(async ({ url }) => {
        const hello = await post({ url, session: "" }, initialize());
        return servers.map((server) => ({ url: server.url, session: hello.headers.get("mcp-session-id") ?? "" }));
      }),
    )
  ).flat();
  const count = { sent: 0, cancelled: 0, "cut off": 0, answered: 0 };

  /** One sending of a question, whatever becomes of it. */
  async function send(args: Json & { title: string }, waits: readonly number[]): Promise<Got | null> {
    await pause(whole(0, 400));
    const line = pick(lines);
    const id = pick([0, 1, "1", 2]);
    const gone = new AbortController();
    count.sent += 1;
    const answer = post(line, approval(id, { ...args, wait_seconds: pick(waits) }), gone.signal)
      .then((response) => response.text())
      .catch(() => "");
    const fate = whole(0, 4);
    if (fate < 2) {
      await pause(whole(0, 150));
      count[fate ? "cancelled" : "cut off"] += 1;
      if (fate) expect((await post(line, cancelled(id))).status).toBe(202);
      else gone.abort();
    }
    const text = await answer;
    if (text === "") return null;
    const { gate, error } = JSON.parse(text).result.structuredContent;
    expect(error, note).toBeUndefined();
    count.answered += 1;
    return { title: args.title, gate };
  }

  const begun = performance.now();
  const named = Array.from({ length: questions }, (_, n) => ({
    title: `Keyed ${n}`,
    action: { n },
    key: `k${n}`,
  }));
  const plain = Array.from({ length: questions }, (_, n) => ({ title: `Plain ${n}`, action: { plain: n } }));
  const pending = async (): Promise<Gate[]> => {
    const all: Gate[] = [];
    for (let cursor: string | undefined; ; ) {
      const { body } = await first.api(zoe, "list_gates", { status: "pending", limit: 100, ...(cursor && { cursor }) });
      all.push(...body.gates);
      cursor = body.next;
      if (cursor === undefined) return all;
    }
  };
  const decide = async (gate: Gate) => {
    const { status } = await pick(servers).api(zoe, "decide_gate", decisionFor(gate, whole(0, 1) > 0, gate.title));
    expect(status, note).toBe(200);
  };
  const times = <T>(list: readonly T[]): T[] => list.flatMap((one) => Array.from({ length: sendings }, () => one));

  // With keys people may answer in the midst of it; without one an answer that was acknowledged is used up.
  let storming = true;
  const answering = (async () => {
    while (storming) for (const gate of await pending()) if (gate.title.startsWith("Keyed")) await decide(gate);
  })();
  const sent = await Promise.all([
    ...times(named).map((args) => send(args, [0, 1, 45])),
    ...times(plain).map((args) => send(args, [0, 1, 2])),
  ]);
  storming = false;
  await answering;
  for (const gate of await pending()) await decide(gate);
  const got = sent.filter((one) => one !== null);

  const stored = (await place.query("select id, title, status, note, key from gates")) as Array<Gate & { key: string }>;
  expect(stored.map(({ title }) => title).sort(), note).toEqual([...named, ...plain].map(({ title }) => title).sort());
  const byTitle = new Map(stored.map((gate) => [gate.title, gate]));
  for (const { title, gate } of got) {
    const row = byTitle.get(title);
    expect([title, gate.id], note).toEqual([title, row?.id]);
    if (gate.status !== "pending") expect([gate.status, gate.note], note).toEqual([row?.status, title]);
  }
  // By its key each is found again, settled and acknowledged, by any server under any session.
  for (const args of named) {
    const text = await (await post(pick(lines), approval(0, args))).text();
    const { gate } = JSON.parse(text).result.structuredContent;
    const row = byTitle.get(args.title);
    expect([gate.id, gate.status, gate.note], note).toEqual([row?.id, row?.status, args.title]);
  }
  const asked = await place.query("select subject from log where action = 'gate.asked'");
  expect(asked, note).toHaveLength(2 * questions);
  for (const server of servers) expect((await server.kill("SIGTERM")).err, note).toBe("");
  const what = Object.entries(count).map(([name, n]) => `${n} ${name}`);
  return `${2 * questions} questions in ${((performance.now() - begun) / 1000).toFixed(1)} s: ${what.join(", ")}, ${stored.length} cards`;
}
