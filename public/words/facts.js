// @ts-check
// A fact as a sentence. Pure; what it does not know it tells by the fact's own words.
/** @import { Fact, RoomData } from "../types.d.ts" */
import { html } from "htm/preact";
import { cut, marked } from "./marks.js";
import { clock } from "./time.js";

/** @typedef {{icon: string, state?: string, tint?: boolean, bad?: boolean, words: any}} Told */

/** @param {Fact} fact */
export const isSpeech = (fact) =>
  (fact.action === "floor.said" || fact.action === "floor.interjected" || fact.action === "message.posted") &&
  Boolean(fact.text);

/** What the asker says it ran, held against the answer. @param {Record<string, unknown>} data @param {unknown} title */
function ranWord({ drift, twice, status }, title) {
  if (!drift) return html`ran what was approved in “${title}”`;
  if (twice) return html`ran “${title}” <b>again</b>, though it was approved for one time`;
  if (typeof status === "string" && status !== "approved") return html`ran “${title}” <b>though it was ${status}</b>`;
  return html`ran <b>something else</b> than approved in “${title}”`;
}

/** The chip a fact belongs to. @param {Fact} fact */
export function kindOf(fact) {
  const family = fact.action.split(".")[0] ?? "";
  return ["floor", "message", "task", "gate"].includes(family) ? family : "member";
}

const iconOf = { floor: "i-floor", message: "i-msg", task: "i-task", gate: "k-approval", member: "i-people" };

/** @param {unknown} value */
const text = (value) => (typeof value === "string" || typeof value === "number" ? `${value}` : "");

/** Enough of what was written with it; the whole stands where the line leads. @param {string} words */
const short = (words) => {
  const head = cut(words, 280);
  return head.length < words.length ? `${head} …` : words;
};

/** @param {string} subject */
export const idOf = (subject) => subject.slice(subject.indexOf(":") + 1);

/** @param {string} status */
const settledWord = (status) =>
  ({ approved: "approved", denied: "denied", answered: "answered", resolved: "resolved" })[
    /** @type {"denied"} */ (status)
  ] ?? status;

/**
 * @param {Fact} fact
 * @param {{room: RoomData | undefined, me: string | undefined}} known
 * @returns {Told}
 */
