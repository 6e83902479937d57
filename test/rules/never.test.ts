// What an allow rule never does, whatever a command is made of: match one that has been slipped something.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../src/refusal.ts";
import { read } from "../../src/rules/deed.ts";
import { canonical, exactArgv, matches, type Pattern, type Written } from "../../src/rules/pattern.ts";
import { type Asked, type Rule, weigh } from "../../src/rules/rules.ts";
import { argvOf } from "../../src/rules/shell.ts";

const cwd = "/srv/app";
/** How many variations the tests try, the first two more; with `PARLEY_VARIATIONS=20000` each tries at least so many. */
const each = Number(process.env.PARLEY_VARIATIONS ?? 400);
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
      { numRuns: Math.max(3000, each) },
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
      { numRuns: Math.max(1000, each) },
    );
  });
});

/** Whether a rule that was made at 0, and confirmed, answers or raises this. */
function acts(effect: "allow" | "deny" | "raise", written: Written, action: unknown): boolean {
  const rule = {
    ...{ id: "r", effect, room: null, member: null, pattern: canonical(written, effect), risk: null, note: null },
    ...{ made_by: "zoe", made_at: 0, expires_at: null, hits: 0, last_used_at: null },
    ...{ revoked_by: null, revoked_at: null, confirmed_by: "zoe", confirmed_at: 0 },
  } as Rule;
  const gate: Asked = {
    ...{ kind: "approval", room: "main", asked_by: "ada", action: { is: action }, risk: "medium", options: [] },
  };
  const { answer, raised } = weigh([rule], gate, 1);
  return answer !== null || raised !== null;
}

/** What the words `rm x` stand behind. */
const runs = fc.oneof(
  fc
    .constantFrom(
      ...[
        "uv run",
        "poetry run",
        "bundle exec",
        "go run",
        "cargo run",
        "npm x",
        "npm exec",
        "git bisect run",
        "nix run",
      ],
      ...["git submodule foreach", "git config", "git for-each-repo", "git rebase -x", "ip netns exec y", "rg --pre"],
      ...["heroku run", "yarn exec", "git -C y bisect run", "git submodule -q foreach", "find . -exec"],
    )
    .map((line) => line.split(" ")),
  fc
    .tuple(
      fc.constantFrom(
        ..."sh python node perl ruby lua env sudo nice uvx npx make psql ssh docker xargs awk".split(" "),
      ),
      fc.constantFrom("", "3", "3.13", "3.13t", "-dbg", "3-dbg", "-x86_64-linux-gnu", "20", ".exe", "-5.4", "-stable"),
      fc.constantFrom("", "/usr/bin/", "./", "a/b/"),
      fc.boolean(),
    )
    .map(([name, end, path, loud]) => [`${path}${loud ? name.toUpperCase() : name}${end}`]),
  fc
    .tuple(fc.constantFrom("env", "sudo env", "nice env -i"), fc.nat(40))
    .map(([wrapper, many]) => [...wrapper.split(" "), ...Array.from({ length: many }, (_, n) => `A${n}=1`)]),
);

/** As the command of a text or a list. */
const asCommand = fc.boolean();

