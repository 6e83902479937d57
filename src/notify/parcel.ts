// A letter as each kind of channel takes it: pure, one request each. Another kind (web push) is another entry here.
import { createHmac } from "node:crypto";
import type { Letter } from "./letter.ts";
import type { Channel } from "./rules.ts";

export interface Parcel {
  url: string;
  headers: Record<string, string>;
  body: string;
}

type Packs = (channel: Channel, letter: Letter, now: number) => Parcel;

/** `sha256=` and the hex HMAC over `TIMESTAMP.BODY`, so that an old body cannot be sent again as new. */
const webhook: Packs = ({ url, secret }, letter, now) => {
  const body = JSON.stringify(letter);
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac("sha256", secret ?? "")
    .update(`${timestamp}.${body}`)
    .digest("hex");
  return {
    url,
    body,
    headers: { "x-parley-timestamp": timestamp, "x-parley-signature": `sha256=${signature}` },
  };
};

const priorities = { low: 2, medium: 3, high: 4, critical: 5 } as const;

/** Where ntfy publishes JSON, and the topic: the last step of the channel's URL. */
export function topicOf(url: string): { server: string; topic: string } {
  const { origin, pathname } = new URL(url);
  const path = pathname.replace(/\/+$/, "");
  const cut = path.lastIndexOf("/") + 1;
  return { server: `${origin}${path.slice(0, cut) || "/"}`, topic: path.slice(cut) };
}

/** Whether what is sent to both arrives at the same place. */
export function samePlace(one: Pick<Channel, "kind" | "url">, other: Pick<Channel, "kind" | "url">): boolean {
  if (one.kind !== other.kind) return false;
  const [a, b] = [one, other].map(({ kind, url }) => {
    if (kind === "ntfy") return JSON.stringify(topicOf(url));
    const place = new URL(url);
    place.hash = "";
    return place.href;
  });
  return a === b;
}

/** The same `sequence_id` replaces what was published before (ntfy 2.16; an older one shows it beside). */
const ntfy: Packs = ({ url, secret }, letter) => {
  const { server, topic } = topicOf(url);
  const over = letter.event === "gate.settled";
  return {
    url: server,
    body: JSON.stringify({
      topic,
      sequence_id: letter.id,
      title: letter.title,
      message: letter.text,
      priority: over ? 1 : priorities[letter.risk],
      tags: [over ? "white_check_mark" : "raised_hand"],
      ...(letter.url !== null && {
        click: letter.url,
        actions: [{ action: "view", label: "Open", url: letter.url }],
      }),
    }),
    headers: secret === null ? {} : { authorization: `Bearer ${secret}` },
  };
};

const kinds: Partial<Record<Channel["kind"], Packs>> = { webhook, ntfy };

export function pack(channel: Channel, letter: Letter, now: number): Parcel {
  const packs = kinds[channel.kind];
  if (!packs) throw new Error(`nothing sends to channels of kind ${channel.kind}`);
  return packs(channel, letter, now);
}
