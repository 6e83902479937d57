// @ts-check
// Where a person's own word is waited for: their turn on a floor, a question to them, something said to them. Pure.
/** @import { App, Fact, Floor } from "../types.d.ts" */

/**
 * @typedef {{room: string, channel: string, what: "turn" | "asked" | "told", by: string | null, seq: number,
 *   floor: Floor | undefined}} Call `floor`: where its room is the one shown; `seq`: of the fact, where it is told
 */

const ranks = { turn: 0, asked: 1, told: 2 };

/** @param {string} room @param {string} channel */
export const heardKey = (room, channel) => `${room}\n${channel}`;

/** How far back it is looked for what was said to somebody. */
const far = 300;

/**
 * The last that was said to this person on each floor, and neither answered there nor put away.
 * @param {readonly Fact[]} facts @param {string} me
 * @returns {Map<string, Fact>} by channel
 */
function saidTo(facts, me) {
  /** @type {Map<string, Fact>} */
  const found = new Map();
  const spoke = new Set();
  for (const fact of facts.slice(-far).reverse()) {
    if (fact.action !== "floor.said" && fact.action !== "floor.interjected") continue;
    const channel = fact.subject.slice("floor:".length);
    if (fact.member === me) spoke.add(channel);
    else if (fact.data?.addressed_to === me && !spoke.has(channel) && !found.has(channel)) found.set(channel, fact);
  }
  return found;
}

/** What one open floor wants of this person. @param {string} room @param {Floor} floor @param {string} me @param {Fact | undefined} told @returns {Call[]} */
function callOf(room, floor, me, told) {
  const at = { room, channel: floor.channel, floor };
  const question = floor.questions?.find((one) => one.to === me);
  if (floor.holder === me && floor.status === "open")
    return [{ ...at, what: "turn", by: question?.from ?? null, seq: 0 }];
  if (question) return [{ ...at, what: "asked", by: question.from, seq: 0 }];
  return told ? [{ ...at, what: "told", by: told.member, seq: told.seq }] : [];
}

/**
 * All of them, what is most pressing first: of the room shown as its floors say, of the others as the server counts.
 * @param {App} app @returns {Call[]}
 */
export function callsOn(app) {
  const me = app.me?.member;
  if (!me) return [];
  const data = app.room ? app.data[app.room] : undefined;
  const room = app.room ?? "";
  const told = data ? saidTo(data.facts, me) : new Map();
  const here = Object.values(data?.floors ?? {})
    .filter((floor) => floor.status !== "closed")
    .flatMap((floor) => {
      const fact = told.get(floor.channel);
      const fresh = fact && fact.seq > (app.heard[heardKey(room, floor.channel)] ?? 0) ? fact : undefined;
      return callOf(room, floor, me, fresh);
    });
  const elsewhere = app.rooms
    .filter((one) => one.room !== app.room || !data)
    .flatMap(({ room, floors }) =>
      (floors ?? []).flatMap(({ channel, turn, questions }) => {
        const by = questions?.[0]?.from ?? null;
        if (!turn && by === null) return [];
        return [/** @type {Call} */ ({ room, channel, what: turn ? "turn" : "asked", by, seq: 0, floor: undefined })];
      }),
    );
  return [...here, ...elsewhere].sort((a, b) => ranks[a.what] - ranks[b.what]);
}

/** @param {Call} call */
export const callWords = ({ what, by, channel }) =>
  what === "turn"
    ? `Your turn on ${channel}`
    : `${by} ${what === "asked" ? "asks you" : "speaks to you"} on ${channel}`;

/** Those of the room shown, by channel. @param {App} app @returns {Map<string, Call>} */
export const callsHere = (app) =>
  new Map(
    callsOn(app)
      .filter((one) => one.room === app.room)
      .map((one) => [one.channel, one]),
  );
