// The key pair of receipts: made at the first start, the private part in a file of its own outside the store
// (mode 0600), the public part in the store, so that every instance can publish all that have signed.
import {
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { localOperator } from "../members/caller.ts";
import { serverRoom } from "../members/rules.ts";
import type { Db } from "../store/port.ts";
import type { Write } from "../write.ts";
import { type Sign, signer } from "./receipt.ts";

/** Where the private key stands: beside a store that is a file, else in the home folder. */
export const keyFileOf = (store: string): string =>
  /^postgres(ql)?:\/\//.test(store) || store === ":memory:"
    ? join(homedir(), ".parley", "receipt.key")
    : `${store}.key`;

export interface SigningKey {
  id: string;
  public: JWK;
  sign: Sign;
}

async function fromJwk(jwk: JWK): Promise<SigningKey> {
  const id = await calculateJwkThumbprint(jwk);
  const { d: _, ...rest } = jwk;
  const key = await importJWK(jwk, "EdDSA");
  if (key instanceof Uint8Array) throw new Error("the key of receipts is not an Ed25519 key");
  return { id, public: { ...rest, kid: id, alg: "EdDSA", use: "sig" }, sign: signer(key, id) };
}

/** A key of its own, in memory. */
export async function newKey(): Promise<SigningKey & { jwk: JWK }> {
  const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519", extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...(await fromJwk(jwk)), jwk };
}

/** The key in `file`, made there first where there is none; of several that start at once one makes it. */
export async function keyIn(file: string): Promise<SigningKey> {
  if (!existsSync(file)) {
    const { jwk } = await newKey();
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Written aside and then put in its place whole: another that starts now never reads half of it, and a process
    // that is killed here leaves none.
    const aside = `${file}.${process.pid}`;
    writeFileSync(aside, `${JSON.stringify(jwk)}\n`, { mode: 0o600 });
    try {
      putInPlace(aside, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      unlinkSync(aside);
    }
  }
  return fromJwk(JSON.parse(readFileSync(file, "utf8")) as JWK);
}

/** Not over one that is there. File systems without links get a copy. */
function putInPlace(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!/^(?:EPERM|ENOSYS|ENOTSUP|EOPNOTSUPP)$/.test(String((error as NodeJS.ErrnoException).code))) throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** Lets everybody know a key that signs here. */
export async function publish(write: Write, key: SigningKey): Promise<void> {
  await write(localOperator, serverRoom, async (call) => {
    const known = await call.db.selectFrom("receipt_keys").select("id").where("id", "=", key.id).executeTakeFirst();
    if (known) return;
    await call.db
      .insertInto("receipt_keys")
      .values({ id: key.id, jwk: JSON.stringify(key.public), made_at: call.now })
      .execute();
    call.fact({ action: "key.made", subject: `key:${key.id}` });
  });
}

/** All keys that have signed receipts of this store, newest first: a JWK that is a set too. */
export async function published(db: Db): Promise<Record<string, unknown>> {
  const rows = await db.selectFrom("receipt_keys").select("jwk").orderBy("made_at", "desc").orderBy("id").execute();
  const keys = rows.map(({ jwk }) => jwk);
  return { ...keys[0], keys };
}
