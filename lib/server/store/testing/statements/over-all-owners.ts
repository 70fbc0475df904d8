import type { Store } from '../../ports/store'

/**
 * The only queries about rows of more than one owner, by the store's method: of which tables, and why. All other
 * statements of such a method must name the owner, like everything else.
 */
export const overAllOwners = {
  staleRuns: {
    tables: ['runs'],
    why: 'a reply whose node died is ended by any other node, which knows nothing of its owner; an index of running replies alone answers it',
  },
  pruneRunEvents: {
    tables: ['runs'],
    why: 'events of replies that ended long ago are forgotten, whoever owns them; an index by the time of the end answers it',
  },
  sweepFairUse: {
    tables: ['quotas', 'run_claims', 'runs'],
    why: 'windows that are over are forgotten by an index of their ends; claims are those of replies under way, which are few',
  },
  usageByModelAndDay: {
    tables: ['usage'],
    why: 'whoever runs the server asks what everybody used; an index by day answers it',
  },
  deleteUntouched: {
    tables: ['conversations'],
    why: 'chats that nobody touched for long go, whoever owns them; an index by the time of the last touch answers it',
  },
  deleteOrphans: {
    tables: ['owners'],
    why: 'who was not here for long is looked for among all owners; an index by the last visit answers it',
  },
  indexWords: {
    tables: ['words_due'],
    why: 'whose words are to be read next is asked over all owners; the table has what was written since the last look alone',
  },
  purgeDeleted: {
    tables: ['conversations'],
    why: 'chats that were deleted and not taken back go, whoever owned them; an index of the deleted alone answers it',
  },
  purgeTemporary: {
    tables: ['conversations'],
    why: 'temporary chats whose time is over are deleted for every owner; an index of temporary chats answers it',
  },
  purgeDeletedMessages: {
    tables: ['messages'],
    why: 'what deleted messages held is removed after a while, for every owner; an index of the deleted alone answers it',
  },
  purgeErased: {
    tables: ['conversations'],
    why: 'chats of owners who deleted everything go, whoever they were; the index of the deleted alone answers it',
  },
  trustedTime: {
    tables: ['conversations', 'owners'],
    why: 'the newest row of all tells what time it was here before the clock was watched; asked once, indexes by time answer it',
  },
  readShare: {
    tables: ['shares'],
    why: 'who has a link knows its secret and not whose it is; an index of its hash answers it',
  },
  readReview: {
    tables: ['reviews'],
    why: 'a reviewer knows the secret of a link and not whose chat it is of; an index of its hash answers it',
  },
  sweepShares: {
    tables: ['shares', 'reviews'],
    why: 'expired links of all owners are deleted; indexes of their ends answer it',
  },
  forgetRuns: {
    tables: ['runs'],
    why: 'which requests long-ended replies answered is forgotten for all; an index by the time of the end answers it',
  },
} as const satisfies Partial<Record<keyof Store, { readonly tables: readonly string[]; readonly why: string }>>

/** Tables that are not partitioned, and why. */
export const undivided: Readonly<Record<string, string>> = {
  auth_user: 'an account is found by its address or session before its owner is known',
  auth_session: 'as its account; found by its token',
  auth_account: 'the ways to sign in of an account, found by who somebody is elsewhere',
  auth_verification: 'sign-ins that are under way at a provider: nobody’s yet',
  owner_moves: 'where the chats of a browser go; the owner is the whole key, and any node goes on with what waits',
  kysely_migration: 'which steps the tables have behind them',
  kysely_migration_lock: 'one node migrates at a time',
  trusted_time: 'one row: up to when the clock of this database is trusted',
  programs: 'which versions have brought the tables up to date',
}
