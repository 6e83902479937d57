import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { digestOf } from "../../src/gates/digest.ts";
import { inMemory } from "../setup/stores.ts";
import { ask, gateOf, stage } from "../stage.ts";

const sha256 = (text: string) => `sha256:${createHash("sha256").update(Buffer.from(text, "utf8")).digest("hex")}`;

/** RFC 8785 written down once more, from its text. */
function canonical(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return Object.is(value, -0) ? "0" : String(value);
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value as Record<string, unknown>).sort(([a], [b]) => byCodeUnits(a, b));
  return `{${members.map(([name, inner]) => `${quoted(name)}:${canonical(inner)}`).join(",")}}`;
}

function byCodeUnits(a: string, b: string): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++)
    if (a.charCodeAt(i) !== b.charCodeAt(i)) return a.charCodeAt(i) - b.charCodeAt(i);
  return a.length - b.length;
}

const short: Record<number, string> = { 8: "\\b", 9: "\\t", 10: "\\n", 12: "\\f", 13: "\\r", 34: '\\"', 92: "\\\\" };

function quoted(text: string): string {
  let out = '"';
  for (const unit of text) {
    const code = unit.codePointAt(0) ?? 0;
    out += short[code] ?? (code < 32 ? `\\u${code.toString(16).padStart(4, "0")}` : unit);
  }
  return `${out}"`;
}

describe("digest", () => {
  it("G7: is the one of RFC 8785's own example", () => {
    const example = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    const published = String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`;
    expect(canonical(example)).toBe(published);
    expect(digestOf(example)).toBe(sha256(canonical(example)));
  });

  it("G7: sorts members by UTF-16 code units, as in RFC 8785's section 3.2.3", () => {
    const sorting = JSON.parse(
      '{"\\u20ac":"Euro Sign","\\r":"Carriage Return","\\ufb33":"Hebrew Letter Dalet With Dagesh","1":"One",' +
        '"\\ud83d\\ude00":"Emoji: Grinning Face","\\u0080":"Control","\\u00f6":"Latin Small Letter O With Diaeresis"}',
    );
    const order = ["\r", "1", "\u0080", "ö", "€", "😀", "\ufb33"];
    expect(Object.keys(JSON.parse(canonical(sorting)))).toEqual(expect.arrayContaining(order));
    expect(digestOf(sorting)).toBe(
      sha256(`{${order.map((name) => `${quoted(name)}:${quoted(sorting[name])}`).join(",")}}`),
    );
  });

  it.each([
    ["0", 0],
    ["0", -0],
    ["5e-324", 5e-324],
    ["1.7976931348623157e+308", 1.7976931348623157e308],
    ["9007199254740992", 9007199254740992],
    ["295147905179352830000", 295147905179352830000],
    ["9.999999999999997e+22", 9.999999999999997e22],
    ["1e+23", 1e23],
    ["1e+21", 1e21],
    ["0.000001", 0.000001],
    ["1e-7", 1e-7],
    ["333333333.3333332", 333333333.3333332],
    ["-0.0000033333333333333333", -0.0000033333333333333333],
    ['"\\u000f"', "\u000f"],
    ['"\u007f\u2028"', "\u007f\u2028"],
    ["{}", {}],
    ["[]", []],
    ["null", null],
    ['{"":{"":[{}]}}', { "": { "": [{}] } }],
  ])("G7: is over the text %s", (text, value) => {
    expect(digestOf(value)).toBe(sha256(text));
  });

  // Published by the author of RFC 8785 (github.com/cyberphone/json-canonicalization, testdata).
  it.each([
    ["arrays", '[56,{"d":true,"10":null,"1":[ ]}]', '[56,{"1":[],"10":null,"d":true}]'],
    [
      "french",
      '{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}',
      '{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}',
    ],
    [
      "structures",
      '{"1": {"f": {"f": "hi","F": 5} ,"\\n": 56.0},"10": { },"": "empty","a": { },"111": [ { } ],"A": { }}',
      '{"":"empty","1":{"\\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{}],"A":{},"a":{}}',
    ],
    ["unicode", '{"Unnormalized Unicode":"A\\u030a"}', '{"Unnormalized Unicode":"A\u030a"}'],
    [
      "weird",
      '{"\\u20ac":"Euro Sign","1":"One","\\u0080":"Control\\u007f","\\ud83d\\ude02":"Smiley","\\u00f6":"Latin Small Letter O With Diaeresis","\\ufb33":"Hebrew Letter Dalet With Dagesh","</script>":"Browser Challenge"}',
      '{"1":"One","</script>":"Browser Challenge","\u0080":"Control\u007f","\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign","\ud83d\ude02":"Smiley","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    ],
  ])("G7: is over the published form of %s", (_name, input, output) => {
    expect(digestOf(JSON.parse(input))).toBe(sha256(output));
    expect(canonical(JSON.parse(input))).toBe(output);
  });

  it("G7: agrees with a second implementation on any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" }), (value) => {
        const json = JSON.parse(JSON.stringify(value));
        expect(digestOf(json)).toBe(sha256(canonical(json)));
      }),
      { numRuns: 300 },
    );
  });

  it("G7: the order of members and the spelling of numbers are the same action, anything else is another", () => {
    const one = digestOf(JSON.parse('{"a": 1.0, "b": [1e2, "\\u0061"]}'));
    expect(digestOf(JSON.parse('{"b":[100,"a"],"a":1}'))).toBe(one);
    for (const other of ['{"a":1,"b":["a",100]}', '{"a":"1","b":[100,"a"]}', '{"a":1,"b":[100,"a"],"c":null}'])
      expect(digestOf(JSON.parse(other))).not.toBe(one);
  });

  it("G7: a gate carries the digest of its action, and an edited one that of what was approved", async () => {
    const p = await stage(inMemory.make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const action = { tool: "Bash", input: { command: "echo \u00e9\u20ac😀", timeout: 1e3, list: [1.5, -0] } };
    const gate = await ask(ada, "request_approval", { title: "Echo", action });
    expect(gate.digest).toBe(sha256(canonical(action)));
    const edited_action = { ...action, input: { command: "true" } };
    const decided = await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", edited_action });
    expect(gateOf(decided).digest).toBe(sha256(canonical(edited_action)));
  });
});
