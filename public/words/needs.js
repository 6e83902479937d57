// @ts-check
// What waits for a person, in which order, and how it is told. Pure.
/** @import { App, Gate, Member, RoomData } from "../types.d.ts" */
import { ms } from "../live/clock.js";

const risks = ["critical", "high", "medium", "low"];

/** Oldest deadline first, then risk; blockers, which have none, after everything, the oldest first. @param {Gate} a @param {Gate} b */
export function byUrgency(a, b) {
  const due = (/** @type {Gate} */ gate) => (gate.expires_at ? ms(gate.expires_at) : Number.MAX_SAFE_INTEGER);
  const risk = (/** @type {Gate} */ gate) => (gate.risk ? risks.indexOf(gate.risk) : 2);
  return due(a) - due(b) || risk(a) - risk(b) || ms(a.asked_at) - ms(b.asked_at) || a.id.localeCompare(b.id);
}

/**
 * The cards of one asker stand together, where its most urgent one stands.
 * @param {Gate[]} gates @returns {Gate[]}
 */
export function byAsker(gates) {
  /** @type {Map<string, Gate[]>} */
  const groups = new Map();
  for (const gate of [...gates].sort(byUrgency)) {
    const group = groups.get(gate.asked_by);
    if (group) group.push(gate);
    else groups.set(gate.asked_by, [gate]);
  }
  return [...groups.values()].flat();
}

/** How long what no longer waits is shown unasked: as long as the server sends it (ms). */
const week = 7 * 86_400_000;

/**
 * It expired and nobody had answered; until this person puts it away, or somebody asks it again.
 * @param {Gate} gate @param {RoomData | undefined} data @param {number} now the server's
 */
export const isMissed = (gate, data, now) =>
  gate.status === "expired" &&
  gate.kind !== "blocker" &&
  !gate.reopened_as &&
  ms(gate.expires_at) > now - week &&
  !((data?.snoozed[gate.id] ?? 0) > now);

/** Its asker ran something else than was approved. @param {Gate} gate @param {RoomData | undefined} data @param {number} now */
export const isDrift = (gate, data, now) =>
  gate.ran?.drift === true && ms(gate.ran.at) > now - week && !((data?.snoozed[gate.id] ?? 0) > now);

/** Too much hangs on it to be approved along with others. @param {Gate} gate */
export const standsAlone = (gate) =>
  gate.risk === "high" || gate.risk === "critical" || (gate.approvals_needed ?? 1) > 1;

/**
 * What waits in the rooms that are not shown: how much, where, and the room to look at first.
 * @param {App} app @returns {{count: number, where: string, room: string} | null}
 */
export function waitsElsewhere(app) {
  const others = app.rooms
    .filter((one) => one.room !== app.room && one.approvals + one.blockers > 0)
    .sort((a, b) => b.blockers - a.blockers || b.approvals - a.approvals);
  const [first] = others;
  if (!first) return null;
  return {
    count: others.reduce((sum, one) => sum + one.approvals + one.blockers, 0),
    where: others.length > 1 ? `${others.length} other rooms` : first.title || first.room,
    room: first.room,
  };
}

/** How long the card of a settled gate stays to say what came of it (ms). */
export const lingers = 30_000;

/** @param {Gate["kind"]} kind */
export const kindWord = (kind) => ({ approval: "Approval", feedback: "Question", blocker: "Blocker" })[kind] ?? kind;

/** @param {Gate} gate */
export const stateOfGate = (gate) => (gate.kind === "blocker" ? "blocked" : "waiting");

/** People who may answer in this room. @param {Member[]} members @param {Gate} gate */
export const deciders = (members, gate) =>
  members.filter(
    (one) =>
      one.kind === "person" && one.name !== gate.asked_by && (one.role === "approver" || one.server_role === "owner"),
  );

/** May this person answer it at all? @param {App} app @param {RoomData | undefined} data @param {Gate} gate */
export function mayDecide(app, data, gate) {
  const me = app.me?.member;
  if (!me || gate.asked_by === me) return false;
  if (app.me?.server_role === "owner") return true;
  const role =
    app.rooms.find((one) => one.room === gate.room)?.role ?? data?.members.find((one) => one.name === me)?.role;
  return role === "approver" || role === "owner";
}

/** “you or ada, one is enough”. @param {string[]} others @param {boolean} me */
export function whoDecides(others, me) {
  const names = others.length > 3 ? [`${others.length} others`] : others;
  if (!me) return names.length ? `${names.join(" or ")}; you can look` : "nobody here may";
  return names.length ? `you or ${names.join(" or ")}, one is enough` : "you alone";
}
