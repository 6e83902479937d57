// A dashboard without a browser: one socket, what it heard, and what it waits to hear.
import { expect } from "vitest";
import { WebSocket } from "ws";
import type { Device, Served } from "../stage.ts";

export type Message = Record<string, unknown> & { type: string };
export type Seen = { seq: number; action: string; subject: string; text?: string; to?: string; member: string | null };

export interface Dashboard {
  /** Messages; a room's parts are one of them, once all have come. */
  heard: Message[];
  /** The same, part by part. */
  parts: Message[];
  /** What came, frame by frame. */
  frames: string[];
  say(message: unknown): void;
  /** The first message of this type that fits, from `from` on; waits for it. */
  hears(type: string, fits?: (message: Message) => boolean): Promise<Message>;
  /** Performs an action as this person; answers `done` or `refused`. */
  does(action: string, args?: unknown): Promise<Message>;
  /** Every fact heard so far, in the order in which it came. */
  facts(): Seen[];
  /** Waits until a fact with this action was heard. */
  hearsFact(action: string, fits?: (fact: Seen) => boolean): Promise<Seen>;
  /** The close code, once it is closed. */
  closed: Promise<number>;
  close(): Promise<void>;
}

/** Puts a room's parts together: gives other messages as they are, and a room once its last part has come. */
function gathering(): (message: Message) => Message | null {
  let room: (Message & { snapshot: Record<string, unknown[]> }) | null = null;
  return (message) => {
    if (message.type === "room") {
      room = { ...message, snapshot: { ...(message.snapshot as Record<string, unknown[]>) } };
      return null;
    }
    if (message.type !== "part" || !room) return message;
    for (const list of ["gates", "tasks", "facts"])
      room.snapshot[list] = [...(room.snapshot[list] ?? []), ...((message[list] as unknown[]) ?? [])];
    return message.last ? room : null;
  };
}

export function open(s: Served, headers: Record<string, string> = {}): Promise<Dashboard> {
  const socket = new WebSocket(`${s.url.replace("http", "ws")}/ws`, { headers });
  const heard: Message[] = [];
  const parts: Message[] = [];
  const frames: string[] = [];
  const gathered = gathering();
  const waiting = new Set<() => void>();
  let over = false;
  const stir = () => {
    for (const look of waiting) look();
  };
  let pieces = "";
  socket.on("message", (data) => {
    const frame = String(data);
    frames.push(frame);
    if (frame.startsWith(">")) {
      pieces += frame.slice(1);
      return;
    }
    const message = JSON.parse(frame.startsWith(".") ? pieces + frame.slice(1) : frame) as Message;
    pieces = "";
    parts.push(message);
    const whole = gathered(message);
    if (whole) heard.push(whole);
    stir();
  });
  const closed = new Promise<number>((resolve) => {
    socket.on("close", (code) => {
      over = true;
      stir();
      resolve(code);
    });
  });
  socket.on("error", () => {});
  let asked = 0;

  const until = <T>(what: string, look: () => T | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const again = () => {
        const seen = look();
        if (seen === undefined && !over) return;
        waiting.delete(again);
        if (seen !== undefined) resolve(seen);
        else reject(new Error(`closed before ${what}; heard ${heard.map(({ type }) => type).join(", ")}`));
      };
      waiting.add(again);
      again();
    });
  const facts = () => heard.flatMap((message) => (message.type === "facts" ? (message.facts as Seen[]) : []));

  const dashboard: Dashboard = {
    heard,
    parts,
    frames,
    closed,
    facts,
    say: (message) => socket.send(typeof message === "string" ? message : JSON.stringify(message)),
    hears: (type, fits = () => true) =>
      until(type, () => heard.find((message) => message.type === type && fits(message))),
    hearsFact: (action, fits = () => true) =>
      until(action, () => facts().find((fact) => fact.action === action && fits(fact))),
    does(action, args = {}) {
      const id = `do-${++asked}`;
      dashboard.say({ type: "do", id, action, args });
      return until(`an answer to ${action}`, () =>
        heard.find((message) => message.id === id && (message.type === "done" || message.type === "refused")),
      );
    },
    async close() {
      socket.close();
      await closed;
    },
  };
  return new Promise((resolve, reject) => {
    socket.on("open", () => resolve(dashboard));
    socket.on("unexpected-response", (_req, res) => reject(new Error(`refused with ${res.statusCode}`)));
  });
}

/** A signed-in dashboard that has said hello and been welcomed. */
export async function hello(s: Served, device: Device, more: Record<string, unknown> = {}): Promise<Dashboard> {
  const dashboard = await open(s, { cookie: device.cookie });
  dashboard.say({ type: "hello", secret: device.secret, ...more });
  await dashboard.hears("welcome");
  return dashboard;
}

/** The facts from `after` on came each once, in order, up to `last`. */
export function expectWhole(facts: readonly Seen[], after: number, last: number): void {
  expect(facts.map(({ seq }) => seq)).toEqual(Array.from({ length: last - after }, (_, n) => after + n + 1));
}
