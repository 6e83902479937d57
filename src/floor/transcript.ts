// A conversation as text to keep: Markdown for people, JSON lines for programs. Nobody's words can pose as another's.
import { iso } from "../clock.ts";
import type { Ended, Utterance } from "./record.ts";
import { utteranceView } from "./unread.ts";

export const formats = ["markdown", "jsonl"] as const;
export type Format = (typeof formats)[number];

/** A turn that is over. */
export interface PastTurn {
  number: number;
  seat: string;
  since: number;
  ended_at: number;
  /** How long it stood still for a person's answer (ms). */
  asked: number;
  ended: Ended;
  reason: string | null;
  /** Number of the floor's last utterance then. */
  utterances: number;
}

type Entry = { said: Utterance } | { over: PastTurn };

/** Each turn's end after the words that came before it. */
function* inOrder(utterances: readonly Utterance[], turns: readonly PastTurn[]): Generator<Entry> {
  let at = 0;
  for (const over of turns) {
    for (let said = utterances[at]; said && said.id <= over.utterances; said = utterances[++at]) yield { said };
    yield { over };
  }
  for (const said of utterances.slice(at)) yield { said };
}

export function transcript(
  channel: string,
  utterances: readonly Utterance[],
  turns: readonly PastTurn[],
  format: Format,
): string {
  const entries = [...inOrder(utterances, turns)];
  if (format === "jsonl")
    return entries
      .map((entry) => `${JSON.stringify("said" in entry ? utteranceView(entry.said) : turnView(entry.over))}\n`)
      .join("");
  return `# ${channel}\n${entries.map((entry) => ("said" in entry ? words(entry.said) : ending(entry.over))).join("")}`;
}

const turnView = ({ number, seat, since, ended_at, asked, ended, reason }: PastTurn) => ({
  kind: "turn",
  turn: number,
  seat,
  since: iso(since),
  ended_at: iso(ended_at),
  ended,
  ...(asked > 0 && { stood_still_s: Math.round(asked / 1000) }),
  ...(reason !== null && { reason }),
});

function words({ id, turn, speaker, text, at, kind, from_person, addressed_to, expects_reply }: Utterance): string {
  const marks = [
    `${id}. ${speaker}`,
    ...(from_person ? ["a person"] : []),
    ...(addressed_to === null ? [] : [`to ${addressed_to}`]),
    ...(expects_reply ? ["expects a reply"] : []),
    iso(at),
    kind === "speech" ? `turn ${turn}` : kind,
  ];
  return `\n## ${marks.join(" · ")}\n\n${quoted(text)}\n`;
}

const how: Record<Ended, string> = {
  passed: "passed",
  silent: "fell silent",
  no_answer: "did not answer the offer",
  too_long: "reached the turn limit",
  preempted: "was interrupted",
  revoked: "was revoked",
  left: "left",
  closed: "ended with the floor",
  waiting_for_person: "waited too long for a person",
};

function ending({ number, seat, since, ended_at, asked, ended, reason }: PastTurn): string {
  const inSeconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  const still = asked > 0 ? ` (${inSeconds(asked)} of it for a person's answer)` : "";
  return `\n*Turn ${number} of ${seat} ${how[ended]} after ${inSeconds(ended_at - since)}${still}, ${iso(ended_at)}*\n${
    reason === null ? "" : `\n${quoted(reason)}\n`
  }`;
}

/** Line by line, so that a text with headings of its own stays within its speaker's. */
const quoted = (text: string): string =>
  text
    .split(/\r\n|[\n\r\u2028\u2029\u0085]/)
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
