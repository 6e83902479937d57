// parley verify: whether a receipt is of an approval, still good, and of exactly this action.
import { existsSync, readFileSync } from "node:fs";
import type { JSONWebKeySet } from "jose";
import { digestOf } from "../gates/digest.ts";
import { consume } from "../gates/receipt.ts";
import { localOperator } from "../members/caller.ts";
import { published } from "../receipts/keys.ts";
import { check, keySet } from "../receipts/receipt.ts";
import { Refusal } from "../refusal.ts";
import { out } from "./print.ts";
import { withTable } from "./store.ts";

/** sysexits: 65 not good for this, 66 no key or file, 77 used before. */
export const exits = { bad: 65, noInput: 66, used: 77 } as const;

export interface VerifyOptions {
  action?: string;
  key?: string;
  consume?: boolean;
  printKey?: boolean;
}

const say = (text: string): void => void process.stderr.write(`parley: ${text}\n`);

const read = (file: string): string => readFileSync(file === "-" ? 0 : file, "utf8");

/** @returns the exit code: 0 only for an approval, unexpired, of the action in the file where one is given */
export async function verify(receipt: string | undefined, options: VerifyOptions, now: number): Promise<number> {
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
  const checked = await check(receipt.trim(), keys, now);
  if (!checked.good) {
    say(`this receipt is not good: ${checked.why}.`);
    return exits.bad;
  }
  const { statement } = checked;
  if (options.action !== undefined) {
    const digest = digestOf(JSON.parse(read(options.action)));
    if (digest !== statement.digest) {
      say(`the action is not the one that was approved: its digest is ${digest}, approved was ${statement.digest}.`);
      return exits.bad;
    }
  }
  if (options.consume) {
    const first = await withTable((table) =>
      table.write(localOperator, statement.room, (call) => consume(call, statement)),
    );
    if (!first) {
      say("this receipt was used before; ask for a new approval.");
      return exits.used;
    }
  }
  out(JSON.stringify(statement, null, 2));
  return 0;
}

const storeKeys = () => withTable(({ store }) => store.read(published));

async function keysFrom(file: string | undefined): Promise<JSONWebKeySet | null> {
  if (file === undefined) return keySet(await storeKeys());
  if (file !== "-" && !existsSync(file)) return file.trim().startsWith("{") ? keySet(JSON.parse(file)) : null;
  return keySet(JSON.parse(read(file)));
}
