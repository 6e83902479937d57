// When agents had too many turns among themselves, the people are asked how the floor goes on; their answer is what
// happens (R21).
import type { NewFact, WriteCall } from "../action.ts";
import type { Follow } from "../write.ts";
import type { Moment } from "./moment.ts";
import { moved } from "./move.ts";
import * as rows from "./rows.ts";
import { say } from "./speak.ts";
import { goOn, shut } from "./still.ts";
import { wrapUp } from "./wrap-up.ts";

const choices = { on: "Continue", wrap: "Wrap up", stop: "Stop" } as const;

/** The gates' part in it. */
interface People {
  ask(call: WriteCall, question: { key: string; title: string; details: string; options: string[] }): Promise<void>;
  withdraw(call: WriteCall, whose: (key: string) => boolean, reason: string): Promise<void>;
  answers(
    call: WriteCall,
    facts: readonly NewFact[],
  ): Promise<Array<{ key: string; choice: string | null; text: string | null }>>;
}

/** The question's key: its channel, which may hold a `#` as well, and an id, which does not. */
const keyOf = (channel: string, id: string): string => `floor:${channel}#${id}`;
const channelOf = (key: string): string => key.slice("floor:".length, key.lastIndexOf("#"));

/** Asks when a floor was capped, takes the question back when that was lifted otherwise, does what is answered. */
export const askPeople =
  (people: People): Follow =>
  async (call, facts) => {
    for (const { key, choice, text } of await people.answers(call, facts)) {
      const floor = await rows.find(call.db, call.room, channelOf(key));
      if (floor?.capped) await moved(call, floor, (m) => heed(m, call.actor.member, choice, text));
    }
    for (const { action, subject, data } of [...facts]) {
      const channel = subject.slice("floor:".length);
      if (action === "floor.cap_lifted")
        await people.withdraw(call, (key) => channelOf(key) === channel, "The floor goes on without this answer.");
      if (action === "floor.capped") await ask(people, call, channel, Number(data?.turns));
    }
  };

async function ask(people: People, call: WriteCall, channel: string, turns: number): Promise<void> {
  const floor = await rows.find(call.db, call.room, channel);
  if (!floor) return;
  const { max_agent_turns: most } = floor.settings;
  await people.ask(call, {
    key: keyOf(channel, call.id()),
    title: `${channel}: agents had ${turns} turns without a person. Continue, wrap up, or stop?`,
    details: [
      `**${choices.on}**: ${most} turns more. **${choices.wrap}**: each seat that is there has one last turn, then the floor is closed. **${choices.stop}**: it is closed now.`,
      "What you write is said on the floor, and it goes on.",
      "All floors of the room count together.",
      ...(floor.recent.length > 0 ? [`The last turns here were of ${[...new Set(floor.recent)].join(", ")}.`] : []),
    ].join("\n\n"),
    options: Object.values(choices),
  });
}

function heed(m: Moment, who: string, choice: string | null, text: string | null): void {
  if (choice === choices.wrap) wrapUp(m);
  if (text !== null) say(m, who, { text });
  if (choice === choices.stop) shut(m);
  else if (m.floor.capped) goOn(m);
}
