// Puts it together: a store, its ring, every action, and what the slices add to each call.
import type { AnyAction } from "./action.ts";
import { type Awake, openAwake } from "./awake.ts";
import { boardActions } from "./board/actions.ts";
import { boardGone, settleBoard } from "./board/endings.ts";
import type { BoardSettings } from "./board/work.ts";
import type { Clock } from "./clock.ts";
import { floorActions } from "./floor/actions.ts";
import { askPeople } from "./floor/cap.ts";
import { pauseOpen, resumeThese } from "./floor/halt.ts";
import { floorsGone, gatesTouched, settleFloors } from "./floor/move.ts";
import { forget } from "./forget.ts";
import { afterwardsActions } from "./gates/afterwards.ts";
import { askActions, type GateSettings } from "./gates/ask.ts";
import { decideActions } from "./gates/decide.ts";
import { acknowledge, type WriteIn } from "./gates/delivery.ts";
import { unacknowledged } from "./gates/delivery-rows.ts";
import { settleGates, withdrawOfMember } from "./gates/endings.ts";
import { dropHalvesOf } from "./gates/halves.ts";
import { own } from "./gates/own.ts";
import { permissionActions } from "./gates/permission.ts";
import { stopActions } from "./gates/stop.ts";
import { inboxOf } from "./inbox.ts";
import type { Caller } from "./members/caller.ts";
import { credentialActions } from "./members/credentials.ts";
import { type Departure, placeActions } from "./members/places.ts";
import { openPresence } from "./members/presence.ts";
import { selfActions } from "./members/self.ts";
import { signInActions } from "./members/signin.ts";
import { messageActions } from "./messages/actions.ts";
import { channelActions, type NotifySettings } from "./notify/actions.ts";
import { tellOfGates } from "./notify/outbox.ts";
import { type Hooks, openSpine, type Spine } from "./perform.ts";
import type { Report } from "./report.ts";
import { openRing } from "./ring.ts";
import { ruleActions } from "./rules/actions.ts";
import { openSame, type Same } from "./same.ts";
import type { Store } from "./store/port.ts";
import { streamActions } from "./stream/actions.ts";

export interface Settings extends GateSettings, BoardSettings, NotifySettings {}

export interface Table extends Spine {
  /** A sign of life without a call: an open dashboard. */
  here(caller: Caller): Promise<void>;
  /** What was read is not read again while nothing was committed. */
  same: Same;
  awake: Awake;
  report: Report;
  close(): Promise<void>;
}

export function openTable(store: Store, clock: Clock, settings: Settings, report: Report): Table {
  const awake = openAwake();
  const departures: Departure[] = [withdrawOfMember, dropHalvesOf, floorsGone, boardGone];
  const actions: AnyAction[] = [
    ...selfActions,
    ...boardActions(settings),
    ...floorActions,
    ...askActions(settings),
    ...decideActions(settings),
    ...afterwardsActions(settings),
    ...ruleActions,
    ...permissionActions(settings),
    ...messageActions,
    ...placeActions(departures),
    ...credentialActions(departures),
    ...signInActions(),
    ...stopActions({ pauseOpen, resumeThese }),
    ...streamActions,
    ...channelActions(clock, settings),
  ];
  const same = openSame(store, clock);
  const presence = openPresence(store, clock, report);
  const ring = openRing(store, report);
  const writeAs =
    (caller: Caller): WriteIn =>
    (room, body) =>
      spine.write(caller, room, body);

  const hooks: Hooks = {
    settle: [settleGates(awake), settleFloors, settleBoard(awake), forget],
    follow: [gatesTouched, askPeople(own), tellOfGates],
    async arrives(caller, itself, session) {
      await presence.sign(caller);
      const { kind, member } = caller.actor;
      if (kind !== "local" && itself)
        await acknowledge(
          member,
          session,
          () => same(`unacknowledged ${member}`, (db) => unacknowledged(db, member, clock.now())),
          writeAs(caller),
        );
    },
    waits: presence.waits,
    inbox: (caller, written, session) =>
      inboxOf(same, caller.actor.member, clock.now(), writeAs(caller), written, session),
  };
  const spine = openSpine(store, ring, clock, actions, hooks);
  return {
    ...spine,
    here: presence.sign,
    same,
    awake,
    report,
    async close() {
      await ring.close();
      await store.close();
    },
  };
}
