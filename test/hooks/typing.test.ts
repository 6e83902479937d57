// Which commands start a program that reads further commands.
import { describe, expect, it } from "vitest";
import { readsCommands } from "../../src/hooks/typing.ts";

const reads = (command: unknown) => readsCommands({ tool: "Bash", input: { command } });

describe("G9: a program that further commands are typed into", () => {
  it.each([
    ..."bash|sh -i|/bin/zsh|sudo -i bash|env A=1 bash|cd x && bash|python|python3|python3.12 -i|node|irb|ghci".split(
      "|",
    ),
    ..."psql|psql shop|psql -h db shop|sqlite3 app.db|mysql -u root shop|redis-cli|mongosh".split("|"),
    ..."ssh host|ssh -p 22 -i key host|ssh -t host bash|docker exec -it web bash|kubectl exec -it pod -- sh".split("|"),
    ..."nc host|sftp host|vim a.ts|less log|tmux|gdb ./a|bash -s|python -|nohup bash &|true; sh|bash -c bash".split(
      "|",
    ),
  ])("%s", (command) => {
    expect(reads(command)).toBe(true);
  });

  it.each([
    ..."bash build.sh|sh -c 'make test'|python3 run.py|python -m pytest|python3 -c 'print(1)'|node build.js".split("|"),
    ..."node -e '1'|psql -c 'select 1'|psql -f a.sql shop|sqlite3 app.db '.tables'|mysql -e 'show tables'".split("|"),
    ..."ssh host uptime|ssh -p 22 host ls -l|git push|npm test|ls|make|rg bash src|echo ssh host".split("|"),
  ])("not: %s", (command) => {
    expect(reads(command)).toBe(false);
  });

  it("not: a patch, which comes as the command of its own tool alone", () => {
    const input = { command: "*** Begin Patch\n*** Update File: a\n@@\n-a\n+$(bash)\n*** End Patch" };
    expect([readsCommands({ tool: "apply_patch", input }), readsCommands({ tool: "Bash", input })]).toEqual([
      false,
      true,
    ]);
  });

  it("as a list of words too; what is no command is none, and what cannot be read counts", () => {
    expect([reads(["bash"]), reads(["bash", "a.sh"]), reads(undefined), reads(7)]).toEqual([true, false, false, false]);
    expect(reads("$(".repeat(2000))).toBe(true);
  });
});
