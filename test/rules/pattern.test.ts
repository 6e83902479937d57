import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Refusal } from "../../src/refusal.ts";
import { read } from "../../src/rules/deed.ts";
import { asIs, glob, literal } from "../../src/rules/glob.ts";
import { canonical, type Effect, matches, type Pattern, type Written } from "../../src/rules/pattern.ts";
import { propose } from "../../src/rules/propose.ts";

const does = (effect: Effect, written: Written, action: unknown): boolean =>
  matches(canonical(written, effect), read(action), effect);
const allows = (written: Written, action: unknown) => does("allow", written, action);
const denies = (written: Written, action: unknown) => does("deny", written, action);

function refusal(written: Written, effect: Effect = "allow"): string {
  try {
    canonical(written, effect);
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
  throw new Error("it was not refused");
}

const cwd = "/srv/app";
/** Any JSON as it is after a way over the wire, which knows no -0. */
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const run = (command: string | string[]) => ({ command, cwd });

describe("glob", () => {
  it.each([
    ["src/*.ts", "src/a.ts", true],
    ["src/*.ts", "src/a/b.ts", false],
    ["src/**", "src/a/b.ts", true],
    ["src/**/b.ts", "src/a/b.ts", true],
    ["a*c*e", "abcde", true],
    ["a*c*e", "abcd", false],
    ["*", "a/b", false],
    ["**", "a/b", true],
    ["*a*a*b", "aaab", true],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["a\\\\b", "a\\b", true],
    ["a.c", "abc", false],
    ["[ab]", "a", false],
    ["{a,b}", "a", false],
    ["?", "a", false],
    ["😀*", "😀x", true],
    ["", "", true],
    ["", "a", false],
  ])("G10: %s and %s: %s", (pattern, text, expected) => expect(glob(pattern, text, "anywhere")).toBe(expected));

  it("G10: what is meant as it is matches itself alone", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, other) => {
        expect(literal(asIs(text))).toBe(text);
        for (const manner of ["word", "value", "anywhere"] as const) {
          expect(glob(asIs(text), text, manner)).toBe(true);
          expect(glob(asIs(text), other, manner)).toBe(other === text);
        }
      }),
    );
  });

  it("G10: it says the same as a regular expression of the same meaning", () => {
    const letter = fc.constantFrom("a", "b", "/", ".");
    const one = fc.constantFrom("a", "b", "/", "*", "**", "\\*");
    fc.assert(
      fc.property(fc.array(one, { maxLength: 7 }), fc.array(letter, { maxLength: 9 }), (parts, letters) => {
        const as: Record<string, string> = { "*": "[^/]*", "**": "[^]*", "\\*": "\\*" };
        const text = letters.join("");
        // Two stars side by side are one sign.
        const pattern = parts.join("").replace(/(?<!\\)\*{3,}/g, "**");
        const source = pattern.replace(/\\\*|\*\*|\*|\//g, (sign) => as[sign] ?? "\\/");
        expect(glob(pattern, text, "anywhere")).toBe(new RegExp(`^${source}$`).test(text));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ["an option", "--force"],
    ["an option", "-f"],
    ["an order", "+main"],
    ["an order", ":main"],
    ["a file of options", "@opts"],
    ["a file of options", "data=@x"],
    ["a file of options", "-Wl,@x"],
    ["an assignment", "CC=evil"],
    ["the root", "/etc/passwd"],
    ["a drive", "C:/Windows"],
    ["a way up", "../x"],
    ["a way up", "a/../../x"],
    ["nothing", ""],
    ["an operator", "a;b"],
    ["an operator", "a&b"],
    ["an operator", "a|b"],
    ["a redirection", "a>b"],
    ["a substitution", "a$(b)"],
    ["a variable", "a$b"],
    ["a backtick", "a`b`"],
    ["a newline", "a\nb"],
    ["a quote", "a'b"],
    ["an escape", "a\\b"],
    ["a fullwidth semicolon", "a；b"],
    ["a zero-width space", "a\u200bb"],
    ["a right-to-left override", "a\u202eb"],
    ["a no-break space", "a\u00a0b"],
    ["a percent sign", "%COMSPEC%"],
    ["too much", "a".repeat(5000)],
  ])("G10: in an allow rule a wildcard never stands for %s: %j", (_, text) => {
    for (const manner of ["word", "value"] as const)
      for (const wild of ["*", "**"]) expect(glob(wild, text, manner)).toBe(false);
  });
});

describe("an allow rule has to pin", () => {
  it.each<[string, Written]>([
    ["nothing", {}],
    ["a tool alone", { tool: "Bash" }],
    ["any tool", { tool: "*", program: "ls", cwd }],
    ["fields without a tool", { fields: { url: "https://example.com/" } }],
    ["no working directory", { program: "ls", argv: ["ls"] }],
    ["any working directory", { program: "ls", argv: ["ls"], cwd: "**" }],
    ["some working directories", { program: "ls", argv: ["ls"], cwd: "/srv/*" }],
    ["a relative working directory", { program: "ls", argv: ["ls"], cwd: "app" }],
    ["a way up", { program: "ls", argv: ["ls"], cwd: "/srv/../etc" }],
    ["any program", { program: "*", cwd }],
    ["some programs", { argv: ["git*", "status"], cwd }],
    ["no program", { argv: ["..."], cwd }],
    ["another program than argv's", { program: "git", argv: ["ls"], cwd }],
    ["command and argv", { command: "git status", argv: ["git", "status"], cwd }],
    ["a command with an operator", { command: "git status; rm", cwd }],
    ["a wrapper left open", { command: "sudo *", cwd }],
    ["a wrapper left open", { command: "sudo ...", cwd }],
    ["a wrapper alone", { program: "env", cwd }],
    ["an interpreter left open", { command: "sh -c *", cwd }],
    ["an interpreter left open", { command: "python3.12 *", cwd }],
    ["an interpreter by its path, left open", { command: "/usr/bin/bash *", cwd }],
    ["xargs left open", { command: "xargs *", cwd }],
    ["find -exec left open", { command: "find . -exec *", cwd }],
    ["git -c left open", { command: "git -c * status", cwd }],
    ["git with an upload pack left open", { command: "git fetch '--upload-pack=x' *", cwd }],
    ["an assignment left open", { command: "A=b make *", cwd }],
    ["a wrapper further in", { command: "nice sudo *", cwd }],
  ])("G10: %s is refused", (_, written) => expect(refusal(written)).not.toBe(""));

  it("G10: the refusal says what to do", () => {
    expect(refusal({ program: "ls" })).toContain("cwd");
    expect(refusal({ command: "sudo *", cwd })).toContain("write every word out");
    expect(refusal({ program: "git", argv: ["ls"] }, "deny")).toContain("must be the same");
  });

  it("G10: its form is kept as it is, and says all that it pins", () => {
    expect(canonical({ command: "git push origin *", cwd: "/srv/app/" }, "allow")).toEqual({
      tool: "shell",
      program: "git",
      argv: ["git", "push", "origin", "*"],
      cwd: "/srv/app",
    });
    expect(canonical({ tool: "Bash", program: "ls", cwd }, "allow")).toEqual({
      tool: "Bash",
      program: "ls",
      argv: ["ls", "..."],
      cwd,
    });
    expect(canonical({ program: "ls" }, "deny")).toEqual({ program: "ls", argv: ["ls", "..."] });
    expect(canonical({ fields: {} }, "raise")).toEqual({});
  });

  it("G10: a pattern in its own form is in that form again", () => {
    const word = fc.constantFrom("git", "*", "a*", "src/**", "\\*", "...", "-f", "", "a b", "sudo", "\\...");
    const written = fc.record(
      {
        tool: fc.constantFrom("Bash", "shell", "E*"),
        argv: fc.array(word, { minLength: 1, maxLength: 4 }),
        cwd: fc.constantFrom("/", "/srv/", "/srv", "x/", "C:\\\\x\\\\"),
        fields: fc.dictionary(fc.constantFrom("a", "a.b"), json),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(written, fc.constantFrom<Effect>("allow", "deny", "raise"), (one, effect) => {
        let first: Written;
        try {
          first = canonical(one, effect);
        } catch (error) {
          if (error instanceof Refusal) return;
          throw error;
        }
        expect(canonical(JSON.parse(JSON.stringify(first)) as Written, effect)).toEqual(first);
      }),
    );
  });
});

describe("allow", () => {
  it.each<[string, Written, unknown]>([
    ["a command", { command: "npm test", cwd }, run("npm test")],
    ["quotes or none", { command: "npm test", cwd }, run(`npm "test"`)],
    ["a list of words", { command: "npm test", cwd }, run(["npm", "test"])],
    ["a slash at the end", { command: "npm test", cwd: "/srv/app/" }, { command: "npm test", cwd: "/srv/app//" }],
    ["one argument", { command: "git add *", cwd }, run("git add readme.md")],
    ["one path", { command: "git add src/**", cwd }, run("git add src/a/b.ts")],
    ["many arguments", { command: "git add ...", cwd }, run("git add a b/c d")],
    ["no more arguments", { command: "git add ...", cwd }, run("git add")],
    [
      "an option that is named",
      { command: "git push --force-with-lease *", cwd },
      run("git push --force-with-lease origin"),
    ],
    ["an option that is begun", { command: "npm test '--grep='*", cwd }, run("npm test --grep=x")],
    ["a quoted star", { command: "ls '*.ts'", cwd }, run("ls '*.ts'")],
    ["quoted operators, word for word", { argv: ["echo", "a; b"], cwd }, run("echo 'a; b'")],
    ["a wrapper, word for word", { command: "sudo systemctl restart app", cwd }, run("sudo systemctl restart app")],
    ["an interpreter, word for word", { argv: ["sh", "-c", "a; b"], cwd }, run("sh -c 'a; b'")],
    ["an assignment, word for word", { command: "NODE_ENV=test npm test", cwd }, run("NODE_ENV=test npm test")],
    [
      "a client's tool",
      { tool: "Bash", command: "npm test", cwd },
      { tool: "Bash", input: { command: "npm test", description: "Run tests", timeout: 5000 }, cwd },
    ],
    [
      "a hook's tool",
      { tool: "Bash", command: "npm test", cwd },
      { tool_name: "Bash", tool_input: { command: "npm test" }, cwd },
    ],
    [
      "a field with a glob",
      {
        tool: "Edit",
        cwd,
        fields: { "input.file_path": "/srv/app/src/**", "input.new_string": "**", "input.old_string": "**" },
      },
      { tool: "Edit", cwd, input: { file_path: "/srv/app/src/a/b.ts", old_string: "a;\nb", new_string: "$(x) ../" } },
    ],
    [
      "other values exactly",
      { tool: "Fetch", fields: { url: "https://example.com/*", options: { b: [1, null], a: true }, deep: false } },
      { tool: "Fetch", url: "https://example.com/x", options: { a: true, b: [1, null] }, deep: false },
    ],
    ["any value", { tool: "Fetch", fields: { input: "**" } }, { tool: "Fetch", input: { a: [1], b: {} } }],
    ["a key with a dot", { tool: "T", fields: { "a\\.b": "x" } }, { tool: "T", "a.b": "x" }],
    [
      "input that is handed on, where it is named",
      { command: "npm test", cwd, fields: { stdin: true } },
      { command: ["npm", "test"], cwd, stdin: true },
    ],
  ])("G10: %s", (_, written, action) => expect(allows(written, action)).toBe(true));

  it.each<[string, Written, unknown]>([
    ["another command", { command: "npm test", cwd }, run("npm run")],
    ["more words", { command: "npm test", cwd }, run("npm test x")],
    ["fewer words", { command: "npm test x", cwd }, run("npm test")],
    ["two words for one star", { command: "git add *", cwd }, run("git add a b")],
    ["two words for two stars", { command: "git add **", cwd }, run("git add a b")],
    ["quoted words in one, when not quoted in the pattern", { command: "git add a b", cwd }, run("git add 'a b'")],
    ["a deeper path for one star", { command: "git add src/*", cwd }, run("git add src/a/b")],
    ["an option for a star", { command: "git push *", cwd }, run("git push --force")],
    ["an option among the rest", { command: "git push ...", cwd }, run("git push origin --force")],
    ["a force push", { command: "git push origin *", cwd }, run("git push origin +main")],
    ["a deletion", { command: "git push origin *", cwd }, run("git push origin :main")],
    ["an assignment for a star", { command: "cmake *", cwd }, run("cmake SHELL=./evil")],
    ["a path from the root", { command: "cat ...", cwd }, run("cat /etc/shadow")],
    ["a way up", { command: "cat src/**", cwd }, run("cat src/../../../etc/shadow")],
    ["a quoted operator for a star", { command: "git commit -m *", cwd }, run("git commit -m 'a; b'")],
    ["an operator in a list of words", { command: "git add ...", cwd }, run(["git", "add", ";", "rm"])],
    ["a wrapper among the rest", { command: "npm ...", cwd }, run("npm exec sh")],
    ["a wrapped command", { command: "npm test", cwd }, run("sudo npm test")],
    ["an assignment in front", { command: "npm test", cwd }, run("PATH=. npm test")],
    ["another path to the program", { command: "npm test", cwd }, run("./npm test")],
    ["another case", { command: "npm test", cwd }, run("NPM test")],
    ["a look-alike", { command: "npm test", cwd }, run("nрm test")],
    ["a fullwidth look-alike", { command: "npm test", cwd }, run("ｎｐｍ test")],
    ["another directory", { command: "npm test", cwd }, { command: "npm test", cwd: "/srv" }],
    ["a directory within", { command: "npm test", cwd }, { command: "npm test", cwd: "/srv/app/x" }],
    ["a way to the directory", { command: "npm test", cwd }, { command: "npm test", cwd: "/srv/x/../app" }],
    ["no directory", { command: "npm test", cwd }, { command: "npm test" }],
    ["two directories", { command: "npm test", cwd }, { command: "npm test", cwd, workdir: "/etc" }],
    ["two commands", { command: "npm test", cwd }, { command: "npm test", cmd: "rm x", cwd }],
    ["another tool", { command: "npm test", cwd }, { tool: "Bash", command: "npm test", cwd }],
    [
      "two tools",
      { tool: "Bash", command: "npm test", cwd },
      { tool: "Bash", tool_name: "X", command: "npm test", cwd },
    ],
    ["an environment", { command: "npm test", cwd }, { command: "npm test", cwd, env: { PATH: "." } }],
    ["input from elsewhere", { command: "npm test", cwd }, { command: "npm test", cwd, stdin: "x" }],
    ["input that is handed on", { command: "npm test", cwd }, { command: ["npm", "test"], cwd, stdin: true }],
    ["arguments beside the command", { command: "npm test", cwd }, { command: "npm test", cwd, args: ["x"] }],
    ["no sandbox", { command: "npm test", cwd }, { command: "npm test", cwd, dangerouslyDisableSandbox: true }],
    ["words in the place of time", { command: "npm test", cwd }, { command: "npm test", cwd, timeout: "; rm" }],
    ["a command of no words", { command: "npm test", cwd }, { command: [], cwd }],
    ["a command that is no text", { command: "npm test", cwd }, { command: { is: "npm test" }, cwd }],
    ["a text alone", { command: "npm test", cwd }, "npm test"],
    ["null", { command: "npm test", cwd }, null],
    ["an empty key around it", { command: "npm test", cwd }, { "": run("npm test") }],
    ["a field that is not named", { tool: "T", fields: { a: "**" } }, { tool: "T", a: 1, b: 2 }],
    ["a field that is not there", { tool: "T", fields: { a: "**", b: "**" } }, { tool: "T", a: 1 }],
    ["a number for a text", { tool: "T", fields: { a: "1" } }, { tool: "T", a: 1 }],
    ["a text for a number", { tool: "T", fields: { a: 1 } }, { tool: "T", a: "1" }],
    ["more in an object", { tool: "T", fields: { a: { b: 1 } } }, { tool: "T", a: { b: 1, c: 2 } }],
    ["a key with a dot for a path", { tool: "T", fields: { "a.b": "x" } }, { tool: "T", "a.b": "x" }],
    [
      "a key with a dot beside the path",
      { tool: "T", fields: { "a.b": "x" } },
      { tool: "T", a: { b: "x" }, "a.b": "y" },
    ],
    ["a path of the language", { tool: "T", fields: { "a.constructor": "**" } }, { tool: "T", a: {} }],
    ["a way up in a field", { tool: "T", fields: { p: "/srv/**" } }, { tool: "T", p: "/srv/../etc/shadow" }],
    ["a command, by its field alone", { tool: "shell", fields: { command: "**" } }, run("npm test")],
    ["a command, by the whole of it", { tool: "shell", fields: { "": "**" } }, run("npm test; rm x")],
  ])("G10: never %s", (_, written, action) => expect(allows(written, action)).toBe(false));

  const word = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom("git", "push", "main", "a b", "src/a.ts", "ü", "readme.md") },
    { weight: 2, arbitrary: fc.constantFrom("-f", "--x=y", "it's", "..", "*", "", "sudo", "x=1", "/etc", "+main") },
    fc.string({ maxLength: 6 }),
    fc.string({ unit: "grapheme", maxLength: 4 }),
  );
  const hole = fc.constantFrom("*", "**", "*a*", "src/**", "\\*");
  const operators = [
    ";",
    "&",
    "&&",
    "||",
    "|",
    ">",
    ">>",
    "<",
    "$(",
    "`",
    "\n",
    "\r\n",
    "$\u007bx}",
    "(",
    ")",
    "#",
    "!",
    "\\",
  ];

  it("G10: whatever it leaves open, it never matches a command with an operator outside of quotes", () => {
    const quote = (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`;
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 5 }),
        fc.array(fc.oneof(hole, fc.constant("...")), { maxLength: 5 }),
        fc.constantFrom(...operators),
        fc.nat(),
        fc.boolean(),
        (words, holes, operator, where, spaced) => {
          const parts = words.map(quote);
          const at = where % (parts.length + 1);
          const line = spaced
            ? [...parts.slice(0, at), operator, ...parts.slice(at)].join(" ")
            : `${parts.slice(0, at).join(" ")}${operator}${parts.slice(at).join(" ")}`;
          for (const argv of [
            ["git", ...holes],
            [words[0] ?? "", ...holes],
            [words[0] ?? "", "..."],
            words.map(asIs),
          ]) {
            let pattern: Pattern;
            try {
              pattern = canonical({ tool: "shell", argv, cwd, fields: { note: "**" } }, "allow");
            } catch {
              continue;
            }
            expect(matches(pattern, read({ command: line, cwd, note: "x" }), "allow")).toBe(false);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("G10: nor one with a substitution inside of double quotes", () => {
    const inside = fc.constantFrom("$(x)", "$x", "$\u007bx}", "`x`", "$((1))", "!x", "\\n");
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("push", "a b", ""), { maxLength: 4 }),
        inside,
        fc.nat(),
        (words, held, where) => {
          const at = where % (words.length + 1);
          const line = ["git", ...words.map((one) => `"${one}"`)];
          line.splice(at + 1, 0, `"a${held}b"`);
          const holes = line.slice(1).map(() => "**");
          for (const argv of [
            ["git", "..."],
            ["git", ...holes],
          ])
            expect(allows({ argv, cwd }, run(line.join(" ")))).toBe(false);
        },
      ),
    );
  });

  it("G10: a star never spans arguments: as many words as the pattern has, or at least so many before its ...", () => {
    fc.assert(
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.array(hole, { maxLength: 5 }),
        fc.boolean(),
        (argv, holes, open) => {
          const program = argv[0] ?? "";
          let pattern: Pattern;
          try {
            pattern = canonical({ argv: [asIs(program), ...holes, ...(open ? ["..."] : [])], cwd }, "allow");
          } catch {
            return;
          }
          if (!matches(pattern, read({ command: argv, cwd }), "allow")) return;
          if (open) expect(argv.length).toBeGreaterThan(holes.length);
          else expect(argv.length).toBe(holes.length + 1);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("deny and raise", () => {
  it.each<[string, Written, unknown]>([
    ["anything", {}, { x: 1 }],
    ["a program, whatever its arguments", { program: "rm" }, run("rm -rf /")],
    ["a program by its path", { program: "rm" }, run("/bin/rm -rf /")],
    ["a program behind an operator", { command: "git push ..." }, run("cd x && git push --force")],
    ["a program in a substitution", { command: "git push ..." }, run('echo "$(git push)"')],
    ["a program behind a wrapper", { command: "git push ..." }, run("sudo -u me git push")],
    ["a program in a shell's argument", { program: "rm" }, run(["bash", "-lc", "cd x && rm -rf y"])],
    ["some tools", { tool: "mcp__*" }, { tool: "mcp__mail__send", input: {} }],
    ["a directory and below", { cwd: "/etc**" }, { command: "ls", cwd: "/etc/ssh" }],
    [
      "a field",
      { fields: { "input.file_path": "**/.env" } },
      { tool: "Write", input: { file_path: "/srv/.env", content: "x" } },
    ],
    ["one of two commands", { program: "rm" }, { command: "ls", cmd: "rm x" }],
    ["a text alone", { program: "rm" }, "ls; rm x"],
  ])("G10: deny finds %s", (_, written, action) => expect(denies(written, action)).toBe(true));

  it.each<[string, Written, unknown]>([
    ["another program", { program: "rm" }, run("ls rm")],
    ["what is only said", { command: "git push ..." }, run("git commit -m 'git push'")],
    ["a field that is not there", { fields: { x: "**" } }, { y: 1 }],
    ["a command where there is none", { program: "rm" }, { tool: "Edit" }],
  ])("G10: deny does not find %s", (_, written, action) => expect(denies(written, action)).toBe(false));

  it("G10: what is too much to be read is raised, and neither denied nor allowed", () => {
    const action = run(`git push ${"$(".repeat(3000)}`);
    expect(does("raise", { program: "rm" }, action)).toBe(true);
    expect(denies({ program: "git" }, action)).toBe(false);
    expect(allows({ program: "git", cwd }, action)).toBe(false);
  });
});

describe("propose", () => {
  const asked = (action: unknown, more = {}) => ({
    kind: "approval" as const,
    room: "main",
    asked_by: "ada",
    action: { is: action },
    risk: "medium" as const,
    options: [],
    ...more,
  });

  it.each<[string, unknown, Written]>([
    [
      "a command word for word",
      run("git push origin main"),
      { tool: "shell", program: "git", argv: ["git", "push", "origin", "main"], cwd },
    ],
    [
      "a message left open",
      run(`git commit -m "Mend the lock"`),
      { tool: "shell", program: "git", argv: ["git", "commit", "-m", "**"], cwd },
    ],
    [
      "a wrapper's message not left open",
      run(["sh", "-c", "npm test"]),
      { tool: "shell", program: "sh", argv: ["sh", "-c", "npm test"], cwd },
    ],
    ["a star as it is", run("ls '*.ts'"), { tool: "shell", program: "ls", argv: ["ls", "\\*.ts"], cwd }],
    [
      "a file, with any words in it",
      { tool: "Edit", input: { file_path: "/srv/a.ts", old_string: "a", new_string: "b", replace_all: false }, cwd },
      {
        tool: "Edit",
        cwd,
        fields: {
          "input.file_path": "/srv/a.ts",
          "input.old_string": "**",
          "input.new_string": "**",
          "input.replace_all": false,
        },
      },
    ],
    [
      "a query word for word",
      { tool: "query", input: { sql: "select * from x" } },
      { tool: "query", fields: { "input.sql": "select \\* from x" } },
    ],
  ])("G10: %s", (_, action, pattern) => expect(propose(asked(action), "allow")).toEqual({ pattern }));

  it.each<[string, unknown, object?]>([
    ["an operator", run("a && b")],
    ["no working directory", { command: "npm test" }],
    ["no tool", { url: "https://example.com" }],
    ["two tools", { tool: "a", tool_name: "b", x: 1 }],
    ["critical", run("npm test"), { risk: "critical" }],
    ["choices", run("npm test"), { options: ["a"] }],
    ["no action", undefined, { action: {} }],
    ["too long", { tool: "T", x: "a".repeat(30_000) }],
  ])("G10: none for %s", (_, action, more) => {
    expect(propose(asked(action, more), "allow")).toEqual({ why_not: expect.stringMatching(/\w/) });
  });

  it("G10: always deny this knows a line with operators again by its text", () => {
    const proposed = propose(asked(run("a && b")), "deny");
    expect(proposed).toEqual({ pattern: { tool: "shell", cwd, fields: { command: "a && b" } } });
  });

  it("G10: what is proposed matches what was asked, and is kept as it is", () => {
    const value = fc.oneof(
      fc.string({ maxLength: 12 }),
      fc.constantFrom("npm test", "git commit -m 'a b'", "rm *"),
      json,
    );
    const keys = fc.constantFrom("tool", "tool_name", "command", "cwd", "input", "content", "path", "x.y", "x", "");
    const action = fc.dictionary(keys, fc.oneof(value, fc.dictionary(keys, value)));
    fc.assert(
      fc.property(fc.oneof(action, value), fc.constantFrom<"allow" | "deny">("allow", "deny"), (is, effect) => {
        const proposed = propose(asked(is), effect);
        if ("why_not" in proposed) return;
        const pattern = canonical(JSON.parse(JSON.stringify(proposed.pattern)) as Written, effect);
        expect(pattern).toEqual(proposed.pattern);
        expect(matches(pattern, read(is), effect)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});
