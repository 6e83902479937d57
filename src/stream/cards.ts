// The cards of a room's snapshot, within a bound in bytes: those that wait before those that are settled, the most
// urgent first, and all of them in brief before any of them at length.
import type { Result } from "../action.ts";
import { brief, streamed } from "../gates/view-brief.ts";
import { fitting, sizeOf } from "../size.ts";

/** Bytes of the cards that wait, and of those that are settled. */
const bytes = { waiting: 96 * 1024, settled: 40 * 1024 };

const urgency = ({ expires_at }: Result): string => String(expires_at ?? "9999");

/** `{gates, left}`: the cards that fit, and how many that wait do not. */
export function cardsWithin(cards: readonly Result[]): { gates: Result[]; left: number } {
  const waiting = cards
    .filter(({ status }) => status === "pending")
    .sort((a, b) => urgency(a).localeCompare(urgency(b)));
  const settled = cards.filter(({ status }) => status !== "pending").map(streamed);
  const bare = fitting(
    waiting.map((card) => brief(card, 0)),
    bytes.waiting,
  );
  let room = bytes.waiting - bare.reduce((sum, card) => sum + sizeOf(card), 0);
  const shown = bare.map((card, at) => {
    const longer = streamed(waiting[at] as Result);
    const more = sizeOf(longer) - sizeOf(card);
    if (more > room) return card;
    room -= more;
    return longer;
  });
  return { gates: [...shown, ...fitting(settled, bytes.settled)], left: waiting.length - bare.length };
}