export function tell(fact, { room, me }) {
  const { action } = fact;
  const data = fact.data ?? {};
  const kind = kindOf(fact);
  const icon = iconOf[/** @type {"task"} */ (kind)];
  const who = fact.member === null ? null : html`<b>${fact.member === me ? "You" : fact.member}</b>`;
  const doer = who ?? (kind === "gate" ? "Parley" : "The server");
  const id = idOf(fact.subject);
  const note = text(fact.text) || text(data.note) || text(data.reason);
  const tail = note ? html`: <bdi>${marked(short(note))}</bdi>` : "";

  if (kind === "gate") {
    const gate = room?.gates[id];
    const title = html`<bdi>${marked(fact.title ?? gate?.title ?? id)}</bdi>`;
    const of = text(data.kind) || gate?.kind || "approval";
    const waits = gate ? gate.status === "pending" : false;
    const what = action.slice(5);
    if (what === "asked") {
      if (of === "blocker") {
        return {
          icon: waits ? "s-blocked" : "i-check",
          ...(waits && { state: "blocked" }),
          words: html`${doer} is blocked: ${title}`,
        };
      }
      return {
        icon: waits ? "s-waiting" : `k-${of}`,
        ...(waits && { state: "waiting", tint: true }),
        words: html`${doer} asks: ${title}`,
      };
    }
    if (["approved", "denied", "answered", "resolved"].includes(what)) {
      const answer = [gate?.choice, gate?.note, gate?.text].filter(Boolean).join(" · ");
      return {
        icon: what === "denied" ? "i-x" : "s-done",
        ...(what !== "denied" && { state: "done" }),
        words: html`${data.by_rule ? (data.by === me ? html`<b>Your</b> rule` : html`<b>${text(data.by)}</b>’s rule`) : (who ?? "The server")} ${settledWord(what)} “${title}”${answer ? html`: <bdi>${marked(short(answer))}</bdi>` : ""}`,
      };
    }
    const plain = {
      approval_dropped: html`The approval of “${title}” by <b>${text(data.by)}</b> no longer counts`,
      approval_given: html`${doer} approved “${title}”, one of two`,
      expired: html`Nobody answered “${title}” in time`,
      withdrawn: html`“${title}” was withdrawn${who ? html` by ${who}` : ""}${tail}`,
      seen: html`${doer} opened “${title}”`,
      delivered: html`The answer to “${title}” reached ${gate ? html`<b>${gate.asked_by}</b>` : "its agent"}`,
      not_delivered: html`The answer to “${title}” did not go out: the connection was gone`,
      acknowledged: html`${doer} went on after “${title}”`,
      answered_late: html`${doer} answered “${title}” too late`,
      ran: html`${doer} ${ranWord(data, title)}`,
      reopened: html`${doer} asked “${title}” again`,
      recalled: html`${doer} took the approval of “${title}” back`,
      snoozed: html`${doer} put “${title}” aside${data.until ? ` until ${clock(text(data.until))}` : ""}`,
      consumed: html`The approval of “${title}” was used`,
    };
    const words = plain[/** @type {"seen"} */ (what)];
    if (what === "ran" && data.drift) return { icon: "i-warn", state: "blocked", bad: true, words: plain.ran };
    if (words) return { icon: `k-${of}`, words };
  }

  if (kind === "task") {
    const task = room?.tasks[Number(id)];
    const title = fact.title ?? task?.title;
    const it = html`<b>#${id}</b>${title ? html` <bdi>${marked(title)}</bdi>` : ""}`;
    const plain = {
      created: html`${doer} created ${it}`,
      claimed: html`${doer} claimed ${it}`,
      released: html`${doer} gave ${it} back${tail}`,
      lapsed: html`The claim on ${it} lapsed`,
      submitted: html`${doer} submitted ${it}${data.round ? `, round ${text(data.round)}` : ""}`,
      approved: html`${doer} accepted ${it}${tail}`,
      rejected: html`${doer} sent ${it} back${tail}`,
      done: html`${it} is done`,
      cancelled: html`${doer} cancelled ${it}${tail}`,
      updated: html`${doer} changed ${it}`,
    };
    const words = plain[/** @type {"done"} */ (action.slice(5))];
    if (words) return { icon, words };
  }

  if (kind === "floor") {
    const to = text(data.seat) || text(fact.to) || text(data.to);
    const seat = to ? html`<b>${to === me ? "you" : to}</b>` : "";
    const turn = data.turn ? `, turn ${text(data.turn)}` : "";
    const holder = to === me ? "You" : to || "The holder";
    const turnOf = to === me ? "Your turn" : html`The turn of ${seat || who || "the holder"}`;
    const by = data.by ? html`<b>${data.by === me ? "You" : text(data.by)}</b>` : who;
    const question =
      fact.to === me ? "your question" : fact.to ? html`the question of <b>${fact.to}</b>` : "a question";
    const waiting = Object.values(room?.floors ?? {}).flatMap((floor) => floor.queue);
    const purpose = waiting.find((one) => one.seat === fact.member)?.purpose;
    const plain = {
      said: html`${doer} spoke`,
      opened: html`${doer} opened the floor`,
      updated: html`${doer} changed the floor's seats`,
      granted: html`${data.offered ? html`The floor came to ${seat}` : html`<b>${holder}</b> ${holder === "You" ? "have" : "has"} the floor`}${turn}`,
      offered: html`The floor came to ${seat || who}${turn}`,
      requested: html`${who ?? seat} asked for the floor${purpose ? html`: <bdi>${marked(purpose)}</bdi>` : tail}`,
      request_lapsed: html`The request of ${seat} lapsed`,
      withdrawn: html`${who ?? seat} no longer asks for the floor`,
      kept: html`${who ?? seat} is still thinking`,
      passed: html`${doer} passed the floor${to ? html` to ${seat}` : ""}`,
      ended:
        data.ended === "passed"
          ? html`<b>${holder}</b> passed the floor`
          : html`${turnOf} ended${endOf(text(data.ended))}`,
      resumed: html`${who ?? "The server"} let the floor go on`,
      warning: html`${seat || who} has little time left`,
      away: html`${seat} did not answer twice and counts as away`,
      returned: html`${seat || who} is back`,
      paused: html`${who ?? "The server"} paused the floor${tail}`,
      closed: html`${who ? html`${who} closed the floor` : "The floor closed"}${leftOpen(data.questions)}`,
      quiescent: html`Nobody has anything to add`,
      lopsided: html`<b>${holder}</b> had ${text(data.turns)} of the last ${text(data.of) || "20"} turns`,
      capped: html`The floor waits for a person after ${text(data.turns)} turns of agents`,
      cap_lifted: html`The floor goes on`,
      wrapping_up: html`The floor is wrapped up: each seat has one more turn`,
      denied: html`${doer} denied the floor to ${seat}${tail}`,
      changed: html`${doer} changed the floor’s seats`,
      arrived: html`${data.member ? html`<b>${data.member === me ? "You" : text(data.member)}</b>` : who} came to the floor`,
      acknowledged: html`${seat || who} took the floor up${turn}`,
      addressed: html`${data.by ? html`<b>${data.by === me ? "You" : text(data.by)}</b>` : who} asked ${seat} to speak next`,
      waits_for_person: html`${turnOf} waits for a person’s answer`,
      goes_on: html`${turnOf} goes on`,
      question_answered: html`${by} answered ${question}`,
      question_declined: html`${by} let ${question} pass`,
      question_dropped: html`${by} ${data.by === me ? "are" : "is"} not there to answer ${question}: it is dropped`,
      passed_over: html`The floor went past ${seat}, who is not there`,
      slot_given: html`${seat || who} gets its turn back after a person’s answer`,
    };
    const words = plain[/** @type {"kept"} */ (action.slice(6))];
    if (action === "floor.capped") return { icon: "s-waiting", state: "waiting", words };
    if (words) return { icon, words };
  }

  const name = fact.subject.startsWith("member:") ? id : text(fact.to) || text(data.member) || text(data.name);
  const other = name ? html`<b>${name}</b>` : "a member";
  const plain = {
    "member.joined": html`${other === "a member" ? who : other} came into the room`,
    "member.left": html`${name ? other : who} left the room`,
    "member.kicked": html`${doer} put ${other} out of the room${tail}`,
    "member.removed": html`${doer} removed ${other}`,
    "message.posted": html`${doer} wrote a message`,
    "message.removed": html`${doer} removed a message`,
    "message.purged": html`${doer} removed old messages`,
    "member.readmitted": html`${doer} let ${other} back in`,
    "member.role_set": html`${doer} made ${other} ${text(data.role)}`,
    "member.presence_set": html`${doer} is ${text(data.status)}${tail}`,
    "room.created": html`${doer} made the room`,
    "room.renamed": html`${doer} renamed the room${data.title ? ` to “${text(data.title)}”` : ""}`,
    "room.stopped": html`${doer} stopped everything`,
    "room.resumed": html`${doer} let everything go on`,
    "token.issued": html`A token for ${other} was issued`,
    "token.revoked": html`A token of ${other} was revoked`,
    "link.made": html`A sign-in link was made${name ? html` for ${other}` : ""}`,
    "person.added": html`${other} was added as a person`,
    "rule.created": html`${doer} made a rule that ${ruleWord(data)}`,
    "rule.confirmed": html`${doer} confirmed a rule that is wide`,
    "rule.revoked": html`${doer} ended a rule${data.effect ? ` that ${ruleWord(data)}` : ""}`,
    "session.opened": html`${other} signed in${data.device ? ` on ${text(data.device)}` : ""}`,
    "session.revoked": html`${other} was signed out on a device`,
    "notices.acknowledged": html`${doer} read the notices`,
    "channel.added": html`${doer} is told of waiting gates in one more place`,
    "channel.removed": html`${doer} is told of waiting gates in one place less`,
    "key.made": html`The server made a new key for receipts`,
  };
  const words = plain[/** @type {"room.created"} */ (action)];
  if (words)
    return {
      icon:
        action === "room.stopped"
          ? "i-stop"
          : /^(token|link|key|session)/.test(action)
            ? "i-key"
            : (icon ?? "i-people"),
      words,
    };
  // unknown: its own words, plainly
  return {
    icon: icon ?? "i-people",
    words: html`${doer} ${action.replace(/[._]/g, " ")} ${fact.title ?? fact.subject}${tail}`,
  };
}

