import { expect, test } from "vitest";
import type { Utterance } from "../../src/floor/record.ts";
import { type PastTurn, transcript } from "../../src/floor/transcript.ts";

const start = Date.parse("2030-01-01T10:00:00Z");
const said = (id: number, speaker: string, text: string, more: Partial<Utterance> = {}): Utterance => ({
  id,
  turn: 1,
  speaker,
  text,
  at: start + id * 1000,
  kind: "speech",
  from_person: false,
  addressed_to: null,
  expects_reply: false,
  ...more,
});
const turn = (number: number, seat: string, utterances: number, more: Partial<PastTurn> = {}): PastTurn => ({
  number,
  seat,
  since: start,
  ended_at: start + 12_000,
  asked: 0,
  ended: "passed",
  reason: null,
  utterances,
  ...more,
});

const words = [
  said(1, "ann", "one"),
  said(2, "olga", "stop", {
    turn: null,
    kind: "interjection",
    from_person: true,
    addressed_to: "ann",
    expects_reply: true,
  }),
  said(3, "bob", "two", { turn: 3 }),
];
const turns = [
  turn(1, "ann", 2, { ended: "preempted", asked: 4000 }),
  turn(2, "cyd", 2, { ended: "revoked", reason: "not now\n# or ever" }),
];

test("M6: Markdown has each turn's end where it came, and what was said inside its speaker's words", () => {
  expect(transcript("main", words, turns, "markdown")).toBe(`# main

## 1. ann · 2030-01-01T10:00:01.000Z · turn 1

> one

## 2. olga · a person · to ann · expects a reply · 2030-01-01T10:00:02.000Z · interjection

> stop

*Turn 1 of ann was interrupted after 12 s (4 s of it for a person's answer), 2030-01-01T10:00:12.000Z*

*Turn 2 of cyd was revoked after 12 s, 2030-01-01T10:00:12.000Z*

> not now
> # or ever

## 3. bob · 2030-01-01T10:00:03.000Z · turn 3

> two
`);
});

test("M6: JSON lines have one line an utterance, and one for each turn that is over", () => {
  const lines = transcript("main", words, turns, "jsonl").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { id: 1, turn: 1, speaker: "ann", text: "one", kind: "speech", at: "2030-01-01T10:00:01.000Z" },
    {
      id: 2,
      turn: null,
      speaker: "olga",
      text: "stop",
      kind: "interjection",
      at: "2030-01-01T10:00:02.000Z",
      from_person: true,
      addressed_to: "ann",
      expects_reply: true,
    },
    {
      kind: "turn",
      turn: 1,
      seat: "ann",
      since: "2030-01-01T10:00:00.000Z",
      ended_at: "2030-01-01T10:00:12.000Z",
      ended: "preempted",
      stood_still_s: 4,
    },
    {
      kind: "turn",
      turn: 2,
      seat: "cyd",
      since: "2030-01-01T10:00:00.000Z",
      ended_at: "2030-01-01T10:00:12.000Z",
      ended: "revoked",
      reason: "not now\n# or ever",
    },
    { id: 3, turn: 3, speaker: "bob", text: "two", kind: "speech", at: "2030-01-01T10:00:03.000Z" },
  ]);
});
