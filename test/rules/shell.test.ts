import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runsAnother } from "../../src/rules/runners.ts";
import { argvOf, argvPatternOf, commandsIn } from "../../src/rules/shell.ts";

describe("argvOf", () => {
  const plain: Array<[string, string[]]> = [
    ["git status", ["git", "status"]],
    ["  git   status  ", ["git", "status"]],
    ["npm run test:unit -- --watch=false", ["npm", "run", "test:unit", "--", "--watch=false"]],
    [`git commit -m "two words"`, ["git", "commit", "-m", "two words"]],
    [`git commit -m 'a; b && $(c)'`, ["git", "commit", "-m", "a; b && $(c)"]],
    [`echo "it's"`, ["echo", "it's"]],
    [`echo ''`, ["echo", ""]],
    [`a'b'"c"d`, ["abcd"]],
    [`"git" status`, ["git", "status"]],
    ["npm i @types/node@20 a+b", ["npm", "i", "@types/node@20", "a+b"]],
    ["FOO=bar make", ["FOO=bar", "make"]],
    ["grüße straße", ["grüße", "straße"]],
    [`echo '#no comment'`, ["echo", "#no comment"]],
    ["ls 100%", ["ls", "100%"]],
  ];
  it.each(plain)("G10: %s is one plain command", (line, argv) => expect(argvOf(line)).toEqual(argv));

  const hostile = [
    "",
    " ",
    "git status; rm -rf /",
    "git status;rm",
    "git status && rm x",
    "git status || rm x",
    "git status & rm x",
    "git status &",
    "git status | sh",
    "git status |& sh",
    "git status > /etc/passwd",
    "git status >> x",
    "git status < x",
    "git status <<EOF",
    "git status <<< x",
    "git status 2>&1",
    "git status &> x",
    "git status $(rm x)",
    "git status `rm x`",
    'git status "$(rm x)"',
    'git status "`rm x`"',
    "git status $HOME",
    'git status "$HOME"',
    'git status "$\u007bIFS}"',
    "git status $\u007bIFS}x",
    "git status $((1+1))",
    "git status $'a\\nb'",
    'git status $"x"',
    "git status <(rm x)",
    "git status >(rm x)",
    "git status\nrm x",
    "git status\r\nrm x",
    "git status\rrm x",
    "git status 'a\nb'",
    'git status "a\nb"',
    "git status\\\nrm x",
    "git status \\; rm",
    "git st\\atus",
    'git "st\\"atus"',
    "git status # ok",
    "git status #",
    "git status *",
    "git status ?",
    "git status [ab]",
    "git status {a,b}",
    "git status ~",
    "git status ~root/x",
    "git status !!",
    'git status "!!"',
    "! git status",
    "(git status)",
    "{ git status; }",
    "git status 'unterminated",
    'git status "unterminated',
    "git status\trm",
    "git status\u00a0rm",
    "git status\u2028rm",
    "git status\u2029rm",
    "git status\u0085rm",
    "git status\u3000rm",
    "git status\u200b",
    "git status\u202e",
    "git status\ufeff",
    "git status\u0000",
    "git status \u0007",
    "git status \ud800",
    "git status \uff1b rm",
    "git status ; rm",
    "git status \u037e rm",
    "git status \u2016 rm",
    "git status \u201crm\u201d",
    "git status ^x",
    "a=(1 2)",
    "f() { rm; }",
    "[[ a ]]",
    "git status =(rm)",
  ];
  it.each(hostile)("G10: %j is no plain command", (line) => expect(argvOf(line)).toBeNull());

  it("G10: what is too long to be told is no plain command", () => {
    expect(argvOf(`echo ${"a".repeat(10_000)}`)).toBeNull();
  });

  const characters = [..."ab1 -_./:@%+=,'\"\\$`;&|<>(){}[]*?!#~^\n\t=é中\u00a0；"];
  const anyLine = fc.array(fc.constantFrom(...characters), { maxLength: 24 }).map((drawn) => drawn.join(""));

  it("G10: what is read as a plain command, the shell reads as the same words", () => {
    const found: Array<{ line: string; argv: string[] }> = [];
    const safe = [..."abé中1 -_./:@%+=,''\"\""];
    const likely = fc.array(fc.constantFrom(...safe), { maxLength: 24 }).map((drawn) => drawn.join(""));
    for (const line of fc.sample(fc.oneof(likely, anyLine), { numRuns: 6000, seed: 7 })) {
      const argv = argvOf(line);
      if (argv) found.push({ line, argv });
    }
    expect(found.length).toBeGreaterThan(1000);
    const script = `p() { printf '%s\\0' "$#" "$@"; }\n${found.map(({ line }) => `p ${line}`).join("\n")}\n`;
    for (const shell of ["/bin/sh", "/bin/bash"].filter(existsSync)) {
      const ran = spawnSync(shell, { input: script, encoding: "utf8", env: { PATH: "", LC_ALL: "C.UTF-8" } });
      expect(ran.stderr).toBe("");
      const said = found.flatMap(({ argv }) => [String(argv.length), ...argv]);
      expect(ran.stdout.split("\0").slice(0, -1)).toEqual(said);
    }
  });

  it("G10: what is read as a plain command, a whole parser reads as the same one", () => {
    fc.assert(
      fc.property(anyLine, (line) => {
        const argv = argvOf(line);
        // A leading assignment is no command to the parser, and keywords have their own rules.
        if (!argv || runsAnother(argv)) return;
        expect(commandsIn(line)).toEqual([argv]);
      }),
      { numRuns: 2000 },
    );
  });

  it("G10: an operator spliced in outside of quotes always ends it", () => {
    const word = fc.constantFrom("git", "push", "a b", "-f", "src/x.ts", "x=y", "ü", "it's", 'say "hi"');
    const quote = (text: string) => (text.includes("'") ? `"${text}"` : `'${text}'`);
    const operator = fc.constantFrom(
      ..."; & | && || < > >> << $( ` \n $x $\u007bx} ( ) { } * ? [ ~ # ! \\ \t 2>&1".split(" "),
      "\u00a0",
      "；",
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 5 }), operator, fc.nat(), (words, splice, where) => {
        const safe = words.filter((text) => !(text.includes("'") && text.includes('"'))).map(quote);
        const gaps = [...safe, ""];
        const at = where % gaps.length;
        const line = [...safe.slice(0, at), splice, ...safe.slice(at)].join(" ");
        expect(argvOf(line)).toBeNull();
        expect(argvOf(line.replaceAll(` ${splice} `, splice))).toBeNull();
      }),
    );
  });
});

