// Every table of the store, gathered from the migration that makes it.

import type { SpineTables } from "./migrations/0001_spine.ts";
import type { GateTables } from "./migrations/0002_gates.ts";
import type { BoardTables } from "./migrations/0003_board.ts";
import type { FloorTables } from "./migrations/0004_floor.ts";
import type { MessageTables } from "./migrations/0005_messages.ts";
import type { RuleTables } from "./migrations/0007_rules.ts";
import type { ReceiptTables } from "./migrations/0008_receipts.ts";
import type { NotifyTables } from "./migrations/0009_notify.ts";
import type { GrowthTables } from "./migrations/0010_growth.ts";
import type { ConfirmedRule } from "./migrations/0011_confirmed_rules.ts";
import type { StandstillTables } from "./migrations/0012_standstills.ts";
import type { OpeningTables } from "./migrations/0013_openings_and_talk.ts";
import type { ClientCard } from "./migrations/0015_client_cards.ts";
import type { LimitTables } from "./migrations/0017_limits.ts";
import type { PassedOn } from "./migrations/0019_answers_passed_on.ts";

export interface Tables
  extends SpineTables,
    BoardTables,
    FloorTables,
    MessageTables,
    ReceiptTables,
    NotifyTables,
    GrowthTables,
    StandstillTables,
    OpeningTables,
    LimitTables {
  rules: RuleTables["rules"] & ConfirmedRule;
  gates: GateTables["gates"] & ClientCard & PassedOn;
}
