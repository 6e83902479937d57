import { describe, expect, it } from "vitest";
import { nameFor } from "../../src/members/rules.ts";
import { lookAlike, skeletonOf } from "../../src/members/skeleton.ts";
import { Refusal } from "../../src/refusal.ts";
import { eachStore } from "../setup/stores.ts";
import { stage } from "../stage.ts";

const refused = (kind: "agent" | "person", name: string) => {
  try {
    nameFor(kind, name);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return null;
};

describe("a name", () => {
  it.each(["a", "7", "ada", "Ada Lovelace", "build-bot_2.1", "Žofie", "李雷", "a".repeat(64), "𝒜".repeat(64)])(
    "G4: may be %s",
    (name) => {
      expect(refused("agent", name)).toBeNull();
      expect(refused("person", name)).toBeNull();
    },
  );

  it.each([
    "",
    " ",
    "ada ",
    " ada",
    ".ada",
    "ada.",
    "-a",
    "a_",
    "a/b",
    "a:b",
    "a@b",
    "a\tb",
    "a\nb",
    "a\u200bb",
    "a\u202eb",
    "a\u0000b",
    "a\u00a0b",
    "zo\u034fe",
    "hum\u034fan",
    "z\u3164oe",
    "z\u115fe",
    "ad\ufe0fa",
    "ow\ufe0fner",
    "a\u180bb",
    "a\u17b4b",
    "a\u{e0100}b",
    "a\u1160b",
    "a\uffa0b",
    "a\u2800b",
    "zoe  x",
    "🦊",
    "<b>",
    "a".repeat(65),
    "_server",
  ])("G4: may not be %j", (name) => {
    expect(refused("agent", name)).toBe("BAD_INPUT");
    expect(refused("person", name)).toBe("BAD_INPUT");
  });

  it("G4: of an agent is none of those that could be taken for a person, however written", () => {
    const reserved =
      "owner human person user admin administrator root system parley everyone all nobody you me approver operator server".split(
        " ",
      );
    for (const name of reserved)
      for (const written of [name, name.toUpperCase(), `${name[0]?.toUpperCase()}${name.slice(1)}`]) {
        expect(refused("agent", written), written).toBe("BAD_INPUT");
        expect(refused("person", written), written).toBeNull();
      }
    for (const lookalike of ["ａｄｍｉｎ", "аdmin", "rооt", "a11", "𝐮𝐬𝐞𝐫", "ΥOU", "НUMAN", "Ηuman", "Мe"])
      expect(refused("agent", lookalike), lookalike).toBe("BAD_INPUT");
    for (const free of [
      "owners",
      "root cause",
      "users",
      "alle",
      "Everest",
      "Mea",
      "younes",
      "server-monitor",
      "observer",
    ])
      expect(refused("agent", free), free).toBeNull();
  });

  it.each(
    "HumanOverseer humanoverseer human-1 admin2 the_owner Real-Person rootuser you.2 all-user TheAdministrator".split(
      " ",
    ),
  )("G4: of an agent is not %s, which is made of such a name", (name) => {
    expect(refused("agent", name)).toBe("BAD_INPUT");
    expect(refused("person", name)).toBeNull();
  });

  it.each([
    "build server bot",
    "user-service",
    "system-tests",
    "admin panel",
    "team-lead",
    "human resources",
    "all-tests",
  ])("G4: of an agent may be %s, which says what else it is", (name) => {
    expect(refused("agent", name)).toBeNull();
  });

  it.each([
    ["ada", "ADA"],
    ["ada", "ａｄａ"],
    ["paypal", "раураl"],
    ["admin1", "adminl"],
    ["bob0", "bobO"],
    ["max", "rnax"],
    ["straße", "STRASSE"],
    ["café", "cafe\u0301"],
    ["ﬁn", "fin"],
    ["Σίσυφος", "ΣΊΣΥΦΟΣ"],
  ])("G4: %s and %s look alike", (a, b) => {
    expect(skeletonOf(a)).toBe(skeletonOf(b));
  });

  it.each([
    ["Bob", "Вob"],
    ["bob", "Вob"],
    ["Tom", "Тom"],
    ["Hugo", "Ηugo"],
    ["Hugo", "Нugo"],
    ["Yann", "Υann"],
    ["Вера", "вера"],
  ])("G4: %s and %s look alike, one of them by a capital of another script", (a, b) => {
    expect(lookAlike(a, b)).toBe(true);
    expect(lookAlike(b, a)).toBe(true);
  });

  it.each([
    ["ada", "ads"],
    ["bob", "bobby"],
    ["agent-1", "agent-2"],
    ["cafe", "café"],
  ])("G4: %s and %s do not look alike", (a, b) => {
    expect(skeletonOf(a)).not.toBe(skeletonOf(b));
    expect(lookAlike(a, b)).toBe(false);
  });
});

eachStore(({ make }) => {
  it("G4: a name that looks like another is refused, also when that one has gone", async () => {
    const p = await stage(make);
    await p.guest("paul");
    for (const name of ["paul", "PAUL", "раul", "pau1", "Рaul"])
      expect(await p.operator.refused("add_member", { name }), name).toMatchObject({
        code: "CONFLICT",
        status: 409,
        facts: { member: "paul" },
      });
    await p.operator.does("remove_member", { member: "paul" });
    expect((await p.operator.refused("add_member", { name: "Paul" })).code).toBe("CONFLICT");
    expect((await p.operator.refused("issue_token", { member: "paul" })).code).toBe("NOT_FOUND");
  });

  it("G4: of many that ask for one name at once exactly one gets it", async () => {
    const p = await stage(make);
    await p.operator.does("create_room", { room: "lab" });
    const names = ["ada", "Ada", "ADA", "аda"];
    const made = await Promise.allSettled(
      names.map((name, n) => p.operator.does("add_member", { name, room: n % 2 ? "lab" : "main" })),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of made) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "CONFLICT" });
  });
});
