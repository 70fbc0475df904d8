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

/** How a server's resources are shared; on all nodes together unless noted otherwise. */
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
  NOD_WEB_PER_HOUR: {
    ...requests,
    default: 60,
    meaning: 'Pages and web searches of one owner per hour, on all nodes together.',
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
    // A visitor's cookie expires 400 days after it was last renewed: nobody can return to older chats.
    default: 430,
    meaning: 'Delete the chats of visitors without an account who did not return for this many days.',
  },
} as const satisfies Readonly<Record<string, Setting>>

const row = { page: 'hosting', who: 'servers with accounts' } as const

/**
 * The variables of accounts ([accounts](../../docs/hosting/accounts.md));
 * `lib/server/wiring/accounts/account-settings.ts` checks which combinations are valid.
 */
export const accountRows = {
  NOD_AUTH: {
    kind: 'list',
    ...row,
    meaning:
      'Turns [accounts](../hosting/accounts.md) on: `password`, `oidc`, `header`, separated by commas. `invite`: signing up needs an invitation.',
  },
  NOD_AUTH_ANONYMOUS: {
    kind: 'flag',
    default: true,
    ...row,
    meaning: '`off`: people who are not signed in see only the sign-in page.',
  },
  NOD_REVIEWERS: {
    kind: 'flag',
    default: false,
    ...row,
    meaning:
      '`on`: people can name another account that may decide on a waiting call by a [link](../using/approval.md#decide-on-a-call).',
  },
  NOD_ADMINS: {
    kind: 'list',
    ...row,
    meaning: 'E-mail addresses of administrators. An address counts once it is verified.',
  },
  NOD_PUBLIC_URL: {
    kind: 'text',
    ...row,
    meaning: 'The server’s public address, such as `https://chat.example.com`. Required for `oidc`.',
  },
  NOD_OIDC_ISSUER: {
    kind: 'text',
    ...row,
    meaning: 'The OpenID Connect provider, such as `https://login.example.com`.',
  },
  NOD_OIDC_CLIENT_ID: { kind: 'text', ...row, meaning: 'Nod’s client ID at the provider.' },
  NOD_OIDC_CLIENT_SECRET: { kind: 'secret', ...row, meaning: 'Nod’s client secret at the provider.' },
  NOD_OIDC_LABEL: {
    kind: 'text',
    default: 'single sign-on',
    ...row,
    meaning: 'The provider’s name on the button “Continue with …”.',
  },
  NOD_AUTH_HEADER: {
    kind: 'text',
    default: 'x-forwarded-user',
    ...row,
    meaning: 'The header in which the proxy sends the user.',
  },
  NOD_AUTH_HEADER_EMAIL: {
    kind: 'text',
    default: 'x-forwarded-email',
    ...row,
    meaning: 'The header in which the proxy sends the user’s address.',
  },
  NOD_AUTH_PROXY_SECRET: {
    kind: 'secret',
    minChars: 16,
    ...row,
    meaning: 'At least 16 characters. The proxy sends it as `X-Nod-Proxy-Secret`. Required for `header`.',
  },
  NOD_AUTH_PROXIES: {
    kind: 'list',
    ...row,
    meaning: 'Addresses and networks (`10.0.0.0/8`) of the proxies that may send the user. Required for `header`.',
  },
} as const satisfies Readonly<Record<string, Setting>>
