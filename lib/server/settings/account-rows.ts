import type { Setting } from './setting'

const row = { page: 'hosting', who: 'servers with accounts' } as const

/** The variables of accounts ([accounts](../../docs/hosting/accounts.md)); what goes with what is checked by `lib/server/wiring/accounts/account-settings.ts`. */
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
    leastChars: 16,
    ...row,
    meaning: 'At least 16 characters. The proxy sends it as `X-Nod-Proxy-Secret`. Required for `header`.',
  },
  NOD_AUTH_PROXIES: {
    kind: 'list',
    ...row,
    meaning: 'Addresses and networks (`10.0.0.0/8`) of the proxies that may send the user. Required for `header`.',
  },
} as const satisfies Readonly<Record<string, Setting>>
