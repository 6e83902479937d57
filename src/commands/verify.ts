// parley verify: whether a receipt is of an approval, still good, and of exactly this action.
import { readFileSync } from "node:fs";
import type { JSONWebKeySet } from "jose";
import { digestOf } from "../gates/digest.ts";
import { consume, doubt, isUsed } from "../gates/receipt.ts";
import { localOperator } from "../members/caller.ts";
import { exactJson } from "../receipts/exact.ts";
import { published } from "../receipts/keys.ts";
import { check, isReceipt, keySet } from "../receipts/receipt.ts";
import { Refusal } from "../refusal.ts";
import { out, tell } from "./print.ts";
import { withTable } from "./store.ts";

/** sysexits: 65 not good for this, 66 no key or file, 77 used before. */
export const exits = { bad: 65, noInput: 66, used: 77 } as const;

export interface VerifyOptions {
  action?: string;
  key?: string;
  consume?: boolean;
  printKey?: boolean;
}

const say = (text: string): void => tell(`parley: ${text}`);

/** It cannot go on: what to say, and with which code. */
class Unusable extends Error {
  readonly code: number;
  constructor(code: number, sentence: string) {
    super(sentence);
    this.code = code;
  }
}

/** The JSON in a file, or on standard input. */
function jsonIn(file: string, what: string): unknown {
  const name = file === "-" ? "standard input" : file;
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === "ENOENT" ? "is not there" : "cannot be read";
    throw new Unusable(exits.noInput, `${what}: ${name} ${why}.`);
  }
  return parsed(text, `${what}: ${name}`);
}

/** @param name what it is called in a sentence */
function parsed(text: string, name: string): unknown {
  const read = exactJson(text);
  if ("wrong" in read) throw new Unusable(exits.bad, `${name} ${read.wrong}.`);
  return read.value;
}

/**
 * @returns the exit code: 0 only for an approval, unexpired, of the action in the file where one is given, and, where the
 * store is at hand, one that its gate still stands for and that was not used up
 */
export async function verify(receipt: string | undefined, options: VerifyOptions, now: number): Promise<number> {
  try {
    return await verified(receipt, options, now);
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    say(error.message);
    return error.code;
  }
}

async function verified(receipt: string | undefined, options: VerifyOptions, now: number): Promise<number> {
  if (options.printKey) {
    out(JSON.stringify(await storeKeys(), null, 2));
    return 0;
  }
  if (receipt === undefined) throw new Refusal("BAD_INPUT", "Name the receipt: parley verify RECEIPT [--action FILE]");
  const keys = await keysFrom(options.key);
  if (keys === null) {
    say("there is no public key to check with; give one with --key (from /.well-known/parley-key.json).");
    return exits.noInput;
  }
  if (!isReceipt(receipt.trim())) throw new Unusable(exits.bad, "this is not a receipt.");
  const checked = await check(receipt.trim(), keys, now);
  if (!checked.good) throw notGood(checked.why);
  const { statement } = checked;
  if (options.action !== undefined) {
    const digest = digestOf(jsonIn(options.action, "the action"));
    if (digest !== statement.digest)
      throw new Unusable(
        exits.bad,
        `the action is not the one that was approved: its digest is ${digest}, approved was ${statement.digest}.`,
      );
  }
  if (options.key === undefined || options.consume) {
    const why = await withTable(({ store }) => store.read((db) => doubt(db, statement)));
    if (why !== null) throw notGood(why);
    if (await withTable(({ store }) => store.read((db) => isUsed(db, statement)))) throw used();
  }
  if (options.consume) {
    const first = await withTable((table) =>
      table.write(localOperator, statement.room, (call) => consume(call, statement)),
    );
    if (!first) throw used();
  }
  out(JSON.stringify(statement, null, 2));
  return 0;
}

const used = () => new Unusable(exits.used, "this receipt was used before; ask for a new approval.");
const notGood = (why: string) => new Unusable(exits.bad, `this receipt is not good: ${why}.`);

const storeKeys = () => withTable(({ store }) => store.read(published));

async function keysFrom(file: string | undefined): Promise<JSONWebKeySet | null> {
  if (file === undefined) return keySet(await storeKeys());
  const inline = file.trim().startsWith("{");
  const keys = keySet(inline ? parsed(file, "the public key: what --key says") : jsonIn(file, "the public key"));
  if (keys === null) throw new Unusable(exits.bad, `the public key: ${inline ? "what --key says" : file} is none.`);
  return keys;
}
