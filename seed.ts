// Two demo rooms to look around in: every kind of gate waiting, every state of the roster, a conversation in the
// middle, tasks in every state. Everything is done by performing actions, so that it is legal by construction.
import { type Clock, wallClock } from "./src/clock.ts";
import { type Caller, callerByName, localOperator } from "./src/members/caller.ts";
import { deleteRoom, roomRow } from "./src/members/room-rows.ts";
import { memberIn, memberRow } from "./src/members/rows.ts";
import { serverRoom } from "./src/members/rules.ts";
import type { Report } from "./src/report.ts";
import type { Store } from "./src/store/port.ts";
import { openTable, type Settings, type Table } from "./src/table.ts";

const demoRooms = ["billing", "mobile"] as const;
const [billing, mobile] = demoRooms;

const agents: ReadonlyArray<[name: string, role: string, skills: string[]]> = [
  ["planner", "lead", ["planning"]],
  ["api-builder", "worker", ["typescript", "sql"]],
  ["web-builder", "worker", ["typescript", "css"]],
  ["reviewer-2", "reviewer", ["review"]],
  ["db-migrator", "worker", ["sql"]],
  ["ci-fixer", "worker", ["ci"]],
  ["infra-ops", "worker", ["ops"]],
  ["test-runner", "worker", ["tests"]],
  ["docs-writer", "worker", ["writing"]],
  ["load-tester", "worker", ["ops"]],
];
const mobileAgents: ReadonlyArray<[name: string, role: string, skills: string[]]> = [
  ["app-lead", "lead", ["planning"]],
  ["swift-builder", "worker", ["swift"]],
  ["kotlin-builder", "worker", ["kotlin"]],
];

const minute = 60_000;
const day = 24 * 60 * minute;

/** A clock that stands where it is set, on its way to now. */
function storyClock(start: number): Clock & { at(ms: number): void } {
  let now = start;
  return {
    now: () => now,
    elapsed: wallClock.elapsed,
    after: wallClock.after,
    at(ms) {
      now = ms;
    },
  };
}

/** What must be found again of a story that has just been told: who did what. */
interface Story {
  table: Table;
  clock: ReturnType<typeof storyClock>;
  now: number;
  room: string;
  as(name: string): (action: string, args?: Record<string, unknown>) => Promise<Record<string, unknown>>;
}

/**
 * Replaces the demo rooms in `store`; other rooms are not touched.
 * @param report told of faults that no call hears of
 * @returns how many rooms, members, gates and tasks there are in them
 */
export async function seed(
  store: Store,
  settings: Settings,
  report: Report,
  now: number = wallClock.now(),
): Promise<Record<string, number>> {
  const clock = storyClock(now - day);
  // A story told in minutes covers a day: its claims must not lapse in between.
  const table = openTable(store, clock, { ...settings, lease: 12 * 3600 }, report);
  const operator = async (action: string, args: Record<string, unknown>) =>
    (await table.perform(localOperator, action, args)).result;
  try {
    const taken = await store.read(async (db) => {
      const found: string[] = [];
      for (const room of demoRooms) if (await roomRow(db, room)) found.push(room);
      return found;
    });
    for (const room of taken)
      await table.write(localOperator, serverRoom, async (call) => {
        await deleteRoom(call.db, room);
        call.fact({ action: "room.deleted", subject: `room:${room}`, data: { demo: true } });
      });
    await operator("create_room", { room: billing, title: "Billing", open: true });
    await operator("create_room", { room: mobile, title: "Mobile app", open: true });
    const person = await personOf(store);
    await bring(store, operator, billing, [[person, "approver", []], ...agents]);
    await bring(store, operator, mobile, [[person, "approver", []], ...mobileAgents]);

    const callers = new Map<string, Caller>();
    const story = (room: string): Story => ({
      table,
      clock,
      now,
      room,
      as:
        (name) =>
        async (action, args = {}) => {
          let caller = callers.get(name);
          if (!caller) {
            const found = await store.read((db) => callerByName(db, name));
            if (!found) throw new Error(`nobody is called ${name}`);
            caller = found;
            callers.set(name, caller);
          }
          const answer = await table.perform(caller, action, {
            ...args,
            ...(action === "set_presence" ? {} : { room }),
          });
          await answer.written();
          return answer.result;
        },
    });
    await tellBilling(story(billing), person);
    await tellMobile(story(mobile), person);
    return await store.read(async (db) => {
      const count = async (table: "memberships" | "gates" | "tasks") =>
        (
          await db
            .selectFrom(table)
            .select("room")
            .where("room", "in", [...demoRooms])
            .execute()
        ).length;
      return {
        rooms: demoRooms.length,
        members: await count("memberships"),
        gates: await count("gates"),
        tasks: await count("tasks"),
      };
    });
  } finally {
    await table.ring.close();
  }
}

