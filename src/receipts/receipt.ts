// A receipt: the signed statement that an action was approved, checkable anywhere with the public key alone (G7).
import {
  CompactSign,
  type CryptoKey,
  compactVerify,
  createLocalJWKSet,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWK,
} from "jose";

/** What a receipt says. Times: `at` ISO 8601, `exp` seconds since 1970. */
export interface Statement {
  gate: string;
  room: string;
  decision: "approved";
  /** `sha256:` and hex, over the canonical JSON of the action as approved. */
  digest: string;
  asked_by: string;
  /** Who approved, in order; where a rule did, whose it is. */
  by: string[];
  /** The rule that approved, where it was no person just then. */
  rule?: string;
  at: string;
  exp: number;
  single_use: boolean;
}

/** Signs statements about approvals. */
export type Sign = (statement: Statement) => Promise<string>;

/** How long a receipt is good for after the decision (seconds). */
export const receiptLife = 3600;

const alg = "EdDSA";
const typ = "parley-receipt";

export const signer =
  (key: CryptoKey, id: string): Sign =>
  (statement) =>
    new CompactSign(new TextEncoder().encode(JSON.stringify(statement)))
      .setProtectedHeader({ alg, kid: id, typ })
      .sign(key);

export type Checked = { good: true; statement: Statement } | { good: false; why: string };

/** Whether a text has the form of a receipt: a compact JWS. */
export function isReceipt(text: string): boolean {
  try {
    return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text) && decodeProtectedHeader(text).alg !== undefined;
  } catch {
    return false;
  }
}

/**
 * Whether a receipt was signed with one of `keys`, is of an approval and has not expired.
 * @param now milliseconds since 1970
 */
export async function check(receipt: string, keys: JSONWebKeySet, now: number): Promise<Checked> {
  let statement: Statement;
  try {
    const { payload, protectedHeader } = await compactVerify(receipt, createLocalJWKSet(keys), { algorithms: [alg] });
    if (protectedHeader.typ !== typ) return { good: false, why: "it is not a receipt of Parley" };
    statement = JSON.parse(new TextDecoder().decode(payload)) as Statement;
  } catch {
    return { good: false, why: "its signature is not of this key" };
  }
  if (statement.decision !== "approved") return { good: false, why: "it is not of an approval" };
  if (statement.exp * 1000 <= now) return { good: false, why: "it has expired" };
  return { good: true, statement };
}

/** A JWK, or a set of them, as a set. */
export function keySet(value: unknown): JSONWebKeySet | null {
  if (typeof value !== "object" || value === null) return null;
  const { keys } = value as { keys?: unknown };
  if (Array.isArray(keys)) return { keys: keys as JWK[] };
  return "kty" in value ? { keys: [value as JWK] } : null;
}
