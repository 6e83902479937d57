// @ts-check
// One line of the stream: speech with its speaker, or a fact as a sentence.
/** @import { Fact, RoomData } from "../types.d.ts" */
import { html } from "htm/preact";
import { follow, linkTo } from "../live/place.js";
import { idOf, isSpeech, kindOf, manner, tell } from "../words/facts.js";
import { Prose } from "../words/markdown.js";
import { Time } from "../words/time.js";
import { Icon } from "./icons.js";

/** @param {Fact} fact */
function placeOf(fact) {
  const id = idOf(fact.subject);
  if (kindOf(fact) === "task" && Number(id)) return { task: Number(id) };
  if (kindOf(fact) === "gate") return { gate: id, sheet: true };
  return null;
}

/** The floor it happened on, where the room has several. @param {Fact} fact @param {RoomData | undefined} room */
function channelOf(fact, room) {
  if (!fact.subject.startsWith("floor:") || Object.keys(room?.floors ?? {}).length < 2) return null;
  return idOf(fact.subject);
}

/** @param {{fact: Fact, room: RoomData | undefined, me: string | undefined}} props */
export function Item({ fact, room, me }) {
  const channel = channelOf(fact, room);
  const where =
    channel !== null && html`<span class="tag channel" title=${`On the floor ${channel}`}>${channel}</span> `;
  if (isSpeech(fact)) {
    const icon = fact.action === "message.posted" ? "i-msg" : "i-speak";
    return html`<div class=${`item speech ${fact.kind === "person" ? "you" : ""}`}><${Time} at=${fact.at} /><${Icon} name=${icon} /><div>
      <div class="by">${where}<span class="name">${fact.member === me ? "you" : fact.member}</span><span class="muted">${manner(fact, me)}</span></div>
      <${Prose} text=${fact.text ?? ""} /></div></div>`;
  }
  const told = tell(fact, { room, me });
  const place = placeOf(fact);
  const mark = told.state
    ? html`<${Icon} name=${told.icon} class=${`${told.bad ? "" : "state "}is-${told.state}`} label=${told.state} />`
    : html`<${Icon} name=${told.icon} />`;
  const words = html`<span class="fact">${where}${told.words}</span>`;
  return html`<div class=${`item ${told.tint ? "gate-fact" : told.bad ? "bad-fact" : ""}`}><${Time} at=${fact.at} />${mark}${
    place ? html`<a class="to" href=${linkTo(place)} onClick=${follow(place)}>${words}</a>` : words
  }</div>`;
}
