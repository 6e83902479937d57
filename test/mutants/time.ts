// Faults planted in what time does: two clocks, standstills, answers whose process died, one at a time.
import type { Mutant } from "./all.ts";

/** Nothing is started beside a planted fault. */
const only = "^(?!.*PostgreSQL)";
const at = (file: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/${file}.ts`, old, planted, tests: `test/${tests}.test.ts`, only },
});

export const timeMutants: Mutant[] = [
  at("clock", "spine/clocks")(
    "G5: a sleep until a stored time trusts its timer",
    "Math.min(Math.max(at - clock.now(), 0), longestSleep)",
    "Math.max(at - clock.now(), 0)",
  ),
  at("perform", "spine/clocks")(
    "G5: a hold is counted by the wall clock",
    "seconds - (clock.elapsed() - began) / 1000",
    "seconds + (clock.now() % 1000) * 60",
  ),
  at("members/presence", "spine/clocks")(
    "M4: a wait that ended goes on to be believed",
    "endWaiting(tx.db, actor.member, clock.now())",
    "setWaiting(tx.db, actor.member, clock.now() + ahead)",
  ),
  at("clockwork", "spine/clocks")(
    "T1: a room that cannot be settled holds up the others",
    "if (!failing.has(what)) report(error",
    'if (what.startsWith("Settling")) throw error;\n      if (!failing.has(what)) report(error',
  ),
  at("awake", "board/standstill")("M4: a standstill is not noticed", "now - last > slack", "now - last > slack * 1e9"),
  at("board/endings", "board/standstill")(
    "M4: claims lapse before a standstill is made up for",
    "awake.stillSince(call.now) !== null",
    "awake.stillSince(call.now) === 0",
  ),
  at("board/downtime", "board/standstill")(
    "M4: each process moves the claims on",
    "Math.max(began, await leases.stoodStillUntil(db, room))",
    "began",
  ),
  at("notify/quiet", "notify/channels")(
    "G14: quiet hours end at a time that does not exist",
    "while (isQuiet(ends)) ends += minute;",
    "",
  ),
  at("notify/rules", "notify/channels")(
    "G14: a channel that fails counts as one that tells",
    "channel.last_error === null && heldUntil",
    "heldUntil",
  ),
  at("gates/delivery", "gates/restart")(
    "G6: any session acknowledges what another had",
    "(written_to === session || passed_on_at !== null)",
    'written_to !== ""',
  ),
  at("gates/rules", "gates/restart")(
    "G5: an answer that was used is found again",
    "Object.keys(gate.ran).length === 0",
    "gate.ran !== null",
  ),
  at("gates/delivery-rows", "gates/restart")(
    "G5: asking again finds an answer again and again",
    ".set({ passed_on_at: null })",
    ".set({ written_at: 1 })",
  ),
  at("commands/store", "commands/limits")(
    "A5: a process follows its own limits",
    "serves ? {} : await store.read(limitsOf)",
    "{}",
  ),
];
