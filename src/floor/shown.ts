// A floor with the words that belong to it: what was asked on it and waits for a reply.
import type { ReadCall } from "../action.ts";
import type { Moment } from "./moment.ts";
import type { Question } from "./record.ts";
import { utterancesOf } from "./utterances.ts";
import { viewOf } from "./view.ts";

type At = Pick<ReadCall, "db" | "room">;

/** The view of a floor with its open questions. @param who the caller, for `can_speak`; null leaves it out */
export const shownFloor = async (at: At, m: Moment, who: string | null): Promise<Record<string, unknown>> => ({
  ...viewOf(m, who),
  questions: await inWords(at, m.floor.channel, m.floor.questions),
});

/** What is asked of one member; anybody's too, but its own. */
export const questionsTo = (at: At, { floor }: Pick<Moment, "floor">, who: string) =>
  inWords(
    at,
    floor.channel,
    floor.questions.filter(({ from, to }) => to === who || (to === null && from !== who)),
  );

async function inWords({ db, room }: At, channel: string, open: readonly Question[]) {
  if (open.length === 0) return [];
  const said = await utterancesOf(
    db,
    room,
    channel,
    open.map(({ utterance }) => utterance),
  );
  return said.map(({ id, speaker, addressed_to, text, at }) => ({
    utterance: id,
    from: speaker,
    to: addressed_to,
    text,
    at: new Date(at).toISOString(),
  }));
}
