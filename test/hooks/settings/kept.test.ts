// The corpus of settings files, each run twice and compared byte by byte.
import { describe, expect, it } from "vitest";
import { hookLine } from "../../../src/hooks/settings/command.ts";
import { claude } from "./corpus/claude.ts";
import { codex } from "./corpus/codex.ts";
import { others } from "./corpus/others.ts";
import type { Kept } from "./corpus/shape.ts";
import { openHome } from "./home.ts";

/** How the hook of a client is called. */
const called = (client: string): string => (client === "claude" ? "claude-code" : client);

const inText = (line: string): string => JSON.stringify(line).slice(1, -1);

function filled(text: string, client: string): string {
  const own = ["/opt/node-20/bin/node", "/home/x/my parley/dist/src/main.js"];
  return text
    .replaceAll("@line@", () => inText(hookLine(called(client), 540)))
    .replaceAll("@own@", () => inText(hookLine(called(client), 540, "sh", own)));
}

describe("what stands in a client's settings", () => {
  it.each([...claude, ...codex, ...others])(
    "K1, K2, K3: $client: $shape",
    async ({ client, options, before, after }: Kept) => {
      const home = openHome();
      const was = Object.entries(before).map(([file, text]) => [file, filled(text, client)] as const);
      for (const [file, text] of was) home.has(file, text);
      const first = await home.connect(client, options);
      expect(first.code, first.err).toBe(0);
      for (const [file, text] of Object.entries(after)) expect(home.text(file), file).toBe(filled(text, client));
      const copies = Object.entries(home.everything()).filter(([file]) => file.endsWith(".bak"));
      const changed = was.filter(([file, text]) => home.text(file) !== text);
      expect(copies.map(([, text]) => Buffer.from(text, "latin1").toString()).sort()).toEqual(
        changed.map(([, text]) => text).sort(),
      );

      const between = home.everything();
      const second = await home.connect(client, options);
      expect([second.code, second.out.includes("wrote")], second.out + second.err).toEqual([0, false]);
      expect(home.everything()).toEqual(between);
      // Connecting again without --gates takes none away.
      if (options?.gates) await home.connect(client);
      expect(home.everything()).toEqual(between);
    },
  );
});
