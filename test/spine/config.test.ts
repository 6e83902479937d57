import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";

describe("the environment", () => {
  it("stands for itself: every default is usable", () => {
    expect(readConfig({})).toMatchObject({
      store: join(homedir(), ".parley", "parley.db"),
      host: "127.0.0.1",
      port: 4747,
      name: "Parley",
      publicUrl: undefined,
      allowedHosts: [],
      basePath: "",
      trustProxy: undefined,
      maxPending: 20,
      remind: 600,
      criticalDelay: 60,
      lease: 1800,
      log: "info",
    });
    expect(readConfig({ PARLEY_PORT: "", PARLEY_STORE: "" })).toEqual(readConfig({}));
    expect(Object.isFrozen(readConfig({}))).toBe(true);
  });

  it("is read, and flags override it", () => {
    const env = {
      PARLEY_STORE: "postgres://u:p@h/d",
      PARLEY_PORT: "0",
      PARLEY_PUBLIC_URL: "https://parley.example/team/",
      PARLEY_ALLOWED_HOSTS: "a.example, b.example:8443,",
      PARLEY_BASE_PATH: "/team/",
      PARLEY_TRUST_PROXY: "loopback, 10.0.0.0/8",
      PARLEY_MAX_PENDING: "3",
      PARLEY_CRITICAL_DELAY_SECONDS: "0",
      PARLEY_LOG: "silent",
    };
    expect(readConfig(env)).toMatchObject({
      store: "postgres://u:p@h/d",
      port: 0,
      publicUrl: "https://parley.example/team",
      allowedHosts: ["a.example", "b.example:8443"],
      basePath: "/team",
      trustProxy: ["loopback", "10.0.0.0/8"],
      maxPending: 3,
      criticalDelay: 0,
      log: "silent",
    });
    expect(readConfig({ PARLEY_HOST: "127.0.0.1" }, { host: "0.0.0.0" }).host).toBe("0.0.0.0");
  });

  it.each([
    ["PARLEY_PORT", "abc"],
    ["PARLEY_PORT", "70000"],
    ["PARLEY_PORT", "-1"],
    ["PARLEY_PORT", "80.5"],
    ["PARLEY_PORT", " "],
    ["PARLEY_PORT", "0x50"],
    ["PARLEY_NAME", "x".repeat(65)],
    ["PARLEY_PUBLIC_URL", "parley.example"],
    ["PARLEY_PUBLIC_URL", "ftp://parley.example"],
    ["PARLEY_ALLOWED_HOSTS", "https://parley.example"],
    ["PARLEY_ALLOWED_HOSTS", "a.example,b/c"],
    ["PARLEY_BASE_PATH", "team"],
    ["PARLEY_BASE_PATH", "/a b"],
    ["PARLEY_BASE_PATH", "/../x"],
    ["PARLEY_TRUST_PROXY", "nonsense"],
    ["PARLEY_TRUST_PROXY", "loopback,300.1.1.1"],
    ["PARLEY_MAX_PENDING", "0"],
    ["PARLEY_CRITICAL_DELAY_SECONDS", "soon"],
    ["PARLEY_LEASE_SECONDS", "0"],
    ["PARLEY_TOOLSETS", "board,florr"],
    ["PARLEY_LOG", "loud"],
  ])("names %s when it is %j", (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} `));
  });
});
