// Finds a Chromium or Chrome for the browser tests, installs one where there is none, and provides its path.
// It never skips in silence: without a browser the run ends with what to do.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type {} from "vitest";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Path of a Chromium or Chrome. */
    chromium: string;
  }
}

const usual = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

const find = (): string | undefined => [...usual, chromium.executablePath()].find((path) => existsSync(path));

function run(command: string, ...words: string[]): void {
  process.stderr.write(`> ${[command, ...words].join(" ")}\n`);
  // What it says goes to stderr, so that stdout stays the reporter's.
  spawnSync(command, words, {
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
}

function install(): void {
  process.stderr.write("The browser tests need Chromium and none was found. Installing it, which takes a minute.\n");
  if (process.getuid?.() === 0 && existsSync("/etc/debian_version")) {
    run("apt-get", "update");
    run("apt-get", "install", "-y", "--no-install-recommends", "chromium");
  }
  if (!find()) run("npx", "playwright-core", "install", "chromium");
}

/** The path of a browser, installed first where there is none. */
export function ensureChromium(): string {
  if (!find()) install();
  const path = find();
  if (path) return path;
  throw new Error(
    "The browser tests need Chromium or Chrome and it could not be installed. " +
      "Install it (Debian: apt-get install chromium; elsewhere: npx playwright-core install chromium) and run again.",
  );
}

export default function setup(project: TestProject): void {
  project.provide("chromium", ensureChromium());
}
