import { expect, it } from "vitest";
import { exactJson } from "../../src/receipts/exact.ts";

const deep = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;

it("G7: what every program reads alike is read", () => {
  for (const text of [
    '{"amount":9007199254740992,"to":"x"}',
    "[0, -0, 0.0, 1.0, 1e2, 1.50E+3, 0.1, -2.5e-7, 1e21, 123456789012345680000, 5e-324]",
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '"\\ud83d\\ude00 { [ \\" ]"',
    deep(72),
    "null",
  ])
    expect(exactJson(text), text.slice(0, 60)).toEqual({ value: JSON.parse(text) });
});

it("G7: a key twice, a number that was rounded, half a character, deep nesting and no JSON are told", () => {
  for (const [text, wrong] of [
    ['{"command":"evil","command":"deploy"}', 'has the key "command" twice'],
    ['{"a":[{"x":1,"y":2,"x":1}]}', 'has the key "x" twice'],
    ['{"a":1,"\\u0061":1}', 'has the key "a" twice'],
    ['{"amount":9007199254740993}', "has a number that is not exactly representable: 9007199254740993"],
    ['{"amount":9007199254740992.9}', "has a number that is not exactly representable: 9007199254740992.9"],
    ['{"amount":1e400}', "has a number that is not exactly representable: 1e400"],
    ["[1e-400]", "has a number that is not exactly representable: 1e-400"],
    ["[0.10000000000000000001]", "has a number that is not exactly representable: 0.10000000000000000001"],
    ['{"a":"\\ud800"}', "has text that is not well-formed Unicode"],
    ['{"\\udc00":1}', "has text that is not well-formed Unicode"],
    [deep(73), "is nested more than 72 levels deep"],
    [deep(100_000), "is nested more than 72 levels deep"],
    ["", "is not JSON"],
    ['{"a":1,}', "is not JSON"],
    ["{'a':1}", "is not JSON"],
    ["// a\n{}", "is not JSON"],
    ["NaN", "is not JSON"],
  ])
    expect(exactJson(text as string), (text as string).slice(0, 60)).toEqual({ wrong });
});