/** The owner, if there is one; else a person who stands for it. */
async function personOf(store: Store): Promise<string> {
  const owner = await store.read((db) =>
    db
      .selectFrom("members")
      .select("name")
      .where("server_role", "=", "owner")
      .where("removed_at", "is", null)
      .orderBy("created_at")
      .executeTakeFirst(),
  );
  return owner?.name ?? "robin";
}

async function bring(
  store: Store,
  operator: (action: string, args: Record<string, unknown>) => Promise<unknown>,
  room: string,
  members: ReadonlyArray<[name: string, role: string, skills: string[]]>,
): Promise<void> {
  for (const [name, role, skills] of members) {
    const there = await store.read((db) => memberIn(db, room, name));
    if (there) continue;
    const who = await store.read((db) => memberRow(db, name));
    const kind = role === "approver" ? { person: true } : { skills };
    await operator("add_member", { name, room, role, ...(who ? { person: role === "approver" } : kind) });
  }
}

type Step = [minutesAgo: number, who: string, action: string, args?: Record<string, unknown>];

/** Tells a story step by step; `keep` remembers results by name for later steps. */
async function tell(story: Story, steps: ReadonlyArray<Step>): Promise<void> {
  for (const [ago, who, action, args] of steps) {
    story.clock.at(story.now - ago * minute);
    await story.as(who)(action, args);
  }
}

