import { AppError } from '@/lib/base/app-error'
import type {
  AccountSettings,
  HeaderSettings,
  OidcSettings,
  SignInMethod,
} from '@/lib/shared/server-facts/account-rows'
import { addressRange, isEmail } from '@/lib/server/accounts/proxy-header'
import { isLoopbackName } from '@/lib/server/http/bind'
import type { SettingName, Settings } from '@/lib/server/settings/settings-table'
import { makeError, makeRefusal } from '@/lib/i18n/t'

/* Small on purpose: settings code and the proxy import it. */

const ways: readonly SignInMethod[] = ['password', 'oidc', 'header']
const isWay = (word: string): word is SignInMethod => ways.some((way) => way === word)

/**
 * Variables that have no effect without a certain sign-in method. Those with a default are left out, because a default
 * looks like a set value.
 */
const ofWay = {
  NOD_OIDC_ISSUER: 'oidc',
  NOD_OIDC_CLIENT_ID: 'oidc',
  NOD_OIDC_CLIENT_SECRET: 'oidc',
  NOD_AUTH_PROXY_SECRET: 'header',
  NOD_AUTH_PROXIES: 'header',
} as const satisfies Partial<Record<SettingName, SignInMethod>>

/** Errors in the combination of account settings, one sentence each; empty if they are valid. */
export function accountMistakes(settings: Settings): readonly string[] {
  try {
    readAccountSettings(settings)
    return []
  } catch (error) {
    if (error instanceof AppError) return [error.message]
    throw error
  }
}

/**
 * The settings in `NOD_AUTH` and its related variables; null: no accounts. Throws AppError `unavailable` if they are
 * invalid.
 */
export function readAccountSettings(settings: Settings): AccountSettings | null {
  const words = settings.NOD_AUTH.map((word) => word.toLowerCase())
  const unknown = words.find((word) => !isWay(word) && word !== 'invite')
  if (unknown !== undefined) throw makeError('unavailable', 'accounts.start-unknown', { word: unknown })
  if (words.length === 0) {
    refuseAlone(settings)
    return null
  }
  const chosen = new Set(words.filter(isWay))
  const inviteOnly = words.includes('invite')
  if (chosen.size === 0) throw makeError('unavailable', 'accounts.start-how')
  if (inviteOnly && chosen.has('header') && chosen.size === 1)
    throw makeError('unavailable', 'accounts.start-header-invite')
  for (const [name, way] of Object.entries(ofWay)) {
    if (isSet(settings[name as keyof typeof ofWay]) && !chosen.has(way))
      throw makeError('unavailable', 'accounts.start-without', { name, way })
  }
  const publicUrl = settings.NOD_PUBLIC_URL === null ? null : originOf('NOD_PUBLIC_URL', settings.NOD_PUBLIC_URL)
  return {
    ways: chosen,
    inviteOnly,
    anonymous: settings.NOD_AUTH_ANONYMOUS,
    admins: settings.NOD_ADMINS.map(adminAddress),
    publicUrl,
    oidc: chosen.has('oidc') ? readOidc(settings) : null,
    header: chosen.has('header') ? readHeader(settings) : null,
  }
}

const isSet = (value: string | readonly string[] | null): boolean => value !== null && value.length > 0

function refuseAlone(settings: Settings): void {
  const names = ['NOD_ADMINS', ...Object.keys(ofWay)] as (keyof typeof ofWay | 'NOD_ADMINS')[]
  const flag = !settings.NOD_AUTH_ANONYMOUS ? 'NOD_AUTH_ANONYMOUS' : settings.NOD_REVIEWERS ? 'NOD_REVIEWERS' : null
  const alone = flag ?? names.find((name) => isSet(settings[name]))
  if (alone !== undefined) throw makeError('unavailable', 'accounts.start-alone', { name: alone })
}

function adminAddress(word: string): string {
  if (!isEmail(word)) throw makeError('unavailable', 'accounts.start-admin', { word })
  return word.toLowerCase()
}

function needed<T extends string | readonly string[]>(value: T | null, name: SettingName, way: SignInMethod): T {
  if (value === null || value.length === 0) throw makeError('unavailable', 'accounts.start-missing', { name, way })
  return value
}

/** Requires HTTPS, except for this machine. */
function addressIn(name: SettingName, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  const fits = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackName(url.hostname))
  if (!url || !fits || url.username !== '' || url.search !== '' || url.hash !== '') {
    throw makeError('unavailable', 'accounts.start-address', { name })
  }
  return url
}

function originOf(name: SettingName, text: string): string {
  const url = addressIn(name, text)
  if (url.pathname !== '/') throw makeError('unavailable', 'accounts.start-origin', { name })
  return url.origin
}

function readOidc(settings: Settings): OidcSettings {
  needed(settings.NOD_PUBLIC_URL, 'NOD_PUBLIC_URL', 'oidc')
  const issuer = needed(settings.NOD_OIDC_ISSUER, 'NOD_OIDC_ISSUER', 'oidc')
  return {
    issuer: addressIn('NOD_OIDC_ISSUER', issuer).href.replace(/\/+$/, ''),
    clientId: needed(settings.NOD_OIDC_CLIENT_ID, 'NOD_OIDC_CLIENT_ID', 'oidc'),
    clientSecret: needed(settings.NOD_OIDC_CLIENT_SECRET, 'NOD_OIDC_CLIENT_SECRET', 'oidc'),
    label: settings.NOD_OIDC_LABEL,
  }
}

function readHeader(settings: Settings): HeaderSettings {
  const proxies = needed(settings.NOD_AUTH_PROXIES, 'NOD_AUTH_PROXIES', 'header')
  const wrong = proxies.find((word) => addressRange(word) === null)
  if (wrong !== undefined) throw makeError('unavailable', 'accounts.start-proxies', { word: wrong })
  return {
    user: headerName(settings, 'NOD_AUTH_HEADER'),
    email: headerName(settings, 'NOD_AUTH_HEADER_EMAIL'),
    secret: needed(settings.NOD_AUTH_PROXY_SECRET, 'NOD_AUTH_PROXY_SECRET', 'header'),
    proxies,
  }
}

function headerName(settings: Settings, name: 'NOD_AUTH_HEADER' | 'NOD_AUTH_HEADER_EMAIL'): string {
  const value = settings[name].toLowerCase()
  if (!/^[a-z0-9-]{1,64}$/.test(value)) throw makeError('unavailable', 'accounts.start-header-name', { name, value })
  return value
}

/** Why a visitor was sent to the sign-in page, by the code in the URL; null for an unknown code. */
export function signInReason(error: string | null, label: string | null): string | null {
  switch (error) {
    case null:
    case '':
      return null
    case 'signed_out':
      return makeRefusal('accounts.signed-out').message
    case 'invitation_needed':
      return makeRefusal('accounts.invitation-needed').message
    case 'address_must_be_proven':
      return makeRefusal('accounts.address-must-be-proven').message
    case 'invitation_wrong':
      return makeRefusal('accounts.invitation-wrong').message
    case 'account_disabled':
      return makeRefusal('accounts.disabled').message
    case 'account_not_linked':
      return makeRefusal('accounts.not-linked', { label: label ?? '' }).message
    default:
      return makeRefusal('accounts.oidc-failed').message
  }
}
