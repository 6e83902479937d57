// Everything that must not be guessed or must sort by time is made here.
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { v7 } from "uuid";

/** A new id that sorts by time, across processes too. */
export const newId = (): string => v7();

/** 256 random bits, URL-safe. */
export const newSecret = (prefix = ""): string => prefix + randomBytes(32).toString("base64url");

/** Lower-case hex SHA-256 of the UTF-8 text: how secrets are stored, and what the log's chain is made of. */
export const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** Compares two hex digests in constant time. */
export function sameDigest(a: string, b: string): boolean {
  const x = Buffer.from(a);
  const y = Buffer.from(b);
  return x.length === y.length && timingSafeEqual(x, y);
}
