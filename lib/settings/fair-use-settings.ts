import type { Setting } from './setting'

const people = { page: 'hosting', who: 'many people' } as const
const replies = { ...people, kind: 'number', unit: { one: 'reply', other: 'replies' }, most: 1_000_000 } as const
const requests = {
  ...people,
  kind: 'number',
  unit: { one: 'request', other: 'requests' },
  least: 1,
  most: 100_000_000,
} as const
const tokens = {
  ...people,
  kind: 'number',
  unit: { one: 'token', other: 'tokens' },
  least: 0,
  most: 1e15,
  default: 0,
  otherwise: 'any',
} as const
const days = {
  page: 'hosting',
  who: 'operators',
  kind: 'number',
  unit: { one: 'day', other: 'days' },
  most: 36_500,
} as const

/** How what a server has is shared among many; on all nodes together where nothing else is said. */
export const fairUseSettings = {
  NOD_MAX_RUNS_PER_ADDRESS: {
    ...replies,
    least: 1,
    // A family or a small office behind one address.
    default: 16,
    meaning: 'replies that are written at a time for all who come from one address, on all nodes together',
  },
  NOD_MAX_STREAMS_PER_ADDRESS: {
    ...people,
    kind: 'number',
    unit: { one: 'view', other: 'views' },
    least: 1,
    most: 1_000_000,
    default: 128,
    meaning: 'views of running replies for one address on one node',
  },
  NOD_MAX_QUEUED: {
    ...replies,
    least: 0,
    default: 200,
    meaning: 'replies that wait for a place on one node; more are refused with `Retry-After`. `0`: none waits',
  },
  NOD_MAX_QUEUED_PER_OWNER: {
    ...replies,
    least: 0,
    default: 8,
    meaning: 'of them for one owner, on all nodes together',
  },
  NOD_MAX_BYTES_PER_OWNER: {
    ...people,
    kind: 'number',
    unit: { one: 'byte', other: 'bytes' },
    least: 0,
    most: 1e15,
    default: 1_000_000_000,
    meaning:
      'what one owner may keep, of all that they write and let in. `0`: any amount, as on a server for this machine alone',
  },
  NOD_BYTES_PER_DAY_PER_ADDRESS: {
    ...people,
    kind: 'number',
    unit: { one: 'byte', other: 'bytes' },
    least: 1_000_000,
    most: 1e15,
    default: 5_000_000_000,
    meaning: 'what may be stored from one address in a day (UTC), on all nodes together (a node passes a 64th more)',
  },
  NOD_REQUESTS_PER_MINUTE: {
    ...requests,
    default: 1_800,
    meaning: 'requests of one owner in a minute, on all nodes together (a node passes an eighth more before it asks)',
  },
  NOD_REQUESTS_PER_MINUTE_PER_ADDRESS: {
    ...requests,
    default: 6_000,
    meaning: 'the same for one address',
  },
  NOD_NEWCOMERS_PER_HOUR: {
    ...people,
    kind: 'number',
    unit: { one: 'visitor', other: 'visitors' },
    least: 1,
    most: 100_000_000,
    default: 300,
    meaning: 'new visitors from one address in an hour, on all nodes together',
  },
  NOD_BUDGET_TOKENS_PER_DAY: {
    ...tokens,
    meaning: 'tokens of all models that everybody together may use in a day (UTC); more of this in `nod.config.json`',
  },
  NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON: {
    ...tokens,
    meaning: 'the same for each person',
  },
  NOD_RETENTION_DAYS: {
    ...days,
    least: 0,
    default: 0,
    otherwise: 'never',
    meaning: 'chats that nobody touched for so many days are deleted with all that belongs to them; the app says so',
  },
  NOD_ORPHAN_DAYS: {
    ...days,
    least: 1,
    // The cookie of a visitor ends 400 days after it was last renewed: nobody can come back to what is older.
    default: 430,
    meaning: 'the chats of visitors without an account who were not here for so many days are deleted',
  },
} as const satisfies Readonly<Record<string, Setting>>
