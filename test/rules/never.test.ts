// What an allow rule never does, whatever a command is made of: match one that has been slipped something.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { read } from "../../src/rules/deed.ts";
import { canonical, exactArgv, matches, type Pattern, type Written } from "../../src/rules/pattern.ts";
import { argvOf } from "../../src/rules/shell.ts";

const cwd = "/srv/app";
const slipped = [
  ...["; ", ";", "&", " & ", "|", "&&", "||", "|&", ";;", "\n", "\r\n", "\r", "\n#", "&\n"],
  ...["$(id)", "`id`", "$x", "$\u007bx}", "$((1))", "$'a'", '$"a"', "$", "`", "!!", "!x"],
  ...[">", ">>", "<", "<<", "<<<", "2>&1", ">&", "&>", "<(id)", ">(id)", ">|", "{fd}>"],
  ...["#", " #", "(", ")", "{", "}", "[", "]", "*", "?", "~", "\\", "\\\n", "^"],
  ...[
    "\t",
    "\v",
    "\f",
    "\0",
    "\u0085",
    "\u00a0",
    "\u2028",
    "\u2029",
    "\u200b",
    "\u202e",
    "\ufeff",
    "\u3000",
    "；",
    "｜",
  ],
];

/** Words as a shell may have them written, and what they say. */
const word = fc
  .tuple(
    fc.constantFrom("push", "origin", "main", "-f", "--dry-run", "src/a.ts", "a b", "x=y", "ü", "1.2", "a@b:c", ""),
    fc.constantFrom("'", '"', ""),
  )
  .map(([said, quote]) => ({
    said,
    written: quote || /^[^ ]+$/u.test(said) ? `${quote}${said}${quote}` : `'${said}'`,
  }));
const words = fc.array(word, { minLength: 0, maxLength: 5 });

/** Patterns for a command of so many words: pinned, open at one word, open at all of them, open behind. */
const patternsFor = (argv: readonly string[]): Pattern[] =>
  [
    argv.map((one) => exactArgv([one])[0] ?? ""),
    ...argv.slice(1).map((_, at) => argv.map((one, n) => (n === at + 1 ? "**" : (exactArgv([one])[0] ?? "")))),
    argv.map((one, n) => (n === 0 ? one : "**")),
    argv.map((one, n) => (n === 0 ? one : "*")),
    [argv[0] ?? "", "..."],
    [argv[0] ?? "", "**", "..."],
  ].flatMap((pattern) => {
    try {
      return [canonical({ argv: pattern, cwd } as Written, "allow")];
    } catch {
      return [];
    }
  });

describe("an allow rule never matches", () => {
  it("G10: a line into which an operator, substitution, redirection, newline or blank was put, at any place, in quotes or not", () => {
    let inQuotes = 0;
    fc.assert(
      fc.property(words, fc.constantFrom(...slipped), fc.nat(), (some, hostile, where) => {
        const line = ["git", ...some.map(({ written }) => written)].join(" ");
        const argv = ["git", ...some.map(({ said }) => said)];
        const patterns = patternsFor(argv);
        // The test itself: what was slipped nothing is matched.
        expect(patterns.some((pattern) => matches(pattern, read({ command: line, cwd }), "allow"))).toBe(true);
        const at = where % (line.length + 1);
        const other = `${line.slice(0, at)}${hostile}${line.slice(at)}`;
        if (argvOf(other) !== null) inQuotes++;
        for (const action of [
          { command: other, cwd },
          { tool: "shell", input: { command: other, cwd } },
        ])
          for (const pattern of patterns)
            expect([other, pattern.argv, matches(pattern, read(action), "allow")]).toEqual([
              other,
              pattern.argv,
              false,
            ]);
      }),
      { numRuns: 3000 },
    );
    expect(inQuotes).toBeGreaterThan(100);
  });

  it("G10: a list of words by what its words would be in a shell: each stays one word, and exactly itself", () => {
    const any = fc.oneof(
      fc.constantFrom(...slipped),
      fc.constantFrom("push", "a b", "", "...", "*", "**", "\\*"),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(any, { maxLength: 5 }), fc.constantFrom(...slipped), fc.nat(), (some, hostile, where) => {
        const argv = ["git", ...some];
        const exact = canonical({ argv: exactArgv(argv), cwd }, "allow");
        const does = (command: string[]) => matches(exact, read({ command, cwd }), "allow");
        expect(does(argv)).toBe(true);
        // Not when it is said otherwise: cut in two, run together, one word more, one less, one changed.
        const at = where % argv.length;
        const changed = argv.map((one, n) => (n === at ? `${one}${hostile}` : one));
        expect(does(changed)).toBe(false);
        expect(does([...argv, hostile])).toBe(false);
        if (argv.length > 1) {
          expect(does(argv.slice(0, -1))).toBe(false);
          expect(does([argv.join(" ")])).toBe(false);
          expect(does([...argv.slice(0, -2), argv.slice(-2).join(" ")])).toBe(false);
        }
        // And what is left open takes none of it.
        for (const pattern of patternsFor(["git", "x"]).slice(1))
          expect(matches(pattern, read({ command: ["git", `a${hostile}b`], cwd }), "allow")).toBe(false);
      }),
      { numRuns: 1000 },
    );
  });
});
