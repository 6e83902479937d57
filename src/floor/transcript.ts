// A conversation as text to keep: Markdown for people, JSON lines for programs. Nobody's words can pose as another's.
import type { Utterance } from "./record.ts";
import { utteranceView } from "./unread.ts";

export const formats = ["markdown", "jsonl"] as const;
export type Format = (typeof formats)[number];

export const transcript = (channel: string, utterances: readonly Utterance[], format: Format): string =>
  format === "jsonl"
    ? utterances.map((utterance) => `${JSON.stringify(utteranceView(utterance))}\n`).join("")
    : `# ${channel}\n${utterances.map(entry).join("")}`;

function entry({ id, turn, speaker, text, at, kind, from_person, addressed_to }: Utterance): string {
  const marks = [
    `${id}. ${speaker}`,
    ...(from_person ? ["a person"] : []),
    ...(addressed_to === null ? [] : [`to ${addressed_to}`]),
    new Date(at).toISOString(),
    kind === "speech" ? `turn ${turn}` : kind,
  ];
  // Quoted line by line, so that a text with headings of its own stays within its speaker's.
  const quoted = text
    .split(/\r\n|[\n\r\u2028\u2029\u0085]/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
  return `\n## ${marks.join(" · ")}\n\n${quoted}\n`;
}
