import { marksOf } from '@/lib/base/untrusted-text/foreign-text'
import { invisibleText } from '@/lib/i18n/invisible-text'

/** A longer query could leak data from the chat. */
const LONG_QUERY = 100

/**
 * The real target of a link, if its text may mislead; null otherwise. `text` is the link's text, `href` an address that
 * passed `safeUrl`. The target is shown in these cases: the text looks like another address, contains invisible or
 * direction-changing characters, or the address has a long query, user info before its host, or a host with non-ASCII
 * letters.
 */
export function hostNextTo(text: string, href: string): string | null {
  if (href.startsWith('#')) return null
  let url: URL
  try {
    url = new URL(href)
  } catch {
    return null
  }
  if (url.protocol === 'mailto:') {
    const address = url.pathname
    return namesAddress(text) && !text.includes(address) ? `mail to ${address}` : null
  }
  const { host } = url
  const written = text.trim().toLowerCase()
  const named = hostsIn(written)
  const isOther = named.some((one) => !isSameHost(one, url.hostname))
  const carries = url.search.length + url.hash.length > LONG_QUERY || url.pathname.length > 2 * LONG_QUERY
  const isDisguised = url.username !== '' || url.password !== '' || url.hostname.includes('xn--')
  return isOther || carries || isDisguised || invisibleText(text) !== '' || namesAddress(written) ? host : null
}

/** The shown length of an address beside its link. */
const SHOWN_ADDRESS = 200

/** An address with invisible characters, raw or escaped, with marks to display them; null if there are none. */
export function unseenAddress(href: string): string | null {
  const holdsUnseen = (text: string) =>
    marksOf(text, 'name').some(({ kind }) => kind !== 'look-alike' && kind !== 'blank')
  const found = [href, unescaped(href)].find((text) => holdsUnseen(text))
  return found === undefined ? null : found.slice(0, SHOWN_ADDRESS)
}

/** Escapes that are not valid text are kept. */
const unescaped = (href: string): string =>
  href.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })

/** Hosts that the text seems to name, in any notation that a reader would take for one. */
function hostsIn(text: string): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\u2024\u3002\uff0e\uff61]/g, '.')
    .replaceAll(/[\u2044\u2215\u29f8]/g, '/')
  return [...plain.matchAll(/(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\s/@]*@)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/gu)].map(
    ([, host = '']) => host,
  )
}

/** Ignores `www.`. A file name such as `notes.md` counts as a host too, which only shows one target too many. */
const isSameHost = (one: string, host: string): boolean =>
  one.replace(/^www\./, '') === host.toLowerCase().replace(/^www\./, '')

const namesAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

/**
 * The address that a link may open, or null: http, https, mailto, and fragments of this page. Everything else
 * (`javascript:`, `data:`, protocol-relative addresses, paths of this app that a model could target) is shown as text.
 */
export function safeUrl(url: string | null | undefined): string | null {
  const trimmed = (url ?? '').trim()
  if (/^#[\w-]*$/.test(trimmed)) return trimmed
  if (!/^(?:https?|mailto):/i.test(trimmed)) return null
  try {
    const { protocol } = new URL(trimmed)
    return protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:' ? trimmed : null
  } catch {
    return null
  }
}
