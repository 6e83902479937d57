// A card without what is large in it: for lists, for the stream and for the inbox. get_gate has the whole card.
import type { Result } from "../action.ts";
import { fieldBytes, without } from "../size.ts";

const large = ["details", "action", "asked_action"];

/** @param most bytes that one of the large fields may have and still stand here */
export function brief(card: Result, most = fieldBytes): Result {
  const short = without(card, large, most);
  const ran = card.ran as (Result & { last?: Result }) | undefined;
  if (ran === undefined) return short;
  const { action, last, ...told } = ran;
  const { action: lastAction, ...lastTold } = last ?? {};
  const bare = without({ action, last: lastAction }, ["action", "last"], most);
  if (bare.left_out === undefined) return short;
  const left_out = [...((short.left_out as string[]) ?? []), "ran"];
  return { ...short, ran: { ...told, ...(last && { last: lastTold }) }, left_out };
}

/** As the stream has it: a card that waits with what is of moderate size, one that is settled with none of it. */
export const streamed = (card: Result): Result => brief(card, card.status === "pending" ? fieldBytes : 0);
