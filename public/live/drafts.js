// @ts-check
// What a person has written on a card and not yet sent, kept per gate so that it survives a reload (D13).
/** @import { Draft } from "../types.d.ts" */
import { useState } from "preact/hooks";

/** @param {string} id */
const key = (id) => `parley:draft:${id}`;

/** @param {string} id @returns {Draft} */
export function readDraft(id) {
  try {
    return JSON.parse(localStorage.getItem(key(id)) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} id @param {Draft} draft */
function keepDraft(id, draft) {
  try {
    if (Object.values(draft).some(Boolean)) localStorage.setItem(key(id), JSON.stringify(draft));
    else localStorage.removeItem(key(id));
  } catch {
    // no room or not allowed: the draft lasts as long as the card
  }
}

/** The words go along when a gate is asked anew. @param {string} from @param {string} to */
export const moveDraft = (from, to) => {
  keepDraft(to, readDraft(from));
  keepDraft(from, {});
};

/** @param {string} id */
export const dropDraft = (id) => keepDraft(id, {});

/**
 * @param {string} id
 * @returns {[Draft, (more: Draft) => void]}
 */
export function useDraft(id) {
  const [draft, set] = useState(() => readDraft(id));
  return [
    draft,
    (more) => {
      const next = { ...readDraft(id), ...more };
      keepDraft(id, next);
      set(next);
    },
  ];
}
