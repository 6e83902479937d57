// @ts-check
// What was said last on one floor, in order: on the phone one channel is read here, whatever else the room does.
/** @import { Floor } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask, useApp } from "../live/store.js";
import { Prose } from "../words/markdown.js";
import { WhenTime } from "../words/time.js";

/**
 * @typedef {{id: number, turn: number | null, speaker: string, text: string, at: string, kind: string, from_person?: boolean,
 *   addressed_to?: string | null, expects_reply?: boolean}} Said
 */

/** So many at first, and so many more each time. */
const few = 8;

/** @param {Said} one @param {string | undefined} me */
function how(one, me) {
  const to = one.addressed_to ? `to ${one.addressed_to === me ? "you" : one.addressed_to}` : "";
  return [
    one.kind === "interjection" ? "out of turn" : `turn ${one.turn}`,
    to,
    one.expects_reply ? "asks for a reply" : "",
  ]
    .filter(Boolean)
    .join(", ");
}

/** @param {{floor: Floor}} props with a key of its room and channel */
export function Talk({ floor }) {
  const room = useApp((app) => app.room);
  const me = useApp((app) => app.me?.member);
  const live = useApp((app) => app.link.state === "live");
  const [said, setSaid] = useState(/** @type {Said[]} */ ([]));
  const [many, setMany] = useState(few);
  const last = floor.last_utterance ?? 0;
  useEffect(() => {
    if (!live || last === 0) return;
    let gone = false;
    ask("conversation", { room, channel: floor.channel, after: Math.max(0, last - many), limit: many }).then(
      (found) => !gone && setSaid(found.utterances ?? []),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [room, floor.channel, last, many, live]);
  if (!said.length) return null;
  return html`<section class="talked not-wide" aria-label=${`Said on ${floor.channel}`}><h3 class="sub">Said last${
    (said[0]?.id ?? 1) > 1 &&
    html`<button class="btn sm quiet push" onClick=${() => setMany(Math.min(500, many + 20))}>Earlier</button>`
  }</h3><ol>${said.map(
    (
      one,
    ) => html`<li key=${one.id} class=${`speech ${one.from_person ? "you" : ""}`}><div class="by"><span class="name">${one.speaker === me ? "you" : one.speaker}</span><span class="muted">${how(one, me)}</span><${WhenTime} at=${one.at} class="muted" /></div>
      <${Prose} text=${one.text} most=${600} /></li>`,
  )}</ol></section>`;
}
