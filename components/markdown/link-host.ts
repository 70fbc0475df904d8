import { marksOf } from '@/lib/base/untrusted-text/foreign-text'
import { invisibleText } from '@/lib/i18n/invisible-text'

/** Longer queries can carry away what is in the chat. */
const LONG_QUERY = 100

/**
 * The place a link really leads to, where its text may say otherwise; null where it is plain. `text` is the link's own,
 * `href` an address that passed `safeUrl`. It is named where the text looks like another address, holds what does not
 * show or turns letters round, or the address carries much, names someone before its host, or a host of other letters.
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

/** So much of an address is shown beside its link. */
const SHOWN_ADDRESS = 200

/** An address that holds what does not show, as it is or escaped, to be printed with its marks; null: all of it shows. */
export function unseenAddress(href: string): string | null {
  const holdsUnseen = (text: string) =>
    marksOf(text, 'name').some(({ kind }) => kind !== 'look-alike' && kind !== 'blank')
  const found = [href, unescaped(href)].find((text) => holdsUnseen(text))
  return found === undefined ? null : found.slice(0, SHOWN_ADDRESS)
}

/** Escapes that are no text stay as they are. */
const unescaped = (href: string): string =>
  href.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes)
    } catch {
      return escapes
    }
  })

/** Hosts that the text seems to name, in any writing that a reader takes for one. */
function hostsIn(text: string): readonly string[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/[\u2024\u3002\uff0e\uff61]/g, '.')
    .replaceAll(/[\u2044\u2215\u29f8]/g, '/')
  return [...plain.matchAll(/(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^\s/@]*@)?([\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/gu)].map(
    ([, host = '']) => host,
  )
}

/** `www.` aside; a file's name such as `notes.md` is taken for a host too, which only names one place too many. */
const isSameHost = (one: string, host: string): boolean =>
  one.replace(/^www\./, '') === host.toLowerCase().replace(/^www\./, '')

const namesAddress = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim())

/**
 * The address a link may lead to, or null: http, https, mailto, and places on this page. Everything else (`javascript:`,
 * `data:`, protocol-relative, paths of this app that a model could aim at) is shown as text.
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
