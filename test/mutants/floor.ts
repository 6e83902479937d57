// Faults planted in the floor, one at a time, and the file of tests that has to find each.
import type { Mutant } from "./all.ts";

const file = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  fault,
  file: `src/floor/${name}.ts`,
  old,
  planted,
  tests: `test/floor/${tests}.test.ts`,
});
/** Tests through the store are tried on one store. */
const stored = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...file(name, tests)(fault, old, planted),
  only: "SQLite in memory",
});
const turns = file("turns", "model");
const time = file("timing", "time");
const moderated = file("moderate", "moderate");
const next = file("successor", "successor");

export const floorMutants: Mutant[] = [
  turns("S3: the number of a turn is not raised", "number: ++floor.turns", "number: (floor.turns ||= 1)"),
  turns("L4: who is bypassed is not counted", "bypassed: other.bypassed + 1", "bypassed: other.bypassed"),
  turns("N7: a turn that an operator grants bypasses those who wait", "  if (bypasses)\n", ""),
  file("turns", "time")(
    "L3: keeping the floor lengthens the turn limit",
    "speak_by: now +",
    "end_by: null, speak_by: now +",
  ),
  file("turns", "time")("T4: an act leaves the acknowledgement owed", "answer_by: null };", "};"),
  file("turns", "time")(
    "R1: an act does not renew the life of a request",
    "  if (request)\n",
    "  if (request && away)\n",
  ),
  file("turns", "successor")(
    "N9: a taken floor counts as a turn unspoken",
    '  if (ended === "preempted") return;\n',
    "",
  ),
  file("turns", "moderate")("R12: who goes on has but what was left", "Math.max(slot.left, hold)", "slot.left"),
  file("turns", "calls")("R10: a quiet seat has the whole time to answer", "quiet ? Math", "!quiet ? Math"),
  file("queue", "successor")(
    "N2: the first interrupted goes on first",
    "b.slot.turn - a.slot.turn",
    "a.slot.turn - b.slot.turn",
  ),
  file("queue", "model")(
    "N4: a saturated request is not served first",
    "saturated(floor, request) ? 3 :",
    "false ? 3 :",
  ),
  file("settle", "time")(
    "T2: a successor's turn begins at the deadline that has passed",
    "succeed(m);\n    } else",
    "succeed({ ...m, time: turn.by });\n    } else",
  ),
  file("settle", "model")("R14: who has left still waits", "if (hasVoice(m, name)) continue;", "continue;"),
  file("settle", "gates")(
    "R20: a turn that begins with a gate pending runs",
    "  serve(moment);\n  heed(moment);\n",
    "  heed(moment);\n  serve(moment);\n",
  ),
  file("settle", "model")("S8: a floor that goes on serves nobody", "  serve(moment);\n", ""),
  time(
    "T3: the clock may jump",
    "Math.min(Math.max(0, now - clock.wall), longestStride)",
    "Math.max(0, now - clock.wall)",
  ),
  time("T3: the clock may go back", "Math.max(0, now - clock.wall)", "(now - clock.wall)"),
  file("timing", "moderate")(
    "R16: a pause does not stop the clocks",
    'status === "open" ? Math',
    'status !== "closed" ? Math',
  ),
  time("people have no more time than agents", "person ? 5 : 1) * seconds", "person ? 1 : 1) * seconds"),
  file("timing", "gates")(
    "R20: a gate stops a turn for ever",
    "turn.asks_since + gatePause(settings) - turn.asked",
    "Infinity",
  ),
  moderated(
    "R12: an interrupted seat has no right to go on",
    'if (turn.why !== "take") mark',
    "if (turn.asked < 0) mark",
  ),
  moderated("R13: a revoked seat goes on before the queue", 'end(m, "revoked", reason);\n', "preempt(m);\n"),
  file("refuse", "moderate")("R12: an agent takes a person's turn", "if (seat === undefined ||", "if (true ||"),
  file("refuse", "successor")(
    "R10: one that sleeps is given the floor",
    "if (standing(m, to).away) refuse",
    "if (false) refuse",
  ),
  next("N1: a pass by name goes past all who wait", "const free =\n", "const free = true ||\n"),
  next("N3: the queue is served where operators grant", '  if (floor.mode === "moderated") return null;\n', ""),
  next("N9: rotation goes on after the end", " || floor.quiescent) return", ") return"),
  file("speak", "speak")(
    "R6: words for an old turn are taken in the new one",
    "turn !== current?.number)",
    "turn > (current?.number ?? 0))",
  ),
  file("speak", "speak")(
    "R6: a turn is given back after others have spoken",
    "  floor.utterances === last.utterances &&\n",
    "",
  ),
  file("speak", "speak")(
    "R7: an operator's word in between takes the floor",
    "isOperator(m, who) && (",
    "isOperator(m, who) && current !== null && (",
  ),
  file("notice", "moderate")("R17: a notice is told again and again", "mark(m, who, { told: floor.notices });", ""),
  stored("care", "cap")("R21: agents' turns are not counted", "floor.agent_turns++", "floor.agent_turns += 0"),
  stored("refuse", "cap")(
    "R21: an agent resumes what waits for a person",
    "if (!m.floor.capped ||",
    "if (m.floor.capped ||",
  ),
  file("moderate", "care")(
    "R21: closing and opening again is a way past",
    "  if (again && isSpent(floor)) cap(m);\n",
    "",
  ),
  file("turns", "care")("R21: what has ended by itself is capped too", "!fallQuiet(m) && ", ""),
  file("speak", "care")("R21: words between turns do not count", "} else countAgent(m, who);", "}"),
  stored("rows", "cap")(
    "R21: each floor counts for itself",
    "agent_turns: row.talk ?? 0",
    "agent_turns: row.agent_turns",
  ),
  file("moderate", "care")(
    "R21: an agent raises the limit of a new floor",
    "&& wanted > was)",
    "&& wanted > was && floor.turns)",
  ),
  stored("seats", "spine")(
    "R8: another pass with the same key is swallowed",
    "pass: pass ? { to: pass.to ?? null } : null,",
    "pass: null,",
  ),
  file("ask", "calls")(
    "R10: a pass waits for one that is gone",
    "m.members.get(to)?.gone ? to : null",
    "m.mover ? null : to",
  ),
  file("speak", "care")("R22: a reply leaves the question open", "  reply(m, who);\n", ""),
  file("questions", "care")("R22: who is asked is not queued", "address(m, from, to);", "void 0;"),
  file("care", "care")("R23: one seat's share is told at half", "const most = 0.6;", "const most = 0.5;"),
  stored("seats", "spine")(
    "R8: a repeated call with the same key speaks again",
    "input.key, digest, speech)",
    "undefined, digest, speech)",
  ),
];
