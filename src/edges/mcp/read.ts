// From bytes to one JSON-RPC message: a request, or something that wants no answer.
import { isUtf8 } from "node:buffer";
import { ErrorCode, type JSONRPCRequest, type RequestId } from "@modelcontextprotocol/sdk/types.js";
import { failure } from "./serve.ts";

export type Message =
  | { request: JSONRPCRequest }
  /** A notification, or an answer to what was never asked. */
  | { cancels: unknown }
  | { ignored: true }
  | { bad: ReturnType<typeof failure> };

export function messageIn(bytes: Buffer): Message {
  let said: unknown;
  try {
    if (!isUtf8(bytes)) throw new SyntaxError("not UTF-8");
    said = JSON.parse(bytes.toString());
  } catch {
    return { bad: failure(null, ErrorCode.ParseError, "The body is not JSON in UTF-8.") };
  }
  if (Array.isArray(said)) return bad("Batches are not supported; send one message at a time.");
  if (typeof said !== "object" || said === null) return bad("This is not a JSON-RPC message.");
  const { jsonrpc, id, method, params } = said as Record<string, unknown>;
  if (jsonrpc !== "2.0") return bad('jsonrpc must be "2.0".');
  if (params !== undefined && (typeof params !== "object" || params === null || Array.isArray(params)))
    return bad("params must be an object.", id);
  if (typeof method === "string") {
    if (id === undefined) {
      if (method !== "notifications/cancelled") return { ignored: true };
      return { cancels: (params as { requestId?: unknown } | undefined)?.requestId };
    }
    if (!isId(id)) return bad("id must be a string or a whole number.");
    return { request: said as JSONRPCRequest };
  }
  if (method === undefined && ("result" in said || "error" in said)) return { ignored: true };
  return bad("This is neither a request, nor a notification, nor a response.", id);
}

const isId = (id: unknown): id is RequestId => typeof id === "string" || Number.isSafeInteger(id);

const bad = (sentence: string, id?: unknown): Message => ({
  bad: failure(isId(id) ? id : null, ErrorCode.InvalidRequest, sentence),
});
