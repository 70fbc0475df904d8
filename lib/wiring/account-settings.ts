import { readFileSync } from 'node:fs'
import type { AccountSettings, HeaderSettings, OidcSettings, SignInWay } from '@/lib/accounts/account-settings'
import { addressRange, isEmail } from '@/lib/accounts/proxy-header'
import { isLoopbackName } from '@/lib/http/bind'
import { accountError } from '@/lib/words/accounts'

type Env = Readonly<Record<string, string | undefined>>

const WAYS: readonly SignInWay[] = ['password', 'oidc', 'header']
const isWay = (word: string): word is SignInWay => WAYS.some((way) => way === word)
const MIN_PROXY_SECRET_CHARS = 16

/** Which settings mean nothing without which way. */
const OF_WAY: Readonly<Record<string, SignInWay>> = {
  NOD_OIDC_ISSUER: 'oidc',
  NOD_OIDC_CLIENT_ID: 'oidc',
  NOD_OIDC_CLIENT_SECRET: 'oidc',
  NOD_OIDC_CLIENT_SECRET_FILE: 'oidc',
  NOD_OIDC_LABEL: 'oidc',
  NOD_AUTH_HEADER: 'header',
  NOD_AUTH_HEADER_EMAIL: 'header',
  NOD_AUTH_PROXY_SECRET: 'header',
  NOD_AUTH_PROXY_SECRET_FILE: 'header',
}

/**
 * What `NOD_AUTH` and its companions say; null: no accounts, everybody is a browser. Throws AppError `unavailable` with a sentence
 * for the operator: a server that was to be closed must not stand open.
 */
export function readAccountSettings(env: Env): AccountSettings | null {
  const words = wordsOf(env, 'NOD_AUTH')
  if (words.length === 0) {
    const alone = ['NOD_AUTH_ANONYMOUS', 'NOD_ADMINS', ...Object.keys(OF_WAY)].find((name) => textOf(env, name) !== '')
    if (alone !== undefined) throw accountError('unavailable', 'accounts.start-alone', { name: alone })
    return null
  }
  const ways = new Set(words.filter(isWay))
  const unknown = words.find((word) => !isWay(word) && word !== 'invite')
  if (unknown !== undefined) throw accountError('unavailable', 'accounts.start-unknown', { word: unknown })
  const inviteOnly = words.includes('invite')
  if (ways.size === 0) throw accountError('unavailable', 'accounts.start-how')
  if (inviteOnly && ways.has('header') && ways.size === 1)
    throw accountError('unavailable', 'accounts.start-header-invite')
  for (const [name, way] of Object.entries(OF_WAY)) {
    if (textOf(env, name) !== '' && !ways.has(way))
      throw accountError('unavailable', 'accounts.start-without', { name, way })
  }
  const publicUrl = readPublicUrl(env)
  if (ways.has('oidc') && publicUrl === null) {
    throw accountError('unavailable', 'accounts.start-missing', { name: 'NOD_PUBLIC_URL', way: 'oidc' })
  }
  return {
    ways,
    inviteOnly,
    anonymous: readSwitch(env, 'NOD_AUTH_ANONYMOUS', true),
    admins: wordsOf(env, 'NOD_ADMINS').map((word) => {
      if (!isEmail(word)) throw accountError('unavailable', 'accounts.start-admin', { word })
      return word
    }),
    publicUrl,
    oidc: ways.has('oidc') ? readOidc(env) : null,
    header: ways.has('header') ? readHeader(env) : null,
  }
}

/** Of these settings, for whoever keeps secrets out of the log. */
export const accountSecrets = (settings: AccountSettings | null): readonly (string | null | undefined)[] => [
  settings?.oidc?.clientSecret,
  settings?.header?.secret,
]

const textOf = (env: Env, name: string): string => env[name]?.trim() ?? ''

const wordsOf = (env: Env, name: string): readonly string[] =>
  textOf(env, name)
    .split(',')
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '')

function readSwitch(env: Env, name: string, otherwise: boolean): boolean {
  const text = textOf(env, name)
  if (text === '') return otherwise
  if (text !== 'on' && text !== 'off') throw accountError('unavailable', 'accounts.start-switch', { name })
  return text === 'on'
}

function needed(env: Env, name: string, way: SignInWay): string {
  const text = textOf(env, name)
  if (text === '') throw accountError('unavailable', 'accounts.start-missing', { name, way })
  return text
}

/** The variable, else the file that `<name>_FILE` names, without the end of its line. */
function secretOf(env: Env, name: string, way: SignInWay): string {
  const file = textOf(env, `${name}_FILE`)
  if (file === '') return needed(env, name, way)
  try {
    const text = readFileSync(/* turbopackIgnore: true */ file, 'utf8').trim()
    if (text !== '') return text
  } catch (cause) {
    throw accountError('unavailable', 'accounts.start-file', { name: `${name}_FILE`, file }, { cause })
  }
  throw accountError('unavailable', 'accounts.start-missing', { name, way })
}

function readAddress(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const fits = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname))
  if (!url || !fits || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw accountError('unavailable', 'accounts.start-address', { name })
  }
  return url
}

function readPublicUrl(env: Env): string | null {
  const text = textOf(env, 'NOD_PUBLIC_URL')
  if (text === '') return null
  const url = readAddress('NOD_PUBLIC_URL', text)
  if (url.pathname !== '/') throw accountError('unavailable', 'accounts.start-origin', { name: 'NOD_PUBLIC_URL' })
  return url.origin
}

const readOidc = (env: Env): OidcSettings => ({
  issuer: readAddress('NOD_OIDC_ISSUER', needed(env, 'NOD_OIDC_ISSUER', 'oidc')).href.replace(/\/+$/, ''),
  clientId: needed(env, 'NOD_OIDC_CLIENT_ID', 'oidc'),
  clientSecret: secretOf(env, 'NOD_OIDC_CLIENT_SECRET', 'oidc'),
  label: textOf(env, 'NOD_OIDC_LABEL') || 'single sign-on',
})

function readHeader(env: Env): HeaderSettings {
  const secret = secretOf(env, 'NOD_AUTH_PROXY_SECRET', 'header')
  if (secret.length < MIN_PROXY_SECRET_CHARS) {
    throw accountError('unavailable', 'accounts.start-short', {
      name: 'NOD_AUTH_PROXY_SECRET',
      least: MIN_PROXY_SECRET_CHARS,
    })
  }
  const proxies = wordsOf(env, 'NOD_TRUSTED_PROXIES')
  if (proxies.length === 0) {
    throw accountError('unavailable', 'accounts.start-missing', { name: 'NOD_TRUSTED_PROXIES', way: 'header' })
  }
  const wrong = proxies.find((word) => addressRange(word) === null)
  if (wrong !== undefined) throw accountError('unavailable', 'accounts.start-proxies', { word: wrong })
  return {
    user: headerName(env, 'NOD_AUTH_HEADER', 'x-forwarded-user'),
    email: headerName(env, 'NOD_AUTH_HEADER_EMAIL', 'x-forwarded-email'),
    secret,
    proxies,
  }
}

function headerName(env: Env, name: string, otherwise: string): string {
  const value = textOf(env, name).toLowerCase() || otherwise
  if (!/^[a-z0-9-]{1,64}$/.test(value)) {
    throw accountError('unavailable', 'accounts.start-header-name', { name, value })
  }
  return value
}
