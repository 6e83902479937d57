// Faults planted in the edges, one at a time, and the file of tests that has to find each.
import type { Mutant } from "./all.ts";

const at = (file: string, tests: string, only: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/${file}.ts`, old, planted, tests: `test/edges/${tests}.test.ts`, only },
});

export const edgesMutants: Mutant[] = [
  at("edges/live/messages", "live/odd", "ten thousand")(
    "E1: an id may be anything",
    'z.strictObject({ type: z.literal("do"), id: token,',
    'z.strictObject({ type: z.literal("do"), id: z.unknown(),',
  ),
  at("edges/headers", "headers", "every file")(
    "E2: a page may be held in a frame",
    '  "X-Frame-Options": "DENY",\n',
    "",
  ),
  at("edges/pages", "headers", "bare file")("E2: the page is a bare file too", "/\\.html?\\W*$/i", "/\\.htmx\\W*$/i"),
  at("edges/mcp/read", "deep", "token of progress")(
    "E3: a token of progress may be anything",
    "if (token !== undefined && !isId(token))",
    "if (token === null)",
  ),
  at("edges/live/socket", "live/odd", "under way")(
    "E5: a socket may have any number of messages",
    "const tooMany = 200;",
    "const tooMany = 2e9;",
  ),
  at("gates/view-brief", "size", "a room full")(
    "E7: settled cards bring their actions",
    "? fieldBytes : 0)",
    "? fieldBytes : 1e9)",
  ),
  at("size", "size", "each list")(
    "E8: a page is bounded by its count alone",
    "if (count > 0 && size > most) break;",
    "",
  ),
];
