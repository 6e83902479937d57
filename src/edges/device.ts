// A device in words that its owner knows it by, from the User-Agent.
import Bowser from "bowser";

/** As "Chrome on Android"; "a browser" where nothing is told. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return "a browser";
  const { browser, os } = Bowser.parse(userAgent);
  const name = browser.name?.slice(0, 40) || "a browser";
  return os.name ? `${name} on ${os.name.slice(0, 40)}` : name;
}
