// Several real processes play one floor at random, each for members of its own and one that all play. Who then reads
// the log finds every promise kept, and of what was said nothing is lost, doubled or out of its turn.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import type { Member } from "../../src/floor/record.ts";
import { find } from "../../src/floor/rows.ts";
import { factsAfter } from "../../src/log.ts";
import { root } from "../../src/package.ts";
import { chance } from "../processes/chance.ts";
import { built } from "../setup/built.ts";
import { inFile, inPostgres } from "../setup/stores.ts";
import { type Guest, play } from "../table.ts";
import { auditor } from "./auditor.ts";
import { often, within } from "./often.ts";
import type { Part, Told } from "./player.ts";
import { agent, approver } from "./stage.ts";

const seats = ["ann", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "sam"];

async function played(part: Part, home: string): Promise<Told> {
  const child = fork(fileURLToPath(new URL("./player.ts", import.meta.url)), {
    cwd: root,
    execArgv: ["--import", "tsx"],
    // Its own seed goes along; what it says of its chance is said here already.
    env: { ...process.env, HOME: home },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let err = "";
  child.stderr?.on("data", (chunk) => {
    err += chunk;
  });
  const exit = once(child, "exit");
  child.send(part);
  const [answer] = (await Promise.race([once(child, "message"), exit])) as [{ told?: Told; fault?: string }];
  await exit;
  if (!answer?.told) throw new Error(`a player ended: ${answer?.fault ?? err}`);
  return answer.told;
}

const tables = [
  { maker: inFile, processes: 4, calls: 150 },
  { maker: inPostgres, processes: 2, calls: 250 },
];

it.each(tables)(
  "S1–S10, N2, N4, L4, L6: $processes processes on $maker.name play one floor at once",
  {
    timeout: within(60_000),
  },
  async ({ maker, processes, calls }) => {
    const { store, where, remove } = await maker.make();
    const p = play(store);
    const { seed, whole } = chance(`several on ${maker.name}`);
    const guests = new Map<string, Guest>();
    for (const name of seats) guests.set(name, await p.guest(name));
    const olga = await p.guest("olga", { role: "approver" });
    guests.set("olga", olga).set("lea", await p.guest("lea", { role: "lead" }));
    const max_bypass = whole(0, 2);
    const times = { hold_seconds: 1, ack_seconds: 1, max_turn_seconds: 2 };
    await olga.does("open_floor", { seats, operators: ["lea"], ...times, max_bypass, max_agent_turns: 0 });
    const operators = ["olga", "lea"];
    const folder = dirname(await built());
    const home = await mkdtemp(join(tmpdir(), "parley-players-"));
    onTestFinished(async () => {
      await p.table.ring.close();
      await remove();
      await rm(home, { recursive: true, force: true });
    });
    const parts = Array.from({ length: processes }, (_, n): Part => {
      const own = seats.filter((_, at) => at % processes === n && at < seats.length - 1);
      const names = [...own, "sam", ...operators.slice(n, n + 1)];
      const members = names.map((name) => ({
        name,
        token: guests.get(name)?.token ?? "",
        operates: operators.includes(name),
      }));
      return { built: folder, where, seed: seed + 100 * n, calls: often(calls), names: seats, members };
    });
    const told = await Promise.all(parts.map((part) => played(part, home)));

    // By the log alone.
    const members = new Map<string, Member>(seats.map((name) => [name, agent]));
    members.set("lea", agent).set("olga", approver);
    const audit = auditor(max_bypass);
    const facts = await store.read((db) => factsAfter(db, "main", 0, 10_000_000));
    const counts = new Map<string, number>();
    for (const { subject, action, member, data } of facts) {
      if (subject !== "floor:main") continue;
      counts.set(action, (counts.get(action) ?? 0) + 1);
      audit.read({ what: action, member, data: data as Record<string, unknown> }, members);
    }
    audit.rest();

    // By the rows: what each was told of its words is so.
    const said = await store.read((db) =>
      db.selectFrom("floor_utterances").select(["id", "turn", "speaker", "text"]).orderBy("id").execute(),
    );
    const turns = await store.read((db) =>
      db.selectFrom("floor_turns").select(["number", "seat", "ended"]).orderBy("number").execute(),
    );
    const acknowledged = told.flatMap(({ texts }) => texts).filter(({ became }) => typeof became === "number");
    expect(said.map(({ id, text }) => [id, text])).toEqual(
      acknowledged.map(({ text, became }) => [became, text]).sort(([a], [b]) => Number(a) - Number(b)),
    );
    expect(said.map(({ id }) => id)).toEqual(said.map((_, n) => n + 1));
    expect(turns.map(({ number }) => number)).toEqual(turns.map((_, n) => n + 1));
    expect(turns.slice(0, -1).filter(({ ended }) => ended === null)).toEqual([]);
    const seatOf = new Map(turns.map(({ number, seat }) => [number, seat]));
    for (const { turn, speaker } of said) if (turn !== null) expect([turn, seatOf.get(turn)]).toEqual([turn, speaker]);
    const floor = await store.read((db) => find(db, "main", "main"));
    expect([floor?.turns, floor?.utterances]).toEqual([turns.length, said.length]);

    const sum = (what: "calls" | "came") => told.reduce((all, one) => all + one[what], 0);
    const refused = told.flatMap(({ texts }) => texts).length - said.length;
    process.stderr.write(
      `several on ${maker.name}: ${sum("calls")} calls, ${turns.length} turns, ${said.length} said, ${refused} refused, ` +
        `${sum("came")} turns came to one who waited; ${[...counts].map(([what, n]) => `${what.slice(6)} ${n}`).join(", ")}\n`,
    );
    // A run in which nothing happened would prove nothing.
    for (const what of ["granted", "said", "requested", "ended"])
      expect(counts.get(`floor.${what}`), what).toBeGreaterThan(5);
  },
);
