// @ts-check
// The button for what is hard to undo (D3): pressed and held for 1.2 s by a pointer, or the word typed by keyboard.
// A short tap or Enter does nothing but open the field for the word.
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";

const long = 1200;
const word = "approve";

/**
 * @param {{label: string, small?: string, disabled: boolean, live: () => boolean, onDone: () => void}} props
 */
export function HoldButton({ label, small = "press and hold", disabled, live, onDone }) {
  const [holding, setHolding] = useState(false);
  const [typed, setTyped] = useState(/** @type {string | null} */ (null));
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));

  const stop = () => {
    clearTimeout(timer.current);
    setHolding(false);
  };
  const start = (/** @type {PointerEvent} */ event) => {
    if (disabled || !live() || event.button !== 0 || !event.isPrimary) return;
    setHolding(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setHolding(false);
      if (live()) onDone();
    }, long);
  };
  // a card that moves under the finger ends the hold
  useEffect(() => {
    if (disabled) stop();
  }, [disabled]);
  useEffect(() => () => clearTimeout(timer.current), []);

  // The field stands above the button and so moves the card. The word stays in the field until the card stands still
  // and takes it: a word cleared before that would be an approval that was never sent.
  useEffect(() => {
    if (typed?.trim().toLowerCase() !== word || disabled || !live()) return;
    setTyped(null);
    onDone();
  }, [typed, disabled]);
  const asked = typed !== null;
  useEffect(() => {
    if (asked) field.current?.focus();
  }, [asked]);

  const byKeyboard = (/** @type {MouseEvent} */ event) => {
    if (event.detail === 0) setTyped((was) => was ?? "");
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key.length !== 1 || event.key === " " || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    setTyped((was) => (was ?? "") + event.key);
  };

  const leave = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    setTyped(null);
  };

  return html`
    ${
      typed !== null &&
      html`<label class="typed"><span>Type <b>${word}</b> to approve by keyboard</span>
        <input class="field" ref=${field} value=${typed} autocomplete="off" autocapitalize="off" spellcheck=${false} aria-label=${`Type ${word}`}
          onInput=${(/** @type {any} */ e) => setTyped(e.target.value)}
          onKeyDown=${leave} /></label>`
    }
    <button class=${`btn hold ${holding ? "holding" : ""}`} disabled=${disabled}
      onPointerDown=${start} onPointerUp=${stop} onPointerLeave=${stop} onPointerCancel=${stop}
      onContextMenu=${(/** @type {Event} */ e) => e.preventDefault()}
      onClick=${byKeyboard} onKeyDown=${onKey}
      ><span>${label}<small>${holding ? "keep holding" : small}</small></span></button>`;
}
