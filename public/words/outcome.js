// @ts-check
// What came of a gate, in words: by whom, when, on which device, and whether the agent has read it. Only what the
// server has said.
/** @import { Answer, Gate, Ran } from "../types.d.ts" */
import { ms } from "../live/clock.js";
import { clock, clockSeconds, gap } from "./time.js";

const acts = { approve: "approval", deny: "denial", answer: "answer", resolve: "answer" };

/** @param {string} decision */
export const sending = (decision) => acts[/** @type {"deny"} */ (decision)] ?? "answer";

/** @param {Gate["status"]} status */
const verb = (status) =>
  ({ approved: "Approved", denied: "Denied", answered: "Answered", resolved: "Resolved" })[
    /** @type {"denied"} */ (status)
  ] ?? status;

/**
 * @param {Gate} gate
 * @param {string | undefined} me
 * @param {boolean} here it was decided on this page
 * @returns {{mark: "i-check" | "i-x" | "i-snooze" | "i-warn", tone: string, bold: string, rest: string}}
 */
export function outcome(gate, me, here) {
  const at = gate.decided_at;
  if (gate.status === "expired") {
    const when = clock(gate.expires_at);
    return gate.kind === "feedback"
      ? {
          mark: "i-snooze",
          tone: "",
          bold: `Expired at ${when}, not answered.`,
          rest: `${gate.asked_by} goes on without.`,
        }
      : {
          mark: "i-snooze",
          tone: "",
          bold: `Expired at ${when}, so not approved.`,
          rest: `${gate.asked_by} must not do it.`,
        };
  }
  if (gate.status === "withdrawn") {
    return {
      mark: "i-x",
      tone: "",
      bold: `Withdrawn${at ? ` at ${clock(at)}` : ""}.`,
      rest: gate.reason ?? "Nobody needs to answer any more.",
    };
  }
  const mine = gate.decided_by === me;
  const device = here ? ", on this device" : gate.device ? `, ${onDevice(gate.device, mine)}` : "";
  const rule = gate.by_rule ? ` by ${mine ? "your" : `${gate.decided_by}’s`} rule` : null;
  const who = rule ?? (gate.decided_by ? ` by ${mine ? "you" : gate.decided_by}` : "");
  const no = gate.status === "denied";
  return {
    mark: gate.ran?.drift ? "i-warn" : no ? "i-x" : "i-check",
    tone: no || gate.ran?.drift ? "is-blocked" : "is-done",
    bold: `${gate.recalled ? "Taken back, so denied," : verb(gate.status)}${who}`,
    rest: ` at ${clockSeconds(at)}${device}. ${read(gate, me)}`,
  };
}

/**
 * Where an answer is on its way to who asked: until the next call of theirs has taken note of it.
 * @param {Gate} gate @returns {{word: string, tone: string} | null}
 */
export function delivery(gate) {
  if (!["approved", "denied", "answered", "resolved"].includes(gate.status) || gate.acknowledged_at) return null;
  return gate.delivered_at ? { word: "Delivered", tone: "is-done" } : { word: "Not delivered yet", tone: "is-waiting" };
}

/** @type {Record<string, string>} what is no browser, by the server's name for it */
const elsewhere = {
  "command line": "from the command line",
  token: "with a token",
};

/** Where it was done. @param {string} device @param {boolean} mine */
const onDevice = (device, mine) =>
  device === "first" ? `with ${mine ? "your" : "their"} first token` : (elsewhere[device] ?? `on ${device}`);

/**
 * How what was run is not what was approved, without a stop at its end; null where it is.
 * @param {Gate} gate @param {string | undefined} me @param {Ran | undefined} [run]
 */
export function driftOf(gate, me, run = gate.ran) {
  if (!run?.drift) return null;
  const by = gate.decided_by === me ? "you" : gate.decided_by;
  const who = gate.by_rule ? `a rule of ${by}` : by;
  const same = run.digest === gate.digest;
  switch (gate.status) {
    case "approved":
      return run.twice
        ? `${gate.asked_by} ran it again, though it was approved for one time`
        : `${gate.asked_by} ran something else than was approved`;
    case "denied":
      if (!same)
        return `${gate.asked_by} ran something else, after ${who} ${gate.recalled ? "took this back" : "denied this"}`;
      return `${gate.asked_by} ran what ${who} ${gate.recalled ? "took back" : "denied"}`;
    case "withdrawn":
      return `${gate.asked_by} ran something, though this was withdrawn`;
    default:
      return `${gate.asked_by} ran something, though nobody approved it`;
  }
}

/** @param {Gate} gate @param {string | undefined} me */
function read(gate, me) {
  const drift = driftOf(gate, me);
  if (drift) return `${drift}.`;
  if (gate.ran) return `${gate.asked_by} ran the same action.`;
  if (!gate.delivered_at) return `${gate.asked_by} has not read it yet.`;
  const later = ms(gate.delivered_at) - ms(gate.decided_at);
  return later < 1000 ? `${gate.asked_by} read it at once.` : `${gate.asked_by} read it ${gap(later)} later.`;
}

/** What is known of an answer whose acknowledgement was lost. @param {Answer & {state: "unconfirmed"}} answer */
export const unconfirmed = ({ looked }) =>
  looked
    ? { bold: "It did not arrive.", rest: " The server was asked and has no answer of yours. What you wrote is kept." }
    : { bold: "Not confirmed: it may have arrived.", rest: " The server is asked as soon as it can be reached." };

/**
 * Why an answer was not taken, for who gave it.
 * @param {Gate} gate @param {Answer & {state: "refused"}} answer @param {string | undefined} me
 */
export function lost(gate, answer, me) {
  const { error } = answer;
  if (error.code === "ALREADY_DECIDED" && error.decided_by) {
    const by = error.decided_by === me ? "You" : `${error.decided_by}`;
    const status = /** @type {Gate["status"]} */ (error.gate_status ?? error.status ?? gate.status);
    const earlier = answer.at - ms(/** @type {string} */ (error.decided_at ?? gate.decided_at));
    const device = /** @type {string | null | undefined} */ (error.device ?? gate.device);
    return {
      bold: `${by} ${verb(status).toLowerCase()} this`,
      rest: ` ${gap(Math.max(1000, earlier))} before your ${sending(answer.decision)}, ${device ? onDevice(device, error.decided_by === me) : "on another device"}. What you wrote is kept here.`,
    };
  }
  if (error.code === "EXPIRED") {
    return {
      bold: `Expired at ${clock(gate.expires_at)}, so your ${sending(answer.decision)} did not count.`,
      rest: " What you wrote is kept here.",
    };
  }
  if (error.code === "CONFLICT" && error.digest)
    return { bold: "Not taken: the action is another now.", rest: ` ${error.message}` };
  return { bold: "Not taken.", rest: ` ${error.message}` };
}
