// Environment and flags → one frozen Config. A bad value stops the start and names its variable.
import { homedir } from "node:os";
import { join } from "node:path";
import proxyAddr from "proxy-addr";
import { z } from "zod";
import { toolsets } from "./action.ts";

const whole = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, "a whole number is wanted")
    .transform(Number)
    .pipe(z.number().min(min).max(max));
const list = z.string().transform((text) =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean),
);

/** A host with or without port, as `example.org:8443` or `[::1]`. */
const isHost = (text: string) => /^(?:\[[0-9a-f:.]+\]|[\p{L}\p{N}._-]+)(?::\d+)?$/iu.test(text);
const isKnownToolset = (text: string) => (toolsets as readonly string[]).includes(text);

/** Names (`loopback`), addresses or networks. */
function areProxies(proxies: string[]): boolean {
  try {
    proxyAddr.compile(proxies);
    return true;
  } catch {
    return false;
  }
}

const variables = {
  PARLEY_STORE: z
    .string()
    .min(1)
    .default(join(homedir(), ".parley", "parley.db")),
  PARLEY_HOST: z.string().min(1).default("127.0.0.1"),
  PARLEY_PORT: whole(0, 65_535).default(4747),
  PARLEY_NAME: z.string().min(1).max(64).default("Parley"),
  PARLEY_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  PARLEY_ALLOWED_HOSTS: list
    .refine((hosts) => hosts.every(isHost), "hosts are wanted, without scheme or path, separated by commas")
    .default([]),
  PARLEY_BASE_PATH: z
    .string()
    .regex(/^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*\/?$/, "it must look like /team")
    .transform((path) => path.replace(/\/$/, ""))
    .default(""),
  PARLEY_TRUST_PROXY: list
    .refine(areProxies, "loopback, addresses or networks are wanted, separated by commas")
    .optional(),
  PARLEY_MAX_PENDING: whole(1, 10_000).default(20),
  PARLEY_REMIND_SECONDS: whole(0, 604_800).default(600),
  PARLEY_CRITICAL_DELAY_SECONDS: whole(0, 86_400).default(60),
  PARLEY_LEASE_SECONDS: whole(1, 604_800).default(1800),
  PARLEY_TOOLSETS: list.refine((names) => names.every(isKnownToolset), `there are ${toolsets.join(", ")}`).optional(),
  PARLEY_LOG: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
};

const schema = z.object(variables);

export interface Config {
  readonly store: string;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly name: string;
  /** Without a slash at the end. */
  readonly publicUrl: string | undefined;
  readonly allowedHosts: readonly string[];
  /** `""` or `/team`. */
  readonly basePath: string;
  /** Names (`loopback`), addresses or networks. */
  readonly trustProxy: readonly string[] | undefined;
  /** Pending gates an agent. */
  readonly maxPending: number;
  /** Seconds until a person is reminded of a gate; 0: never. */
  readonly remind: number;
  /** Seconds. */
  readonly criticalDelay: number;
  /** Seconds. */
  readonly lease: number;
  readonly toolsets: readonly string[] | undefined;
  readonly log: string;
}

/** @throws an Error with one sentence that names the variable */
export function readConfig(env: Record<string, string | undefined>, flags: Partial<Config> = {}): Config {
  // An empty variable is one that is not set.
  const set = Object.fromEntries(Object.keys(variables).map((name) => [name, env[name] || undefined]));
  const read = schema.safeParse(set);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`${String(issue?.path[0])} is not usable: ${issue?.message}.`);
  }
  const v = read.data;
  return Object.freeze({
    store: v.PARLEY_STORE,
    host: v.PARLEY_HOST,
    port: v.PARLEY_PORT,
    name: v.PARLEY_NAME,
    publicUrl: v.PARLEY_PUBLIC_URL?.replace(/\/$/, ""),
    allowedHosts: v.PARLEY_ALLOWED_HOSTS,
    basePath: v.PARLEY_BASE_PATH,
    trustProxy: v.PARLEY_TRUST_PROXY,
    maxPending: v.PARLEY_MAX_PENDING,
    remind: v.PARLEY_REMIND_SECONDS,
    criticalDelay: v.PARLEY_CRITICAL_DELAY_SECONDS,
    lease: v.PARLEY_LEASE_SECONDS,
    toolsets: v.PARLEY_TOOLSETS,
    log: v.PARLEY_LOG,
    ...flags,
  });
}
