// Who a message is for and who may see it (C1, C3), pure.
import type { Selectable } from "kysely";
import { Refusal } from "../refusal.ts";
import type { MessageTables } from "../store/migrations/0005_messages.ts";

export type Message = Selectable<MessageTables["messages"]>;
export type Kind = Message["kind"];

export const kinds = ["progress", "help_request", "reply", "note"] as const satisfies readonly Kind[];

/** Direct messages are their two ends' alone, always. */
export const maySee = (message: Pick<Message, "addressee" | "sender">, viewer: string | null): boolean =>
  message.addressee === null || message.addressee === viewer || message.sender === viewer;

/** The text with code, fenced or inline, blanked out. */
function withoutCode(text: string): string {
  const lines = text.split("\n");
  let fence: string | null = null;
  const kept = lines.map((line) => {
    const mark = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark && !line.slice(line.indexOf(mark) + mark.length).includes("`")) {
      fence = mark;
      return "";
    }
    if (fence === null) return line;
    if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
    return "";
  });
  // A run of backticks is closed by a run of the same length.
  return kept.join("\n").replace(/(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, " ");
}

const folded = (name: string): string => name.normalize("NFKC").toLowerCase();
const goesOn = /^(?:[\p{L}\p{N}\p{M}_]|[.-]+[\p{L}\p{N}])/u;
const word = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}._-]*[\p{L}\p{N}\p{M}])?/u;

/**
 * The members that a text mentions as `@name` outside code, each once; an `@name` of nobody is refused.
 * An `@` inside a word, as in an address, is none.
 */
export function mentionsIn(text: string, members: readonly string[]): string[] {
  const found = new Set<string>();
  const byLength = [...members].sort((a, b) => b.length - a.length);
  const plain = withoutCode(text).normalize("NFKC");
  for (const { index } of plain.matchAll(/(?<![\p{L}\p{N}\p{M}_.@/-])@(?=[\p{L}\p{N}])/gu)) {
    const rest = plain.slice(index + 1);
    const low = rest.toLowerCase();
    const name = byLength.find((one) => low.startsWith(folded(one)) && !goesOn.test(low.slice(folded(one).length)));
    if (name === undefined) throw unknown(word.exec(rest)?.[0] ?? "", members);
    found.add(name);
  }
  return [...found];
}

const unknown = (name: string, members: readonly string[]): Refusal =>
  new Refusal(
    "INVALID_TARGET",
    `There is no ${name.slice(0, 64)} here to mention; members: ${members.slice(0, 30).join(", ")}. If it is no name, put it in \`code\`.`,
    { unknown: name.slice(0, 64), members: [...members] },
  );

/** Whose inbox a message goes into: never its sender's. */
export function recipients(
  message: Pick<Message, "sender" | "addressee" | "task_id" | "mentions">,
  about: { members: readonly string[]; concerned: ReadonlyArray<string | null | undefined> },
): string[] {
  const { sender, addressee, task_id, mentions } = message;
  const here = new Set(about.members);
  const of =
    addressee !== null
      ? [addressee]
      : task_id === null
        ? about.members
        : [...about.concerned, ...mentions].filter((name) => name != null && here.has(name));
  return [...new Set(of as string[])].filter((name) => name !== sender).sort();
}
