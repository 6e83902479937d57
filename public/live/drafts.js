// @ts-check
// What a person has written and not yet sent, on a card or to be said on a floor: kept per gate, per room and channel,
// so that it survives a reload (D13).
/** @import { Draft } from "../types.d.ts" */
import { useEffect, useState } from "preact/hooks";
import { kept } from "./base.js";

/** @param {string} id */
const key = (id) => kept(`draft:${id}`);

/** Drafts for which this browser has no room, or does not allow it. @type {Map<string, Draft>} */
const unkept = new Map();

/** @param {string} id @returns {Draft} */
export function readDraft(id) {
  const own = unkept.get(id);
  if (own) return own;
  try {
    return JSON.parse(localStorage.getItem(key(id)) ?? "{}");
  } catch {
    return {};
  }
}

/** @type {Set<(id: string) => void>} */
const watching = new Set();

/** @param {string} id @param {Draft} draft */
function keepDraft(id, draft) {
  try {
    if (Object.values(draft).some(Boolean)) localStorage.setItem(key(id), JSON.stringify(draft));
    else localStorage.removeItem(key(id));
    unkept.delete(id);
  } catch {
    // it lasts as long as the page
    unkept.set(id, draft);
  }
  for (const tell of watching) tell(id);
}

/** The words go along when a gate is asked anew. @param {string} from @param {string} to */
export const moveDraft = (from, to) => {
  keepDraft(to, readDraft(from));
  keepDraft(from, {});
};

/** @param {string} id */
export const dropDraft = (id) => keepDraft(id, {});

/** @param {string} room @param {string} channel the floor's; "" where none is open */
export const sayDraft = (room, channel) => `say:${room}:${channel}`;

/** @param {string} id @param {Draft} more */
export const writeDraft = (id, more) => keepDraft(id, { ...readDraft(id), ...more });

/**
 * @param {string} id
 * @returns {[Draft, (more: Draft) => void]}
 */
export function useDraft(id) {
  const [held, set] = useState(() => ({ id, draft: readDraft(id) }));
  useEffect(() => {
    const look = (/** @type {string} */ which) => {
      if (which === id) set({ id, draft: readDraft(id) });
    };
    look(id);
    watching.add(look);
    return () => {
      watching.delete(look);
    };
  }, [id]);
  return [
    held.id === id ? held.draft : readDraft(id),
    (more) => {
      const next = { ...readDraft(id), ...more };
      set({ id, draft: next });
      keepDraft(id, next);
    },
  ];
}
