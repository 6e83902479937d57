// The server as a process of its own, killed while every client's hook waits: what was not decided does not run, and what is
// decided once it is back runs once.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { found, openPlace, type Place, type Server } from "../processes/parley.ts";
import { clients, type Here } from "./clients.ts";

vi.setConfig({ testTimeout: 120_000 });

let place: Place;
let server: Server;
let zoe: string;
let here: Here;
beforeAll(async () => {
  place = await openPlace();
  let ada: string;
  [zoe, ada, server] = await Promise.all([place.member("zoe", "--role", "owner"), place.member("ada"), place.serve()]);
  here = { url: server.url.replace(/\/$/, ""), folder: place.folder, ada: { token: ada } };
});
afterAll(() => place.remove());

interface Card {
  id: string;
  title: string;
}

const cards = async (): Promise<Card[]> =>
  (await server.api(zoe, "list_gates", { status: "pending", limit: 100 })).body.gates;
/** How often the command with this name has run. */
const ran = async (name: string): Promise<number> =>
  (await readFile(join(place.folder, name), "utf8").catch(() => "")).length;
const attempt = (name: string, limit: number) => ({ command: `printf x >>${name}`, id: `use-${name}`, limit });
const all = clients.map((client, n) => ({ client, name: `client-${n}` }));

/** All of them ask; the server is killed once each has its card. */
async function killedWhileTheyWait(prefix: string, limit: number) {
  const names = all.map(({ name }) => `${prefix}-${name}`);
  const turns = all.map(({ client }, n) => client.tries(here, attempt(names[n] ?? "", limit)));
  const asked = await found(async () => {
    const mine = (await cards()).filter(({ title }) => title.includes(`>>${prefix}-`));
    return mine.length === all.length && mine;
  });
  await server.kill("SIGKILL");
  return { names, turns, asked };
}

it("G16: killed for good, nothing runs, and the client is told why", async () => {
  const { names, turns } = await killedWhileTheyWait("gone", 6);
  for (const [n, turn] of (await Promise.all(turns)).entries())
    expect([all[n]?.client.name, turn.ran, turn.told]).toEqual([
      all[n]?.client.name,
      null,
      expect.stringMatching(/\w/),
    ]);
  expect(await Promise.all(names.map(ran))).toEqual(names.map(() => 0));
  server = await place.serve({ port: server.port });
  // Who answers what nobody waits for any more starts nothing.
  for (const { id } of await cards()) await server.api(zoe, "decide_gate", { gate_id: id, decision: "approve" });
  expect(await Promise.all(names.map(ran))).toEqual(names.map(() => 0));
});

it("G16: back in time, each runs once when it is approved and not at all when it is denied", async () => {
  const { names, turns, asked } = await killedWhileTheyWait("back", 20);
  server = await place.serve({ port: server.port });
  const held = all.map(({ client }) => !client.name.endsWith("http"));
  const yes = (n: number) => n % 2 === 0;
  for (const [n, name] of names.entries()) {
    const card = asked.find(({ title }) => title.endsWith(`>>${name}`));
    const decision = yes(n) ? "approve" : "deny";
    expect((await server.api(zoe, "decide_gate", { gate_id: card?.id, decision })).status).toBe(200);
  }
  await Promise.all(turns);
  // An http hook is cut off with its server, and its client blocks.
  expect(await Promise.all(names.map(ran))).toEqual(names.map((_, n) => (held[n] && yes(n) ? 1 : 0)));
});
