// What can be asked of a conversation afterwards: its words, a report, a text to keep.
import { z } from "zod";
import { type AnyAction, action, everyone } from "../action.ts";
import { fitting } from "../size.ts";
import { count } from "../words.ts";
import { order } from "./moment.ts";
import { found } from "./move.ts";
import type { Utterance } from "./record.ts";
import { report } from "./report.ts";
import * as rows from "./rows.ts";
import { channel, channelOf } from "./seats.ts";
import { formats, transcript } from "./transcript.ts";
import { utteranceView } from "./unread.ts";
import { charactersOf, utterancesAfter } from "./utterances.ts";

const page = 500;

export const pastActions: AnyAction[] = [
  action({
    name: "conversation",
    toolset: "floor",
    about: "What was said on a floor, in order, after utterance number `after`. next is the `after` for the next page.",
    may: everyone,
    quiet: true,
    input: {
      channel,
      after: count(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: count(1, page).optional().describe("default 50"),
    },
    output: { utterances: z.array(z.looseObject({})).optional(), next: z.number().optional() },
    quotes: (result) => Array.isArray(result.utterances) && result.utterances.length > 0,
    read: async (call, input) => {
      const { channel } = await found(call, await channelOf(call, input));
      const after = input.after ?? 0;
      const said = fitting(await utterancesAfter(call.db, call.room, channel, after, input.limit ?? 50));
      return { utterances: said.map(utteranceView), next: said.at(-1)?.id ?? after };
    },
  }),
  action({
    name: "floor_report",
    toolset: "floor",
    about: "How a conversation went: per seat its turns, characters, time held, waiting times, and what it missed.",
    may: everyone,
    quiet: true,
    input: { channel },
    output: { seats: z.array(z.looseObject({})).optional() },
    read: async (call, input) => {
      const floor = await found(call, await channelOf(call, input));
      const turns = await rows.turnsOf(call.db, call.room, floor.channel);
      const characters = await charactersOf(call.db, call.room, floor.channel);
      return { seats: report(order(floor), turns, characters, call.now) };
    },
  }),
  action({
    name: "export_conversation",
    toolset: "floor",
    about: "The whole conversation as one text, with its turns and how each ended, to keep it or hand it on.",
    may: [...everyone, "local"],
    quiet: true,
    input: { channel, format: z.enum(formats).optional().describe("default markdown") },
    output: { text: z.string().optional() },
    quotes: () => true,
    read: async (call, input) => {
      const { channel } = await found(call, await channelOf(call, input));
      const all: Utterance[] = [];
      for (;;) {
        const more = await utterancesAfter(call.db, call.room, channel, all.at(-1)?.id ?? 0, page);
        all.push(...more);
        if (more.length < page) break;
      }
      const turns = await rows.turnsOf(call.db, call.room, channel);
      const over = turns.flatMap(({ ended, ended_at, utterances, ...turn }) =>
        ended === null || ended_at === null ? [] : [{ ...turn, ended, ended_at, utterances: utterances ?? 0 }],
      );
      return { text: transcript(channel, all, over, input.format ?? "markdown") };
    },
  }),
];
