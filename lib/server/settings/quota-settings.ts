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
export const quotaSettings = {
  NOD_MAX_RUNS_PER_ADDRESS: {
    ...replies,
    least: 1,
    // A family or a small office behind one address.
    default: 16,
    meaning: 'Replies that all owners from one address generate at a time, on all nodes together.',
  },
  NOD_MAX_STREAMS_PER_ADDRESS: {
    ...people,
    kind: 'number',
    unit: { one: 'view', other: 'views' },
    least: 1,
    most: 1_000_000,
    default: 128,
    meaning: 'Open event streams from one address, per process.',
  },
  NOD_MAX_QUEUED: {
    ...replies,
    least: 0,
    default: 200,
    meaning: 'Replies that wait in the queue of one process. More are refused with `Retry-After`. `0`: no queue.',
  },
  NOD_MAX_QUEUED_PER_OWNER: {
    ...replies,
    least: 0,
    default: 8,
    meaning: 'Queued replies of one owner, on all nodes together.',
  },
  NOD_MAX_BYTES_PER_OWNER: {
    ...people,
    kind: 'number',
    unit: { one: 'byte', other: 'bytes' },
    least: 0,
    most: 1e15,
    default: 1_000_000_000,
    meaning:
      'Bytes that one owner can store. `0`: no limit, which is the default on a server that listens on loopback only.',
  },
  NOD_BYTES_PER_DAY_PER_ADDRESS: {
    ...people,
    kind: 'number',
    unit: { one: 'byte', other: 'bytes' },
    least: 1_000_000,
    most: 1e15,
    default: 5_000_000_000,
    meaning: 'Bytes that one address can store per day (UTC), on all nodes together.',
  },
  NOD_REQUESTS_PER_MINUTE: {
    ...requests,
    default: 1_800,
    meaning: 'Requests of one owner per minute, on all nodes together.',
  },
  NOD_REQUESTS_PER_MINUTE_PER_ADDRESS: {
    ...requests,
    default: 6_000,
    meaning: 'Requests from one address per minute, on all nodes together.',
  },
  NOD_NEWCOMERS_PER_HOUR: {
    ...people,
    kind: 'number',
    unit: { one: 'visitor', other: 'visitors' },
    least: 1,
    most: 100_000_000,
    default: 300,
    meaning: 'New visitors from one address per hour, on all nodes together.',
  },
  NOD_BUDGET_TOKENS_PER_DAY: {
    ...tokens,
    meaning:
      'Tokens of all models that all people together can use per day (UTC). For finer budgets use `nod.config.json`.',
  },
  NOD_BUDGET_TOKENS_PER_DAY_AND_PERSON: {
    ...tokens,
    meaning: 'Tokens of all models that each person can use per day (UTC).',
  },
  NOD_RETENTION_DAYS: {
    ...days,
    least: 0,
    default: 0,
    otherwise: 'never',
    meaning: 'Delete chats that were not changed for this many days. The app tells people.',
  },
  NOD_ORPHAN_DAYS: {
    ...days,
    least: 1,
    // The cookie of a visitor ends 400 days after it was last renewed: nobody can come back to what is older.
    default: 430,
    meaning: 'Delete the chats of visitors without an account who did not return for this many days.',
  },
} as const satisfies Readonly<Record<string, Setting>>
