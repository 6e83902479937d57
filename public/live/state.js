// @ts-check
// What the page knows, and how one message of the server changes it. Pure: the server's records replace by id,
// nothing is ever guessed.
/** @import { App, Fact, Gate, Room, RoomData } from "../types.d.ts" */
import { filled, keepLoaded, withPart } from "./parts.js";

/** Facts kept in memory at most; older ones are loaded again when somebody scrolls there. */
const keep = 30_000;

/** @type {App} */
export const nothing = {
  phase: "starting",
  why: null,
  me: null,
  server: null,
  rooms: [],
  room: null,
  data: {},
  coming: {},
  pages: {},
  notices: [],
  link: { state: "connecting", heard: null },
  answers: {},
  settled: {},
  channels: {},
  heard: {},
  opened: {},
  picked: [],
  together: null,
  toasts: [],
  said: "",
};

/**
 * @template T
 * @param {readonly T[] | undefined} list @param {(one: T) => string | number} key
 * @returns {Record<string | number, T>}
 */
const by = (list, key) => Object.fromEntries((list ?? []).map((one) => [key(one), one]));

/**
 * @template T
 * @param {readonly T[]} list @param {readonly T[]} changed @param {(one: T) => unknown} key
 */
function replace(list, changed, key) {
  const fresh = new Map(changed.map((one) => [key(one), one]));
  const kept = list.map((one) => {
    const next = fresh.get(key(one));
    fresh.delete(key(one));
    return next ?? one;
  });
  return [...kept, ...fresh.values()];
}

/** @param {Fact[]} had @param {Fact[]} more both ascending */
function append(had, more) {
  const last = had.at(-1)?.seq ?? 0;
  const fresh = more.filter((fact) => fact.seq > last);
  if (!fresh.length) return had;
  const all = had.concat(fresh);
  return all.length > keep ? all.slice(all.length - keep) : all;
}

/** What this person put aside, on whatever device. @param {Record<string, number>} had @param {Fact[]} facts @param {string | undefined} me */
function withSnoozes(had, facts, me) {
  const mine = facts.filter((fact) => fact.action === "gate.snoozed" && fact.member === me);
  if (!mine.length) return had;
  const fresh = mine.map((fact) => [fact.subject.slice("gate:".length), Date.parse(`${fact.data?.until}`)]);
  return { ...had, ...Object.fromEntries(fresh) };
}

/**
 * Notes which gates were settled while they stood here, so that their cards can say so before they go.
 * @param {App} app @param {RoomData | undefined} before @param {Gate[]} gates @param {number} at
 */
function noteSettled(app, before, gates, at) {
  let { settled, answers } = app;
  for (const gate of gates) {
    if (gate.status === "pending") {
      const answer = answers[gate.id];
      // a first approval of two is committed: the answer is no longer on its way
      const mine = gate.approvals?.some((one) => one.by === app.me?.member);
      if ((answer?.state === "sending" || answer?.state === "unconfirmed") && answer.decision === "approve" && mine) {
        const { [gate.id]: _, ...rest } = answers;
        answers = rest;
      }
      continue;
    }
    if (before?.gates[gate.id]?.status === "pending") settled = { ...settled, [gate.id]: at };
    // a refusal is kept: it tells the loser who was quicker
    if (answers[gate.id] && answers[gate.id]?.state !== "refused") {
      const { [gate.id]: _, ...rest } = answers;
      answers = rest;
    }
  }
  return { settled, answers };
}

/**
 * @param {App} app
 * @param {any} message of the server (docs/live.md)
 * @param {number} at when it came (ms, this page's clock)
 * @returns {App}
 */