describe("argvPatternOf", () => {
  it("G10: a bare star is a wildcard, a quoted one is itself", () => {
    expect(argvPatternOf("git add src/*.ts")).toEqual(["git", "add", "src/*.ts"]);
    expect(argvPatternOf("find . -name '*.ts'")).toEqual(["find", ".", "-name", "\\*.ts"]);
    expect(argvPatternOf("git push ...")).toEqual(["git", "push", "..."]);
    expect(argvPatternOf("go vet '...'")).toEqual(["go", "vet", "\\..."]);
    expect(argvPatternOf("go vet .'..'")).toEqual(["go", "vet", "\\..."]);
    expect(argvPatternOf("git push; rm *")).toBeNull();
    expect(argvPatternOf("git push $X")).toBeNull();
  });
});

describe("commandsIn", () => {
  const push = ["git", "push"];
  it.each([
    "git push",
    "cd x && git push",
    "a; git push; b",
    "a || git push",
    "git push &",
    "a | git push",
    "echo $(git push)",
    'echo "$(git push)"',
    "echo `git push`",
    "diff <(git push) x",
    "if a; then git push; fi",
    "while git push; do b; done",
    "for x in 1 2; do git push; done",
    "case x in x) git push;; esac",
    "f() { git push; }; f",
    "(git push)",
    "{ git push; }",
    "! git push",
    "time git push",
    "coproc git push",
    "x=$(git push)",
    "x=( $(git push) )",
    "$\u007bX:-$(git push)}",
    "cat <<E\n$(git push)\nE\n",
    "[[ -n $(git push) ]]",
    "A=1 git push",
    "git push > x",
    "git 'pu'sh",
    "g\\it push",
    "git \\\npush",
    "sudo git push",
    "sudo -u me env A=1 git push",
    "sh -c 'git push'",
    'bash -lc "cd x && git push"',
    "sudo sh -c 'nice git push'",
    "find . -exec git push",
    "# a\ngit push",
  ])("G10: %j has git push in it", (line) => expect(commandsIn(line)).toContainEqual(push));

  it.each([
    "echo git push",
    "echo 'git push'",
    "git commit -m 'git push'",
    "# git push",
    "git pull",
    "cat <<'E'\n$(git push)\nE\n",
  ])("G10: %j has no git push in it", (line) => expect(commandsIn(line)).not.toContainEqual(push));

  it("G10: never throws, whatever it is given", () => {
    const characters = [..."ab '\"\\$`(){}[];&|<>\n\t#!*?~=-01"];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...characters), { maxLength: 60 }), (drawn) => {
        commandsIn(drawn.join(""));
      }),
      { numRuns: 2000 },
    );
  });

  it("G10: a line that is too much to be read is not read", () => {
    for (const deep of ["$(", '"$(', "`", "<(", "f() {"]) expect(commandsIn(deep.repeat(5000))).toBeNull();
    expect(commandsIn("a".repeat(50_001))).toBeNull();
    const wrap = (line: string) => `sh -c ${JSON.stringify(line)}`;
    expect(commandsIn(wrap(wrap(wrap("git push"))))).toContainEqual(push);
    expect(commandsIn(wrap(wrap(wrap(wrap("git push")))))).toBeNull();
  });
});
