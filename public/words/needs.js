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