export function merge(app, message, at) {
  switch (message.type) {
    case "welcome":
      return {
        ...app,
        phase: "in",
        why: null,
        me: message.me,
        server: message.server,
        rooms: message.rooms,
        coming: {},
      };
    case "rooms":
      return { ...app, rooms: message.rooms };
    case "room": {
      const { snapshot, room, seq } = message;
      // made anew under its name it is another room
      const had = app.data[room];
      const before = had && !message.anew && seq >= had.seq ? had : undefined;
      // what stands here stays until all of it has come anew
      if (message.more && before) return { ...app, coming: { ...app.coming, [room]: message } };
      const facts = snapshot.facts ?? [];
      const joins = before && (facts[0]?.seq ?? 0) <= (before.facts.at(-1)?.seq ?? 0) + 1;
      /** @type {RoomData} */
      const data = {
        seq,
        members: snapshot.members ?? [],
        gates: keepLoaded(before?.gates, snapshot.gates ?? []),
        tasks: by(snapshot.tasks, (/** @type {any} */ task) => task.id),
        counts: snapshot.task_counts ?? {},
        floors: by(snapshot.floors?.filter(Boolean), (/** @type {any} */ floor) => floor.channel),
        facts: joins ? append(before.facts, facts) : facts,
        snoozed: snapshot.snoozed ?? {},
      };
      // pages loaded above a gap no longer join what is below it
      const pages = joins
        ? app.pages
        : Object.fromEntries(Object.entries(app.pages).filter(([key]) => !key.startsWith(`${room}\n`)));
      return {
        ...app,
        ...noteSettled(app, before, snapshot.gates ?? [], at),
        data: { ...app.data, [room]: data },
        pages,
        notices: snapshot.notices ?? app.notices,
      };
    }
    case "part": {
      const { [message.room]: begun, ...others } = app.coming;
      if (begun && !message.last)
        return {
          ...app,
          coming: { ...others, [message.room]: { ...begun, snapshot: withPart(begun.snapshot, message) } },
        };
      if (begun)
        return merge(
          { ...app, coming: others },
          { ...begun, more: false, snapshot: withPart(begun.snapshot, message) },
          at,
        );
      const before = app.data[message.room];
      return before ? { ...app, data: { ...app.data, [message.room]: filled(before, message) } } : app;
    }
    case "facts": {
      const before = app.data[message.room];
      if (!before) return app;
      /** @type {RoomData} */
      const data = {
        seq: Math.max(before.seq, message.seq),
        members: message.members ? replace(before.members, message.members, (one) => one.name) : before.members,
        gates: message.gates ? { ...before.gates, ...keepLoaded(before.gates, message.gates) } : before.gates,
        tasks: message.tasks ? { ...before.tasks, ...by(message.tasks, (task) => task.id) } : before.tasks,
        counts: message.task_counts ?? before.counts,
        floors: message.floors
          ? { ...before.floors, ...by(message.floors.filter(Boolean), (/** @type {any} */ one) => one.channel) }
          : before.floors,
        facts: append(before.facts, message.facts ?? []),
        snoozed: withSnoozes(before.snoozed, message.facts ?? [], app.me?.member),
      };
      return {
        ...app,
        ...noteSettled(app, before, message.gates ?? [], at),
        data: { ...app.data, [message.room]: data },
        notices: message.notices ?? app.notices,
      };
    }
    case "members": {
      const before = app.data[message.room];
      if (!before) return app;
      const members = replace(before.members, message.members, (one) => one.name);
      return { ...app, data: { ...app.data, [message.room]: { ...before, members } } };
    }
    case "notices":
      return { ...app, notices: message.notices };
    default:
      return app;
  }
}

/** One record that came as the result of a call. @param {App} app @param {Gate} gate @param {number} at @returns {App} */
export function mergeGate(app, gate, at) {
  const before = app.data[gate.room];
  if (!before) return app;
  return {
    ...app,
    ...noteSettled(app, before, [gate], at),
    data: { ...app.data, [gate.room]: { ...before, gates: { ...before.gates, ...keepLoaded(before.gates, [gate]) } } },
  };
}

/** @param {App} app @param {string | null} room @returns {Room | undefined} */
export const roomOf = (app, room = app.room) => app.rooms.find((one) => one.room === room);
