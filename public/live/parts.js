// @ts-check
// A room comes in parts, and large fields of a card only once it is opened. Pure: how parts and fields come together.
/** @import { Gate, RoomData } from "../types.d.ts" */

/** @param {any} snapshot @param {any} part @returns {any} the snapshot with the part */
export const withPart = (snapshot, { gates = [], tasks = [], facts = [] }) => ({
  ...snapshot,
  gates: [...snapshot.gates, ...gates],
  tasks: [...snapshot.tasks, ...tasks],
  facts: [...facts, ...snapshot.facts],
});

/**
 * A room that stands here already, with one more part of it; what is known already is newer and stays.
 * @param {RoomData} data @param {any} part @returns {RoomData}
 */
export function filled(data, { gates = [], tasks = [], facts = [] }) {
  const first = data.facts[0]?.seq ?? Number.POSITIVE_INFINITY;
  return {
    ...data,
    gates: { ...keepLoaded(undefined, gates), ...data.gates },
    tasks: { ...Object.fromEntries(tasks.map((/** @type {any} */ task) => [task.id, task])), ...data.tasks },
    facts: [...facts.filter((/** @type {any} */ fact) => fact.seq < first), ...data.facts],
  };
}

/** @param {Gate} before @param {Gate} gate @param {string} field */
const isSame = (before, gate, field) =>
  before.left_out?.includes(field) !== true &&
  (field === "ran" ? before.ran?.at === gate.ran?.at : before.digest === gate.digest);

/**
 * By id; what a message leaves out of a card stays as it was loaded, while it is the same.
 * @param {Record<string, Gate> | undefined} had @param {Gate[]} gates @returns {Record<string, Gate>}
 */
export function keepLoaded(had, gates) {
  return Object.fromEntries(
    gates.map((gate) => {
      const before = had?.[gate.id];
      if (!gate.left_out || !before) return [gate.id, gate];
      const same = gate.left_out.filter((field) => isSame(before, gate, field));
      const loaded = Object.fromEntries(same.map((field) => [field, /** @type {any} */ (before)[field]]));
      const left = gate.left_out.filter((field) => !same.includes(field));
      const { left_out: _, ...rest } = gate;
      return [gate.id, { ...rest, ...loaded, ...(left.length > 0 && { left_out: left }) }];
    }),
  );
}