async function tellBilling(story: Story, person: string): Promise<void> {
  const hour = 60;
  const task = (title: string, more: Record<string, unknown> = {}) => ({ title, ...more });
  // Yesterday.
  await tell(story, [
    [23.5 * hour, "planner", "create_task", task("Pin pg-copy-streams", { description: "6.0.6, with its lock file." })],
    [
      23.4 * hour,
      person,
      "create_task",
      task("Split invoice lines into their own table", {
        priority: "high",
        description:
          "Invoice lines leave the JSON column.\n\n- new table `invoice_lines`\n- copy, check, switch reads, drop the old column in 0043",
        reviewer: "reviewer-2",
      }),
    ],
    [23.3 * hour, "planner", "create_task", task("Move the export job to invoice_lines", { depends_on: [2] })],
    [23.2 * hour, "planner", "create_task", task("Release workflow publishes provenance", { skills: ["ci"] })],
    [23.1 * hour, "planner", "create_task", task("Invoice list: empty and error states", { skills: ["css"] })],
    [
      23 * hour,
      "planner",
      "create_task",
      task("Round tax per line, not per invoice", { priority: "high", reviewer: "reviewer-2" }),
    ],
    [
      22.9 * hour,
      "planner",
      "create_task",
      task("Integration tests for refunds", { priority: "high", skills: ["tests"] }),
    ],
    [22.8 * hour, "planner", "create_task", task("Deprecation notes for v1", { priority: "low" })],
    [
      22.7 * hour,
      "planner",
      "create_task",
      task("Take the leaked key out of the history", { priority: "high", skills: ["ops"] }),
    ],
    [
      22.6 * hour,
      "planner",
      "create_task",
      task("Load test: 50 invoices a second", { priority: "low", depends_on: [2] }),
    ],
    [22.5 * hour, "planner", "create_task", task("Export invoices as CSV", { priority: "high" })],
    [22.4 * hour, "planner", "create_task", task("Retry webhooks with a growing delay")],
    [22.3 * hour, "planner", "create_task", task("Describe pagination in the v2 guide", { priority: "low" })],
    [22.2 * hour, "planner", "create_task", task("Cache the price list in Redis")],
    [22 * hour, "db-migrator", "claim_task", { task_id: 1 }],
  ]);
  story.clock.at(story.now - 21.8 * hour * minute);
  const early = await story.as("db-migrator")("request_approval", {
    title: "Install pg-copy-streams 6.0.6",
    action: { command: "npm install --save-exact pg-copy-streams@6.0.6", cwd: "~/code/billing-api" },
    wait_seconds: 0,
  });
  const earlyId = (early.gate as { id: string }).id;
  await tell(story, [
    [21.7 * hour, person, "see_gate", { gate_id: earlyId }],
    [21.6 * hour, person, "decide_gate", { gate_id: earlyId, decision: "approve", note: "exact version, good" }],
    [
      21.5 * hour,
      "db-migrator",
      "submit_result",
      { task_id: 1, result: "Pinned to 6.0.6; the lock file has one entry." },
    ],
    [21.4 * hour, "reviewer-2", "review_task", { task_id: 1, verdict: "approve", note: "Checked the lock file." }],
    [21.2 * hour, "planner", "cancel_task", { task_id: 14, reason: "The price list is 4 kB." }],
    // Today.
    [98, "load-tester", "set_presence", { status: "working" }],
    [
      96,
      "load-tester",
      "post_message",
      { text: "The staging database is too small for the load test; I wait for the split.", task_id: 10 },
    ],
    [74, "api-builder", "claim_task", { task_id: 2 }],
    [70, "web-builder", "claim_task", { task_id: 5 }],
    [66, "ci-fixer", "claim_task", { task_id: 4 }],
    [64, "infra-ops", "claim_task", { task_id: 9 }],
    [62, "test-runner", "claim_task", { task_id: 7 }],
    [60, "docs-writer", "claim_task", { task_id: 8 }],
    [58, "db-migrator", "claim_task", { task_id: 6 }],
    [50, "db-migrator", "submit_result", { task_id: 6, result: "Rounded at the invoice." }],
    [
      46,
      "reviewer-2",
      "review_task",
      {
        task_id: 6,
        verdict: "reject",
        keep_assignee: true,
        note: "Per line, as on the printed invoice; the test for 0.005 is missing.",
      },
    ],
    [
      34,
      "db-migrator",
      "submit_result",
      { task_id: 6, result: "Rounded per line with half-even; 14 tests, with 0.005 both ways." },
    ],
    [
      33,
      "api-builder",
      "create_task",
      task("Dry-run 0042 on last night’s copy", { parent_id: 2, priority: "high", skills: ["sql"] }),
    ],
    [32, "db-migrator", "claim_task", { task_id: 15 }],
    [
      31,
      "db-migrator",
      "post_message",
      { text: "Dry run done: 38 s, 1,204,881 rows, no orphan lines. Plan and timings are in `docs/0042.md`." },
    ],
    [30, "docs-writer", "submit_result", { task_id: 8, result: "Notes for 14 endpoints, each with its replacement." }],
    [29, "docs-writer", "set_presence", { status: "done", note: "notes for v1 are in" }],
    [
      27,
      "test-runner",
      "report_blocker",
      {
        title: "Refund tests need the sandbox payment key",
        details:
          "`PAYMENTS_SANDBOX_KEY` is not set in this environment; 14 of 61 refund tests skip themselves. I go on with the others and stop at the report.",
        task_id: 7,
        wait_seconds: 0,
      },
    ],
    [
      16,
      "planner",
      "open_floor",
      {
        seats: ["planner", "api-builder", "web-builder", "reviewer-2", "db-migrator", "docs-writer"],
        hold_seconds: 1800,
        max_turn_seconds: 3600,
        ack_seconds: 1800,
      },
    ],
    [15.5, "planner", "request_floor", { purpose: "Rounding" }],
    [
      15,
      "planner",
      "say",
      {
        text: "Rounding first: per line or per invoice? The schema of `invoice_lines` depends on it, and 0042 waits for the schema.",
      },
    ],
    [14, "web-builder", "request_floor", { purpose: "Answer on the tax rounding", urgency: "high" }],
    [13, "reviewer-2", "request_floor", { purpose: "What the tests have to hold" }],
    [
      12,
      person,
      "say",
      { text: "Per line, as on the printed invoice. Please keep the old column until every consumer has moved." },
    ],
    [11, "planner", "say", { text: "Per line it is.", then: "pass" }],
    [
      10,
      "web-builder",
      "say",
      { text: "Then the list view can add up the rounded lines itself; no extra field.", then: "pass" },
    ],
    [
      9,
      "reviewer-2",
      "say",
      {
        text: "Agreed, per line. Then `total` must be the sum of rounded lines, or the two drift by a cent. I will check #6 for that; @web-builder, does the list view add up on its own?",
        addressed_to: "web-builder",
        expects_reply: true,
      },
    ],
    [8, "web-builder", "request_floor", { purpose: "Yes, and where" }],
    [7, "db-migrator", "request_floor", { purpose: "Report the dry run of 0042" }],
    [6, "docs-writer", "request_floor", { purpose: "Which endpoints to mark deprecated", urgency: "low" }],
  ]);
  await tell(story, [
    [
      5.5,
      "ci-fixer",
      "request_approval",
      {
        title: "Let the release workflow write packages",
        details:
          "The publish step fails with 403 since packages moved to the organisation. The token would live for one run.",
        action: {
          file: ".github/workflows/release.yml",
          diff: "@@ -18,8 +18,10 @@ jobs:\n   publish:\n     runs-on: ubuntu-24.04\n     permissions:\n-      contents: read\n+      contents: write\n+      packages: write\n+      id-token: write\n     steps:\n       - uses: actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683\n",
        },
        risk: "high",
        task_id: 4,
        timeout_seconds: 1500,
        wait_seconds: 0,
      },
    ],
    [
      5,
      "infra-ops",
      "request_approval",
      {
        title: "Force-push main to remove a leaked key",
        details:
          "Rewrites 3 commits. The key is revoked already; this takes it out of the history. Open pull requests must be rebased.",
        action: { command: "git push --force-with-lease=main:4f1c9e2 origin main", cwd: "~/code/billing-api" },
        risk: "critical",
        task_id: 9,
        timeout_seconds: 3600,
        wait_seconds: 0,
      },
    ],
    [3, "planner", "list_tasks", {}],
    [
      2.5,
      "web-builder",
      "wait_for_feedback",
      {
        question: "Keep the v1 invoice endpoint for one more release?",
        details:
          "Two consumers still call `GET /v1/invoices`: the mobile app up to 3.8 and the nightly export. With no answer I go on and keep it.",
        options: ["Keep it one release", "Keep it, and log each call", "Remove it now"],
        timeout_seconds: 600,
        task_id: 5,
        wait_seconds: 0,
      },
    ],
    [
      1,
      "api-builder",
      "request_approval",
      {
        title: "Run migration 0042 on staging",
        details:
          "Copies 1.2 million rows into `invoice_lines` and keeps the old column until 0043. The dry run on last night's copy took 38 s. Back out with `0042_down.sql`.",
        action: {
          command:
            'psql "$STAGING_DATABASE_URL" \\\n  --single-transaction \\\n  --set ON_ERROR_STOP=1 \\\n  --file migrations/0042_split_lines.sql \\\n  && npm run -s db:check -- --env staging --tables invoices,invoice_lines',
          cwd: "~/code/billing-api",
        },
        options: [],
        task_id: 2,
        timeout_seconds: 420,
        wait_seconds: 0,
      },
    ],
    [0.2, "reviewer-2", "keep_floor", {}],
    [0.1, "db-migrator", "list_tasks", {}],
  ]);
}

async function tellMobile(story: Story, person: string): Promise<void> {
  const task = (title: string, more: Record<string, unknown> = {}) => ({ title, ...more });
  await tell(story, [
    [300, person, "create_task", task("Offline mode for the invoice list", { priority: "high" })],
    [290, "app-lead", "create_task", task("Dark icons for Android 16")],
    [280, "swift-builder", "claim_task", { task_id: 1 }],
    [
      120,
      "app-lead",
      "post_message",
      { text: "Release 3.9 is cut on Thursday; @kotlin-builder please take #2 before." },
    ],
    [
      40,
      "app-lead",
      "request_approval",
      {
        title: "Publish build 3.8.4 to the beta group",
        details: "212 testers. The crash on start is fixed; nothing else changed.",
        action: { command: "fastlane beta", cwd: "~/code/mobile" },
        timeout_seconds: 14_400,
        wait_seconds: 0,
      },
    ],
    [
      1.5,
      "swift-builder",
      "wait_for_feedback",
      {
        question: "Which wording for the offline banner?",
        options: ["You are offline", "No connection; what you see may be old"],
        timeout_seconds: 1800,
        task_id: 1,
        wait_seconds: 0,
      },
    ],
  ]);
}
