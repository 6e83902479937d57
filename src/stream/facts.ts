// A fact as a person reads it: with the words and titles that stand in the rows it points at.
import type { Result } from "../action.ts";
import { iso } from "../clock.ts";
import { utterancesOf } from "../floor/utterances.ts";
import * as gates from "../gates/rows.ts";
import type { Gate } from "../gates/rules.ts";
import type { Fact } from "../log.ts";
import { messageRecords } from "../messages/view.ts";
import type { Db } from "../store/port.ts";

/** Facts of direct messages are for their two ends only. */
export const privateTo = (fact: { subject: string; addressee: string | null }): boolean =>
  fact.addressee !== null && fact.subject.startsWith("message:");

export const mayRead = (
  fact: { subject: string; addressee: string | null; member: string | null },
  viewer: string | null,
): boolean => !privateTo(fact) || (viewer !== null && (fact.member === viewer || fact.addressee === viewer));

/** The part of a subject after its kind, where the kind is this one. */
export const idOf = (subject: string, kind: string): string | null =>
  subject.startsWith(`${kind}:`) ? subject.slice(kind.length + 1) : null;

const unique = <T>(values: Iterable<T | null | undefined>): T[] => [
  ...new Set([...values].filter((value): value is T => value !== null && value !== undefined)),
];

/** Facts with `kind`, `text`, `title`, `from_person`; those the viewer may not read are left out. */
export async function factViews(db: Db, room: string, all: readonly Fact[], viewer: string | null): Promise<Result[]> {
  const facts = all.filter((fact) => mayRead(fact, viewer));
  if (facts.length === 0) return [];
  const kinds = await kindsOf(db, unique(facts.map((fact) => fact.member)));
  const gateIds = unique(facts.map((fact) => idOf(fact.subject, "gate")));
  const gateRows = gateIds.length > 0 ? await gates.byIds(db, room, gateIds) : [];
  const gateById = new Map(gateRows.map((gate) => [gate.id, gate]));
  const titles = await titlesOf(db, room, unique(facts.map((fact) => idOf(fact.subject, "task"))).map(Number));
  const messageIds = unique(facts.map((fact) => idOf(fact.subject, "message")));
  const messages = messageIds.length > 0 ? await messageRecords(db, room, messageIds, viewer) : [];
  const messageById = new Map(messages.map((message) => [message.id as string, message]));
  const said = await saidIn(db, room, facts);

  return facts.map((fact) => {
    const kind = fact.member === null ? null : (kinds.get(fact.member) ?? null);
    const gate = gateById.get(idOf(fact.subject, "gate") ?? "");
    const message = messageById.get(idOf(fact.subject, "message") ?? "");
    const title = gate?.title ?? titles.get(Number(idOf(fact.subject, "task") ?? Number.NaN));
    const text =
      said.get(fact.seq) ?? (message?.text as string | undefined) ?? (gate && answerOf(fact.action, gate)) ?? undefined;
    return {
      seq: fact.seq,
      at: iso(fact.at),
      member: fact.member,
      kind,
      action: fact.action,
      subject: fact.subject,
      ...(fact.addressee !== null && { to: fact.addressee }),
      data: fact.data,
      ...(title !== undefined && { title }),
      ...(text !== undefined && { text }),
      ...(kind === "person" && { from_person: true }),
    };
  });
}

/** What was written with a gate's answer. */
function answerOf(action: string, gate: Gate): string | null {
  if (action === "gate.withdrawn") return gate.reason;
  return /^gate\.(approved|denied|answered|resolved)$/.test(action) ? (gate.text ?? gate.note ?? gate.choice) : null;
}

async function kindsOf(db: Db, names: readonly string[]): Promise<Map<string, "agent" | "person">> {
  const found = await db.selectFrom("members").select(["name", "kind"]).where("name", "in", names).execute();
  return new Map(found.map(({ name, kind }) => [name, kind]));
}

async function titlesOf(db: Db, room: string, ids: readonly number[]): Promise<Map<number, string>> {
  const found = await db
    .selectFrom("tasks")
    .select(["id", "title"])
    .where("room", "=", room)
    .where("id", "in", ids)
    .execute();
  return new Map(found.map(({ id, title }) => [id, title]));
}

/** The words of facts that tell of an utterance, by the fact's number. */
async function saidIn(db: Db, room: string, facts: readonly Fact[]): Promise<Map<number, string>> {
  const said = new Map<number, string>();
  const spoken = facts.filter(
    (fact) => typeof fact.data.utterance === "number" && idOf(fact.subject, "floor") !== null,
  );
  for (const channel of unique(spoken.map((fact) => idOf(fact.subject, "floor")))) {
    const here = spoken.filter((fact) => idOf(fact.subject, "floor") === channel);
    const ids = here.map((fact) => fact.data.utterance as number);
    const texts = new Map((await utterancesOf(db, room, channel, ids)).map(({ id, text }) => [id, text]));
    for (const fact of here) {
      const text = texts.get(fact.data.utterance as number);
      if (text !== undefined) said.set(fact.seq, text);
    }
  }
  return said;
}