describe("what runs something else", () => {
  it("G10: nothing left open allows it; deny and raise find it", () => {
    fc.assert(
      fc.property(runs, asCommand, fc.nat(3), (front, isText, opened) => {
        const argv = [...front, "rm", "x"];
        const action = { command: isText ? argv.join(" ") : argv, cwd };
        const open = [
          [argv[0] ?? "", "..."],
          argv.map((one, n) => (n === 0 ? one : "**")),
          argv.map((one, n) => (n < argv.length - 1 ? one : "*")),
          [...front, "..."],
        ][opened];
        const pattern: Written = { argv: open, cwd };
        let allowed = false;
        try {
          allowed = acts("allow", pattern, action);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
        expect([argv, open, allowed]).toEqual([argv, open, false]);
        for (const effect of ["deny", "raise"] as const)
          expect([effect, argv, acts(effect, { program: "rm" }, action)]).toEqual([effect, argv, true]);
        expect(acts("allow", { argv: exactArgv(argv), cwd }, action)).toBe(true);
      }),
      { numRuns: each },
    );
  });

  it("G10: a file of options and a bundle of options are not opened by a wildcard", () => {
    const before = fc.constantFrom("", "--data=", "a,", "x=", "-", "a ", "--x=a,");
    const program = fc.constantFrom("gcc", "curl", "javac", "rg", "tar", "ps", "ar", "unzip", "/bin/tar", "bsdtar");
    const bundle = fc.constantFrom("cIf", "xf", "cFf", "-cIf", "aux", "r", "I", "@x");
    fc.assert(
      fc.property(program, before, bundle, fc.boolean(), (name, start, said, isFile) => {
        const word = isFile ? `${start}@${said}` : said;
        if (!isFile && !/tar|ps|ar|unzip/.test(name)) return;
        for (const argv of [
          [name, "..."],
          [name, "**"],
          [name, "*"],
          [name, `${start}**`],
        ]) {
          let allowed = false;
          try {
            allowed = acts("allow", { argv, cwd }, { command: [name, word], cwd });
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
          }
          expect([argv, word, allowed]).toEqual([argv, word, false]);
        }
      }),
      { numRuns: each },
    );
  });
});

describe("settings that make agents ask", () => {
  const settings = fc.constantFrom(
    ...[".claude/settings.json", ".claude/hooks/x", ".codex/config.toml", ".gemini/settings.json", ".cursor/mcp.json"],
    ...[".git/hooks/pre-push", ".git/config", ".husky/x", ".mcp.json", ".config/opencode/plugin/x.js"],
  );
  const step = fc.constantFrom("/", "//", "/./", "/x/../", "/.//", "\\", "/a/b/../../");
  const start = fc.constantFrom("", "./", "a/../", ".//", "/repo/", "/repo/a/../", "src/../", "../");
  const inCapitals = fc.array(fc.boolean(), { minLength: 8, maxLength: 8 });
  const hidden = fc.constantFrom("", "", "\u200b", "\u00ad");

  it("G10: no rule allows a change to them, however the path is spelled", () => {
    fc.assert(
      fc.property(settings, step, start, inCapitals, hidden, fc.nat(3), (path, slash, front, loud, mark, how) => {
        const cased = [...path].map((one, n) => (loud[n % 8] ? one.toUpperCase() : one)).join("");
        const spelled = `${front}${cased.replaceAll("/", slash)}`;
        const one = mark && `${spelled.slice(0, -2)}${mark}${spelled.slice(-2)}`;
        const at = one || spelled;
        const [written, action] = (
          [
            [
              { tool: "Write", cwd: "/repo", fields: { input: "**" } },
              { tool: "Write", cwd: "/repo", input: { file_path: at } },
            ],
            [
              { argv: ["cp", "x", "..."], cwd: "/repo" },
              { command: ["cp", "x", at], cwd: "/repo" },
            ],
            [
              { tool: "T", fields: { files: "**" } },
              { tool: "T", files: ["src/a.ts", at] },
            ],
            [
              { tool: "apply_patch", cwd: "/repo", fields: { "input.command": "**", files: "**" } },
              {
                ...{ tool: "apply_patch", cwd: "/repo" },
                input: { command: `*** Begin Patch\n*** Add File: ${at}\n+x\n*** End Patch` },
              },
            ],
          ] as Array<[Written, unknown]>
        )[how] ?? [{}, {}];
        expect([at, how, acts("allow", written, action)]).toEqual([at, how, false]);
      }),
      { numRuns: each },
    );
  });

  it("G10: one star in a field stays in one item", () => {
    const item = fc.constantFrom("evil@evil.example", "a", "x@example.com", "b c", "@list", "-f", "../x", "a/b");
    const between = fc.constantFrom(",", ", ", " ", "@", ";", "\n", "/", "\t");
    fc.assert(
      fc.property(item, between, (first, mark) => {
        const to = `${first}${mark}x@example.com`;
        const pattern: Written = { tool: "mail", fields: { to: "*@example.com" } };
        expect([to, acts("allow", pattern, { tool: "mail", to })]).toEqual([to, false]);
      }),
      { numRuns: each },
    );
    expect(
      acts("allow", { tool: "mail", fields: { to: "*@example.com" } }, { tool: "mail", to: "x@example.com" }),
    ).toBe(true);
  });
});