/** @param {Record<string, unknown>} data of a fact about a rule */
const ruleWord = ({ effect, member }) => {
  const what = { allow: "allows", deny: "denies", raise: "raises the risk of" }[/** @type {"deny"} */ (effect)];
  return what ? `${what} some gates${member ? ` of ${text(member)}` : ""}` : "answers some gates";
};

/** @param {unknown} questions those that nobody answered */
const leftOpen = (questions) => {
  const many = Array.isArray(questions) ? questions.length : 0;
  return many ? `, with ${many} ${many === 1 ? "question" : "questions"} open` : "";
};

/** @param {string} why */
function endOf(why) {
  const words = {
    silent: ": nothing was said",
    no_answer: ": no answer",
    too_long: ": its time was over",
    preempted: ": interrupted",
    revoked: ": revoked",
    left: ": it left",
    waiting_for_person: ": it waits for a person",
    passed: "",
    closed: "",
  };
  return words[/** @type {"left"} */ (why)] ?? (why ? `: ${why.replaceAll("_", " ")}` : "");
}

/** What stands beside a speaker's name. @param {Fact} fact @param {string | undefined} me */
export function manner(fact, me) {
  const data = fact.data ?? {};
  if (fact.action === "message.posted") {
    const task = Number(data.task_id);
    if (task) return `on #${task}`;
    return fact.to ? `to ${fact.to === me ? "you" : fact.to}` : "to everyone";
  }
  const to = text(data.addressed_to);
  const aim = to ? `, to ${to === me ? "you" : to}` : "";
  const asks = data.expects_reply ? ", asks for a reply" : "";
  if (fact.action === "floor.interjected" || data.kind === "interjection")
    return `${fact.kind === "person" ? "person, out of turn" : "out of turn"}${aim}${asks}`;
  return data.turn ? `turn ${text(data.turn)}${aim}${asks}` : "";
}
