// @ts-check
// Seats in the order of speaking: moved by buttons, or by dragging where a mouse points.
/** @import { Member } from "../types.d.ts" */
import { html } from "htm/preact";
import { useRef } from "preact/hooks";
import { Icon, StateMark } from "./icons.js";

/** @param {{seats: string[], members: Member[], others: Member[], set: (seats: string[]) => void}} props */
export function Order({ seats, members, others, set }) {
  const dragged = useRef(/** @type {number | null} */ (null));
  const stateOf = (/** @type {string} */ name) => members.find((one) => one.name === name)?.state ?? "offline";
  /** @param {number} at @param {number} to */
  const move = (at, to) => {
    const next = [...seats];
    const [one] = next.splice(at, 1);
    if (one !== undefined) next.splice(to, 0, one);
    set(next);
  };
  const over = (/** @type {number} */ i) => (/** @type {DragEvent} */ event) => {
    if (dragged.current === null) return;
    event.preventDefault();
    if (dragged.current === i) return;
    move(dragged.current, i);
    dragged.current = i;
  };
  return html`<fieldset><legend>Seats, in the order of speaking</legend>
    ${
      seats.length
        ? html`<ol class="order">${seats.map(
            (name, i) => html`<li key=${name} draggable
              onDragStart=${(/** @type {DragEvent} */ e) => {
                dragged.current = i;
                e.dataTransfer?.setData("text/plain", name);
              }}
              onDragOver=${over(i)} onDrop=${(/** @type {DragEvent} */ e) => e.preventDefault()}
              onDragEnd=${() => {
                dragged.current = null;
              }}><${StateMark} state=${stateOf(name)} /><span class="cut">${name}</span>
              <button type="button" class="icon-btn" aria-label=${`${name} earlier`} disabled=${i === 0} onClick=${() => move(i, i - 1)}><${Icon} name="i-up" /></button
              ><button type="button" class="icon-btn" aria-label=${`${name} later`} disabled=${i === seats.length - 1} onClick=${() => move(i, i + 1)}><${Icon} name="i-down" /></button
              ><button type="button" class="icon-btn" aria-label=${`Remove ${name}`} onClick=${() => set(seats.filter((one) => one !== name))}><${Icon} name="i-x" /></button></li>`,
          )}</ol>`
        : html`<p class="muted small">Nobody yet: take a seat for each who speaks.</p>`
    }
    ${
      others.length > 0 &&
      html`<div class="chips">${others.map(
        (one) =>
          html`<button type="button" class="chip" key=${one.name} onClick=${() => set([...seats, one.name])}><${Icon} name="i-plus" />${one.name}</button>`,
      )}</div>`
    }
  </fieldset>`;
}
