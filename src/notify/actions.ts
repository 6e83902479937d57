// Where a person wants to be told that a gate waits: each their own, and secrets are never shown again.
import { z } from "zod";
import { type AnyAction, action, type ReadCall, type Result } from "../action.ts";
import { type Clock, iso } from "../clock.ts";
import { newId, newSecret } from "../ids.ts";
import { Refusal } from "../refusal.ts";
import { line } from "../words.ts";
import { testLetter } from "./letter.ts";
import { pack, samePlace, topicOf } from "./parcel.ts";
import { post } from "./post.ts";
import { isZone } from "./quiet.ts";
import * as rows from "./rows.ts";
import type { Channel } from "./rules.ts";

export interface NotifySettings {
  /** The dashboard's address as people open it, where one is set. */
  publicUrl?: string | undefined;
}

/** Channels that one person may have. */
const most = 20;

const address = line(2000).refine(isAddress, "must be an http or https URL without user and password");
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time like 22:00");
const shared = { toolset: "gates", may: ["approver"], scope: "server", peopleOnly: true } as const;
const channelOutput = { channel: z.looseObject({}).optional() };

function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "";
}

const optional = (name: string, value: unknown): Result => (value === null ? {} : { [name]: value });

function view(row: Channel): Result {
  const state = row.last_at === null ? "untried" : row.last_error === null ? "working" : "failing";
  return {
    id: row.id,
    kind: row.kind,
    url: row.url,
    has_secret: row.secret !== null,
    ...optional("quiet_from", row.quiet_from),
    ...optional("quiet_to", row.quiet_to),
    ...optional("zone", row.zone),
    min_risk: row.min_risk,
    made_at: iso(row.made_at),
    state,
    ...(row.last_at !== null && { last_at: iso(row.last_at) }),
    ...optional("last_status", row.last_status),
    ...optional("last_error", row.last_error),
    ...(row.accepted_at !== null && { accepted_at: iso(row.accepted_at) }),
  };
}

async function mine({ db, actor }: Pick<ReadCall, "db" | "actor">, id: string): Promise<Channel> {
  const row = await rows.channel(db, id);
  if (row?.member === actor.member) return row;
  throw new Refusal("NOT_FOUND", "You have no such channel; list_channels shows yours.");
}

type Hours = { quiet_from?: string | undefined; quiet_to?: string | undefined; zone?: string | undefined };

function mustFit({ quiet_from: from, quiet_to: to, zone }: Hours): void {
  const given = [from, to, zone].filter((value) => value !== undefined).length;
  if (given !== 0 && given !== 3)
    throw new Refusal("BAD_INPUT", "Quiet hours need all three: quiet_from, quiet_to and zone; or leave all out.");
  if (from !== undefined && from === to)
    throw new Refusal("BAD_INPUT", "Quiet hours must end at another time than they begin.");
  if (zone !== undefined && !isZone(zone))
    throw new Refusal("BAD_INPUT", "zone must be a time zone's name, like Europe/Berlin.");
}

export const channelActions = (time: Clock, settings: NotifySettings): AnyAction[] => [
  action({
    ...shared,
    name: "list_channels",
    about: "Lists where you are told that a gate waits, and how the last sending went.",
    quiet: true,
    input: {},
    output: { channels: z.array(z.looseObject({})).optional() },
    read: async (call) => ({ channels: (await rows.channelsOf(call.db, call.actor.member)).map(view) }),
  }),
  action({
    ...shared,
    name: "add_channel",
    about:
      "Tells you of waiting gates there: a webhook's URL, or an ntfy topic's. secret signs a webhook (one is made where none is given, and shown this once) or is the topic's access token.",
    input: {
      kind: z.enum(["webhook", "ntfy"]),
      url: address,
      secret: line(500).optional(),
      quiet_from: clock.optional(),
      quiet_to: clock.optional(),
      zone: line(64).optional(),
      min_risk: z.enum(["low", "medium", "high", "critical"]).optional(),
    },
    output: { ...channelOutput, secret: z.string().optional() },
    write: async (call, input) => {
      mustFit(input);
      if (input.kind === "ntfy" && !/^[-_A-Za-z0-9]{1,64}$/.test(topicOf(input.url).topic))
        throw new Refusal("BAD_INPUT", "url must end in the topic, like https://ntfy.sh/a-name-that-nobody-guesses.");
      const channels = await rows.channelsOf(call.db, call.actor.member);
      const same = channels.find((channel) => samePlace(channel, input));
      if (same)
        throw new Refusal(
          "CONFLICT",
          `You are told there already, by channel ${same.id}: a second one would tell you everything twice. To change it, remove it first (remove_channel).`,
        );
      if (channels.length >= most)
        throw new Refusal("CONFLICT", `You have ${most} channels; remove one first (remove_channel).`);
      const made = input.secret === undefined && input.kind === "webhook" ? newSecret() : undefined;
      const row: Channel = {
        id: call.id(),
        member: call.actor.member,
        kind: input.kind,
        url: input.url,
        secret: input.secret ?? made ?? null,
        quiet_from: input.quiet_from ?? null,
        quiet_to: input.quiet_to ?? null,
        zone: input.zone ?? null,
        min_risk: input.min_risk ?? "low",
        made_at: call.now,
        last_at: null,
        last_status: null,
        last_error: null,
        accepted_at: null,
      };
      await rows.addChannel(call.db, row);
      // No address: a topic's name or a path may be all that keeps others out, and the log forgets nothing.
      call.serverFact({ action: "channel.added", subject: `channel:${row.id}`, data: { kind: row.kind } });
      return { channel: view(row), ...(made !== undefined && { secret: made }) };
    },
  }),
  action({
    ...shared,
    name: "remove_channel",
    about: "You are no longer told there.",
    destructive: true,
    input: { id: line(64) },
    output: { removed: z.string().optional() },
    write: async (call, { id }) => {
      const { kind } = await mine(call, id);
      await rows.removeChannel(call.db, id);
      call.serverFact({ action: "channel.removed", subject: `channel:${id}`, data: { kind } });
      return { removed: id };
    },
  }),
  action({
    ...shared,
    name: "test_channel",
    about: "Sends a test there and says whether it was accepted; whether it was shown only you can see.",
    input: { id: line(64) },
    output: {
      accepted: z.boolean().optional(),
      status: z.number().nullable().optional(),
      error: z.string().optional(),
    },
    wait: async (call, { id }) => {
      const channel = await call.read((read) => mine(read, id));
      const letter = testLetter(newId(), channel.member, settings.publicUrl ? `${settings.publicUrl}/` : null);
      const { accepted, status, error } = await post(pack(channel, letter, call.now()), time, call.signal);
      await call.write(({ db, now }) => rows.setState(db, id, now, { accepted, status, error }));
      return { accepted, status, ...optional("error", error) };
    },
  }),
];
