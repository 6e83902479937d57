// @ts-check
// Signing in and out over HTTP. A code is only sent when a person taps; nothing here decides anything else.
/** @import { Me } from "../types.d.ts" */
import { at } from "./base.js";
import { dropSecret, keepSecret, readSecret } from "./secret.js";

/**
 * @param {string} code
 * @param {string} [name]
 * @returns {Promise<{ok: true} | {ok: false, need?: string, message: string}>}
 */
export async function signIn(code, name) {
  let answer;
  try {
    answer = await fetch(at("session"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(name ? { code, name } : { code }),
    });
  } catch {
    return { ok: false, message: "The server did not answer. Nothing was used up: try again." };
  }
  const body = await answer.json().catch(() => ({}));
  if (answer.ok && typeof body.secret === "string") {
    await keepSecret(body.secret);
    return { ok: true };
  }
  const error = body.error ?? {};
  return { ok: false, need: error.need, message: error.message ?? `The server refused with ${answer.status}.` };
}

/**
 * Who this browser is signed in as; null when it is not; undefined when the server did not answer.
 * @returns {Promise<Me | null | undefined>}
 */
export async function whoIsThis() {
  try {
    const answer = await fetch(at("session"));
    if (answer.status === 401) return null;
    if (!answer.ok) return undefined;
    return (await answer.json()).me;
  } catch {
    return undefined;
  }
}

/** @param {{everywhere?: boolean}} [how] */
export async function signOut({ everywhere = false } = {}) {
  const secret = await readSecret();
  const answer = await fetch(at(everywhere ? "session?all" : "session"), {
    method: "DELETE",
    headers: { "x-parley-secret": secret ?? "" },
  });
  if (!answer.ok && answer.status !== 401) throw new Error(`The server refused with ${answer.status}.`);
  await dropSecret();
}
