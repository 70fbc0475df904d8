import type { Setting } from './setting'

const row = { page: 'hosting', who: 'servers with accounts' } as const

/** The variables of accounts ([accounts](../../docs/accounts.md)); what goes with what is checked by `lib/wiring/account-settings.ts`. */
export const accountRows = {
  NOD_AUTH: {
    kind: 'list',
    ...row,
    meaning:
      'turns [accounts](accounts.md) on: `password`, `oidc`, `header`, by commas; `invite`: sign-up needs an invitation',
  },
  NOD_AUTH_ANONYMOUS: {
    kind: 'flag',
    default: true,
    ...row,
    meaning: '`off`: who is not signed in sees the page to sign in, and nothing else',
  },
  NOD_ADMINS: {
    kind: 'list',
    ...row,
    meaning: 'e-mail addresses whose proven holders are administrators',
  },
  NOD_PUBLIC_URL: {
    kind: 'text',
    ...row,
    meaning: 'this server’s own address as browsers see it, `https://chat.example.com`; needed for `oidc`',
  },
  NOD_OIDC_ISSUER: { kind: 'text', ...row, meaning: 'the provider of OpenID Connect, `https://login.example.com`' },
  NOD_OIDC_CLIENT_ID: { kind: 'text', ...row, meaning: 'what this server is called there' },
  NOD_OIDC_CLIENT_SECRET: { kind: 'secret', ...row, meaning: 'its secret there' },
  NOD_OIDC_LABEL: {
    kind: 'text',
    default: 'single sign-on',
    ...row,
    meaning: 'what the button calls it: “Continue with …”',
  },
  NOD_AUTH_HEADER: {
    kind: 'text',
    default: 'x-forwarded-user',
    ...row,
    meaning: 'in which header the proxy names who asks',
  },
  NOD_AUTH_HEADER_EMAIL: {
    kind: 'text',
    default: 'x-forwarded-email',
    ...row,
    meaning: 'in which header it says their address',
  },
  NOD_AUTH_PROXY_SECRET: {
    kind: 'secret',
    leastChars: 16,
    ...row,
    meaning: '16 characters or more, which the proxy says in `X-Nod-Proxy-Secret`; needed for `header`',
  },
  NOD_AUTH_PROXIES: {
    kind: 'list',
    ...row,
    meaning: 'addresses and ranges (`10.0.0.0/8`) of the proxies that may name who asks; needed for `header`',
  },
} as const satisfies Readonly<Record<string, Setting>>
