// @ts-check
// Signed in and in no room yet: which rooms are open to join, and what to do where none is.
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask, doIt, sentence, useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { Icon } from "./icons.js";

/** @typedef {{room: string, title?: string, open?: boolean, members?: number}} Open */

/** In no room, as far as the server has said. */
export const useHomeless = () => useApp((app) => app.server !== null && app.rooms.length === 0);

export function Homeless() {
  const me = useApp((app) => app.me);
  const live = useApp((app) => app.link.state === "live");
  const [rooms, setRooms] = useState(/** @type {Open[] | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState("");
  useEffect(() => {
    if (!live) return;
    ask("list_rooms").then(
      (found) => setRooms(found.rooms),
      (why) => setWrong(sentence(why)),
    );
  }, [live]);
  const join = (/** @type {string} */ room) => async () => {
    setBusy(room);
    if (!(await doIt("join_room", { room }))) setBusy("");
  };
  return html`<section class="pane homeless" aria-labelledby="h-homeless"><div class="scroll"><div class="sheet-page">
    <h2 id="h-homeless" class="page-title">You are in no room yet</h2>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    ${
      rooms?.length
        ? html`<p class="muted">These you may join${me?.server_role === "owner" ? "" : ", to look; whoever runs a room can then let you answer in it"}:</p><ul class="devices">${rooms.map(
            (
              one,
            ) => html`<li key=${one.room}><span><b><bdi>${marked(one.title || one.room)}</bdi></b><br /><span class="small muted">${one.members === 1 ? "1 member" : `${one.members ?? 0} members`}</span></span>
              <button class="btn push" disabled=${busy !== ""} aria-label=${`Join ${one.title || one.room}`} onClick=${join(one.room)}>${busy === one.room && html`<${Icon} name="i-spin" class="spin" />`}Join</button></li>`,
          )}</ul>`
        : rooms &&
          html`<p class="muted">${
            me?.server_role === "owner"
              ? "There is none yet."
              : "None is open to join. Whoever runs this server can let you in; this page then shows the room by itself."
          }</p>`
    }
  </div></div></section>`;
}
