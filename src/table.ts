// Puts it together: a store, its ring, every action, and what the slices add to each call.
import type { AnyAction, Result } from "./action.ts";
import type { Clock } from "./clock.ts";
import { floorActions } from "./floor/actions.ts";
import { floorInbox } from "./floor/inbox.ts";
import { floorsGone, settleFloors } from "./floor/move.ts";
import { askActions, type GateSettings } from "./gates/ask.ts";
import { decideActions } from "./gates/decide.ts";
import { acknowledge, answered, type WriteIn } from "./gates/delivery.ts";
import { settleGates, withdrawOfMember } from "./gates/endings.ts";
import * as gateRows from "./gates/rows.ts";
import type { Caller } from "./members/caller.ts";
import { credentialActions } from "./members/credentials.ts";
import { type Departure, placeActions } from "./members/places.ts";
import { openPresence } from "./members/presence.ts";
import { selfActions } from "./members/self.ts";
import { signInActions } from "./members/signin.ts";
import { type Hooks, openSpine, type Spine } from "./perform.ts";
import { openRing } from "./ring.ts";
import type { Store } from "./store/port.ts";

export interface Settings extends GateSettings {
  /** How long an agent's claim lasts without a sign of it, seconds. */
  lease: number;
}

export interface Table extends Spine {
  close(): Promise<void>;
}

export function openTable(store: Store, clock: Clock, settings: Settings): Table {
  const departures: Departure[] = [withdrawOfMember, floorsGone];
  const actions: AnyAction[] = [
    ...selfActions,
    ...askActions(settings),
    ...decideActions(settings),
    ...placeActions(departures),
    ...credentialActions(departures),
    ...signInActions(),
    ...floorActions,
  ];
  const presence = openPresence(store, clock);
  const ring = openRing(store);
  const writeAs =
    (caller: Caller, spine: Spine): WriteIn =>
    (room, body) =>
      spine.write(caller, room, body);
  const unacknowledged = (caller: Caller) => store.read((db) => gateRows.unacknowledged(db, caller.actor.member));

  const hooks: Hooks = {
    settle: [settleGates, settleFloors],
    async arrives(caller, spine) {
      await presence.sign(caller);
      if (caller.actor.kind === "agent")
        await acknowledge(caller.actor.member, () => unacknowledged(caller), writeAs(caller, spine));
    },
    waits: presence.waits,
    async inbox(caller, spine, written) {
      const inbox: Result = {};
      const answers = await answered(
        caller.actor.member,
        await unacknowledged(caller),
        writeAs(caller, spine),
        written,
      );
      if (answers.length > 0) inbox.answered_gates = answers;
      const floors = await store.read((db) => floorInbox(db, caller.actor.member, clock.now()));
      if (floors.length > 0) inbox.floor = floors;
      return Object.keys(inbox).length > 0 ? inbox : null;
    },
  };
  const spine = openSpine(store, ring, clock, actions, hooks);
  return {
    ...spine,
    async close() {
      await ring.close();
      await store.close();
    },
  };
}
