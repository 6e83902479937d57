// The ledger of questions: asked with `expects_reply`, open until who is asked has spoken or declined.
import { Refusal } from "../refusal.ts";
import { hasVoice, type Moment, standing, tell } from "./moment.ts";
import type { Question } from "./record.ts";
import { address } from "./successor.ts";

/** Of one asker on one floor. */
const mostOpen = 20;

/** One who can answer is asked, and not by too many questions at once. */
export function mustBeAskable(m: Moment, who: string, to: string | null): void {
  const next = { call: "say", channel: m.floor.channel };
  if (to === who || (to !== null && !hasVoice(m, to)))
    throw new Refusal(
      "INVALID_TARGET",
      to === who
        ? "You cannot expect a reply from yourself; address somebody else, or leave expects_reply out."
        : `${to} has no seat here and cannot reply; ask a seat, or leave expects_reply out.`,
      { to, next },
    );
  if (m.floor.questions.filter(({ from }) => from === who).length >= mostOpen)
    throw new Refusal(
      "CONFLICT",
      `${mostOpen} of your questions are open here; wait for replies before you ask more, or leave expects_reply out.`,
      { open: m.floor.questions.filter(({ from }) => from === who).map(({ utterance }) => utterance), next },
    );
}

/** A seat that is asked is queued as addressed, unless it has the floor or sleeps. */
export function ask(m: Moment, question: Question): void {
  m.floor.questions = [...m.floor.questions, question];
  const { from, to } = question;
  if (to === null || m.floor.turn?.seat === to || m.floor.wrapping) return;
  const { place, away } = standing(m, to);
  if (place !== null && !away) address(m, from, to);
}

const meant = (m: Moment, who: string): Question[] =>
  m.floor.questions.filter(({ from, to }) => to === who || (to === null && from !== who));

function settle(m: Moment, which: readonly Question[], how: "answered" | "declined" | "dropped", by: string): void {
  if (which.length === 0) return;
  m.floor.questions = m.floor.questions.filter((question) => !which.includes(question));
  for (const { utterance, from } of which) tell(m, `floor.question_${how}`, { question: utterance, by }, from);
}

/** Whoever speaks has replied to what it was asked. */
export const reply = (m: Moment, who: string): void => settle(m, meant(m, who), "answered", who);

/** It had the word, or gave up its place, and said nothing: what was asked of it alone is declined. */
export const decline = (m: Moment, who: string): void =>
  settle(
    m,
    meant(m, who).filter(({ to }) => to === who),
    "declined",
    who,
  );

/** Of one who is no longer there nobody expects a reply. */
export function drop(m: Moment): void {
  for (const { to } of m.floor.questions)
    if (to !== null && !hasVoice(m, to))
      settle(
        m,
        m.floor.questions.filter((other) => other.to === to),
        "dropped",
        to,
      );
}
