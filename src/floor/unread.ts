// What a seat has not read: in results, and in refusals that would have it read first (R5, R6, R9, R17).

import type { ReadCall } from "../action.ts";
import { Refusal } from "../refusal.ts";
import type { Utterance } from "./record.ts";
import { newestOfOthers } from "./utterances.ts";

/** As many as fit well into a model's context; `conversation` has the rest. */
const most = { utterances: 50, characters: 20_000 };

export const utteranceView = ({ at, from_person, addressed_to, expects_reply, ...rest }: Utterance) => ({
  ...rest,
  at: new Date(at).toISOString(),
  ...(from_person && { from_person }),
  ...(addressed_to !== null && { addressed_to }),
  ...(expects_reply && { expects_reply }),
});

type At = Pick<ReadCall, "db" | "room">;

/** The newest words of others after number `after`, ascending; `unread_before` when older ones were left out. */
export async function unreadAfter({ db, room }: At, channel: string, reader: string, after: number) {
  const newest = await newestOfOthers(db, room, channel, reader, after, most.utterances + 1);
  let characters = 0;
  const fits = newest.filter(({ text }, index) => {
    characters += text.length;
    return index === 0 || (index < most.utterances && characters <= most.characters);
  });
  const first = fits.at(-1);
  return {
    unread: fits.reverse().map(utteranceView),
    ...(first && fits.length < newest.length && { unread_before: { call: "conversation", channel, after } }),
  };
}

/** Puts the words that a refusal asks to read into it. */
export async function withUnread<R>(call: ReadCall, channel: string, body: () => Promise<R>): Promise<R> {
  try {
    return await body();
  } catch (error) {
    if (error instanceof Refusal && typeof error.facts.unread_after === "number") {
      const { unread_after } = error.facts;
      delete error.facts.unread_after;
      Object.assign(error.facts, await unreadAfter(call, channel, call.actor.member, unread_after));
    }
    throw error;
  }
}
