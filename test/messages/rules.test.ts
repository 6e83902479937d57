import { describe, expect, it } from "vitest";
import { maySee, mentionsIn, recipients } from "../../src/messages/rules.ts";
import { Refusal } from "../../src/refusal.ts";

const members = ["ada", "Ada Lovelace", "bob", "c-3po", "zoë", "r2.d2"];
const mentions = (text: string) => mentionsIn(text, members);

describe("mentions", () => {
  it("C1: names are found wherever a word begins, longest first, whatever their case, each once", () => {
    expect(mentions("@ada, look; (@BOB) and @ada again.")).toEqual(["ada", "bob"]);
    expect(mentions("@Ada Lovelace and @ada loves it")).toEqual(["Ada Lovelace", "ada"]);
    expect(mentions("@c-3po. @r2.d2! @zoë: hi")).toEqual(["c-3po", "r2.d2", "zoë"]);
    expect(mentions("*@bob*\n@ada")).toEqual(["bob", "ada"]);
  });

  it("C1: what only begins like a name is none, nor is an @ inside a word", () => {
    for (const text of ["@adam", "@ada-2", "@ada_x", "@ada.b"]) expect(() => mentions(text)).toThrow(/There is no ada/);
    for (const text of ["mail bob@ada.org", "a@bob", "@@ada", "@ ada", "see x/@bob", "@", "@!"])
      expect(mentions(text)).toEqual([]);
  });

  it("C1: code is left alone, fenced or inline, and only code", () => {
    expect(mentions("use `@Override` and ``a ` @b``, @bob")).toEqual(["bob"]);
    expect(mentions("```ts\n@decorated()\n```\n@bob")).toEqual(["bob"]);
    expect(mentions("````\n```\n@x\n```\n````\n@bob")).toEqual(["bob"]);
    expect(mentions("~~~\n@x\n~~~")).toEqual([]);
    expect(mentions("```\n@never closed")).toEqual([]);
    expect(() => mentions("a lone ` and @nobody")).toThrow(Refusal);
    expect(() => mentions("`a` @nobody `b`")).toThrow(Refusal);
  });

  it("C1: a name of nobody is refused with the members", () => {
    try {
      mentions("ask @carol about it");
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ code: "INVALID_TARGET", facts: { unknown: "carol", members } });
    }
  });
});

describe("who gets it", () => {
  const message = { sender: "ada", addressee: null, task_id: null, mentions: [] };
  const about = { members: ["ada", "bob", "rita"], concerned: ["bob", null, "gone", undefined, "ada"] };
  it("C1: the room, those whom a task concerns and who are mentioned, or one; never the sender", () => {
    expect(recipients(message, about)).toEqual(["bob", "rita"]);
    expect(recipients({ ...message, task_id: 1 }, about)).toEqual(["bob"]);
    expect(recipients({ ...message, task_id: 1, mentions: ["rita"] }, about)).toEqual(["bob", "rita"]);
    expect(recipients({ ...message, addressee: "bob", task_id: 1, mentions: ["rita"] }, about)).toEqual(["bob"]);
  });
  it("C1: a direct message is seen by its two ends alone", () => {
    const direct = { sender: "ada", addressee: "bob" };
    expect(["ada", "bob", "rita", null].map((viewer) => maySee(direct, viewer))).toEqual([true, true, false, false]);
    expect(maySee({ sender: "ada", addressee: null }, null)).toBe(true);
  });
});
