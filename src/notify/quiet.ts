// Quiet hours of a channel, in the zone of its person: pure.
const day = 24 * 60;
const minute = 60_000;

interface Hours {
  quiet_from: string | null;
  quiet_to: string | null;
  zone: string | null;
}

/** Whether this names a time zone. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

function localMinutes(zone: string, at: number): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return minutesOf(`${parts.get("hour")}:${parts.get("minute")}`);
}

/** When the quiet hours that `now` lies in end (ms); `now` itself outside of them. */
export function quietUntil({ quiet_from, quiet_to, zone }: Hours, now: number): number {
  if (quiet_from === null || quiet_to === null || zone === null) return now;
  const [from, to] = [minutesOf(quiet_from), minutesOf(quiet_to)];
  const isQuiet = (at: number) => (localMinutes(zone, at) - from + day) % day < (to - from + day) % day;
  if (!isQuiet(now)) return now;
  const end = Math.floor(now / minute) * minute + ((to - localMinutes(zone, now) + day) % day) * minute;
  // Where the clocks change in between, the wall clock is past its time then, or short of it.
  const off = ((localMinutes(zone, end) - to + day + day / 2) % day) - day / 2;
  let ends = Math.max(end - off * minute, now);
  // Where the clocks are set on past this very time, it never comes: quiet hours end when they are set on.
  while (isQuiet(ends)) ends += minute;
  return ends;
}
