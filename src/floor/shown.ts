// A floor with the words that belong to it: what was asked on it and waits for a reply.
import type { ReadCall } from "../action.ts";
import type { Moment } from "./moment.ts";
import type { Question, Utterance } from "./record.ts";
import { utterancesIn, utterancesOf } from "./utterances.ts";
import { viewOf } from "./view.ts";

type At = Pick<ReadCall, "db" | "room">;

/** The view of a floor with its open questions. @param who the caller, for `can_speak`; null leaves it out */
export const shownFloor = async (at: At, m: Moment, who: string | null): Promise<Record<string, unknown>> => ({
  ...viewOf(m, who),
  questions: await inWords(at, m.floor.channel, m.floor.questions),
});

/** The views of several floors without a caller, with one query for the questions on all. */
export async function shownFloors({ db, room }: At, all: readonly Moment[]): Promise<Array<Record<string, unknown>>> {
  const asked = await utterancesIn(
    db,
    room,
    all.flatMap(({ floor }) => floor.questions.map(({ utterance }) => ({ channel: floor.channel, utterance }))),
  );
  return all.map((m) => ({
    ...viewOf(m, null),
    questions: asked.filter(({ channel }) => channel === m.floor.channel).map(inWord),
  }));
}

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
  return said.map(inWord);
}

const inWord = ({ id, speaker, addressed_to, text, at }: Utterance) => ({
  utterance: id,
  from: speaker,
  to: addressed_to,
  text,
  at: new Date(at).toISOString(),
});
