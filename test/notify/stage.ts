// A receiver that can be slow, dead or broken, and a sender that runs on a hand clock.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { onTestFinished } from "vitest";
import { openSender } from "../../src/notify/sender.ts";
import type { Table } from "../../src/table.ts";
import type { Fresh } from "../setup/stores.ts";
import { found, type Stage, stage } from "../stage.ts";
import { type Guest, settled } from "../table.ts";

interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever was sent
  json: any;
}

export interface Receiver {
  url: string;
  got: Got[];
  /** How it answers from now on: a status, or not at all. */
  answers: number | "never";
  /** The request of this number, from 1, once it is there. */
  nth(n: number): Promise<Got>;
}

export async function receiver(): Promise<Receiver> {
  const mine: Receiver = {
    url: "",
    got: [],
    answers: 200,
    nth: (n) => found(() => mine.got[n - 1]),
  };
  const server = createServer((req, res) => {
    let text = "";
    req.setEncoding("utf8");
    req.on("data", (chunk) => {
      text += chunk;
    });
    req.on("end", () => {
      mine.got.push({ path: req.url ?? "", headers: req.headers, text, json: JSON.parse(text) });
      if (mine.answers === "never") return;
      res.writeHead(mine.answers, mine.answers === 302 ? { location: "/elsewhere" } : {});
      res.end("secret words of the receiver");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  mine.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return mine;
}

export const address = "https://parley.example/";

export function sending(table: Table, remind = 600) {
  const sender = openSender(table, { address, remind }, pino({ level: "silent" }));
  onTestFinished(() => sender.close());
  return sender;
}

export interface Told extends Stage {
  ada: Guest;
  zoe: Guest;
  there: Receiver;
  /** The rows of the outbox. */
  notices(): Promise<Array<{ id: string; due: number | null; attempts: number; told_at: number | null }>>;
  /** Once no request is on its way and all that was due is done. */
  still(): Promise<void>;
}

/** Ada asks, Zoe decides and has a channel. */
export async function told(make: () => Promise<Fresh>, channel: Record<string, unknown> = {}): Promise<Told> {
  const p = await stage(make);
  const there = await receiver();
  const ada = await p.guest("ada");
  const zoe = await p.guest("zoe", { role: "approver" });
  await zoe.does("add_channel", { kind: "webhook", url: `${there.url}/hook`, secret: "s3cret", ...channel });
  const rows = () => p.table.store.read((db) => db.selectFrom("notices").selectAll().orderBy("id").execute());
  return {
    ...p,
    ada,
    zoe,
    there,
    notices: rows,
    async still() {
      await found(async () => {
        const now = p.clock.now();
        const open = (await rows()).some(
          ({ due, leased_until }) => leased_until !== null || (due !== null && due <= now),
        );
        return open ? undefined : true;
      });
      await settled();
    },
  };
}
