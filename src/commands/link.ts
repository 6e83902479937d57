// parley link: a one-time sign-in link, and its QR code for the phone.
import qrcode from "qrcode";
import { readConfig } from "../config.ts";
import { out } from "./print.ts";
import { addressOf, operate } from "./store.ts";

/** Prints a link; its QR code only to a terminal. */
export async function showLink(url: string): Promise<void> {
  out(url);
  if (process.stdout.isTTY) process.stdout.write(`${await qrcode.toString(url, { type: "terminal", small: true })}\n`);
}

export async function link(options: { person?: string; json?: boolean }): Promise<void> {
  const { code, expires_at, member } = await operate("make_link", options.person ? { person: options.person } : {});
  const url = `${addressOf(readConfig(process.env))}#link=${code}`;
  if (options.json) return out(JSON.stringify({ url, expires_at, person: member }));
  await showLink(url);
}
