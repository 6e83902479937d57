// What a member's other calls tell it of its floors: the inbox line (M5), and `whoami`.
import type { Db } from "../store/port.ts";
import { standingsOf } from "./channels.ts";
import { clockAt, lapseOf } from "./timing.ts";

type Stood = Awaited<ReturnType<typeof standingsOf>>[number];

/** The number of the turn that the member has, if it has not ended by `now`. */
function turnAt({ turn, ...floor }: Stood, now: number): number | null {
  if (!turn || floor.status === "closed") return null;
  return lapseOf(turn, floor).by > clockAt(floor, now).time ? turn.number : null;
}

/** Floors where it is the member's turn, or where it was not told yet what was said to it. */
export async function floorInbox(db: Db, member: string, now: number): Promise<Array<Record<string, unknown>>> {
  const standings = await standingsOf(db, member);
  return standings.flatMap((stood) => {
    const { room, channel, news, status, questions } = stood;
    const turn = status === "open" ? turnAt(stood, now) : null;
    const { addressed, denied, warned } = news;
    if (status === "closed" || (turn === null && !addressed && !denied && questions.length === 0)) return [];
    return [
      {
        room,
        channel,
        ...(turn !== null && { turn, your_turn: true, ...(warned === turn && { warned: true }) }),
        ...(addressed && { addressed: true, by: addressed.by }),
        ...(questions.length > 0 && { questions: questions.map(({ utterance, from }) => ({ utterance, from })) }),
        ...(denied && { denied: true, by: denied.by, reason: denied.reason }),
        next: { call: turn === null ? "wait_for_floor" : "say" },
      },
    ];
  });
}

/** What a member that waits for something else should know meanwhile; null mostly. */
export async function runsOut(db: Db, member: string, now: number): Promise<string | null> {
  const warned = (await floorInbox(db, member, now)).find((floor) => floor.warned);
  return warned
    ? `Your turn ${warned.turn} on ${warned.channel} in ${warned.room} runs out: speak, keep_floor or pass_floor.`
    : null;
}

/** The open floors that a member has a part in. */
export async function floorsOfMember(db: Db, member: string, now: number): Promise<Array<Record<string, unknown>>> {
  const standings = await standingsOf(db, member);
  return standings.flatMap((stood) => {
    const { room, channel, status, place, waits } = stood;
    const turn = turnAt(stood, now);
    if (status === "closed" || (place === null && turn === null && !waits)) return [];
    return [
      {
        room,
        channel,
        status,
        seat: place !== null,
        holds: turn !== null,
        ...(turn !== null && { turn }),
        ...(waits && { queued: true }),
      },
    ];
  });
}
