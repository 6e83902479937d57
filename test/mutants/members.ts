// Faults planted in who may do what, in names and in messages, one at a time, and the file of tests that has to find each.
import type { Mutant } from "./all.ts";

const members = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/members/${name}.ts`, old, planted, tests: `test/members/${tests}.test.ts` },
});
const oneStore = { only: "who may do what to whom|on one store" };
const authority = (fault: string, old: string, planted: string) => ({
  ...members("authority", "authority")(fault, old, planted),
  ...oneStore,
});
const names = (name: string) => (fault: string, old: string, planted: string) => ({
  ...members(name, "names")(fault, old, planted),
  only: "^a name",
});
const messages = (name: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/messages/${name}.ts`, old, planted, tests: "test/messages/messages.test.ts" },
  only: "^(?!PostgreSQL|SQLite in a file)",
});

export const membersMutants: Mutant[] = [
  authority(
    "M2: an approver lets in again whom the owner kicked",
    '  if (whom.kind === "person") throw',
    '  if (whom.kind === "person" && deed !== "readmit") throw',
  ),
  authority(
    "M2: an approver removes an agent that is in no room",
    "whom.rooms.length > 0 && whom.rooms.every",
    "whom.rooms.every",
  ),
  authority("M2: nobody revokes a token of its own", '["revoke_token", "see_tokens"', '["see_tokens"'),
  authority(
    "M2: the last owner is removed",
    "if (owners.some((owner) => owner !== who)) return;",
    "if (owners.length > 0) return;",
  ),
  {
    ...oneStore,
    ...members("rows", "authority")(
      "M2: a room that kicked an agent has no say in its removal",
      '    .where("member", "=", member)\n    .where("left_at", "is", null)\n    .orderBy("room")',
      '    .where("member", "=", member)\n    .where("left_at", "is", null)\n    .where("kicked_at", "is", null)\n    .orderBy("room")',
    ),
  },
  names("reserved")(
    "G4: an agent is called like a person by a number behind it",
    "!/^\\p{N}+$/u.test(word)",
    "word !== name",
  ),
  names("rules")("G4: a name holds what nobody sees", " || hidesSomething(name) ||", " ||"),
  messages("rules")(
    "C3: a direct message is everybody's",
    "message.addressee === viewer ||",
    "message.kind !== null ||",
  ),
  messages("rules")("C1: a sender gets its own broadcast", ".filter((name) => name !== sender)", ""),
  messages("read")(
    "C2: what was left for the next page counts as read",
    "const unread = shown.filter",
    "const unread = found.filter",
  ),
  messages("post")(
    "C4: who is mentioned and gone is not told",
    "      mentions.filter((name) => name !== addressee",
    "      [].filter((name) => name !== addressee",
  ),
];
