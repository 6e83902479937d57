// The floor stands still, goes on, and ends (R16).
import { lift } from "./care.ts";
import { type Moment, mark, tell } from "./moment.ts";
import { end } from "./turns.ts";

/** Clocks stop. */
export function standStill(m: Moment): void {
  m.floor.status = "paused";
  m.floor.notices++;
  tell(m, "floor.paused");
}

/** Clocks go on with what was left. */
export function goOn(m: Moment): void {
  m.floor.status = "open";
  if (m.floor.capped) m.floor.agent_turns = 0;
  lift(m);
  tell(m, "floor.resumed", {}, m.floor.turn?.seat ?? null);
}

/** A person has had a word: what waited for that goes on, and agents' turns count anew. */
export function heedPerson(m: Moment): void {
  if (m.floor.capped) goOn(m);
  else m.floor.agent_turns = 0;
}

/** All ends. */
export function shut(m: Moment): void {
  const { floor } = m;
  end(m, "closed");
  for (const [name, { request, slot, owed }] of floor.standings)
    if (request || slot || owed) mark(m, name, { request: null, slot: null, owed: null });
  floor.status = "closed";
  floor.handover = null;
  floor.quiescent = false;
  floor.wrapping = false;
  floor.notices++;
  lift(m);
  const open = floor.questions.map(({ utterance }) => utterance);
  tell(m, "floor.closed", open.length > 0 ? { questions: open } : {});
}
