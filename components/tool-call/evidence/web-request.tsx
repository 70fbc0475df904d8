'use client'

import { CodeBlock } from '@/components/ui/code/code-block'
import { SentenceText } from '@/components/ui/text/foreign-text'
import { asUntrusted } from '@/lib/base/untrusted-text/foreign'
import { t } from '@/lib/i18n/t'
import type { WebAccess } from '@/lib/shared/web/web-answer'
import { readWebAddress, unicodeHost } from '@/lib/shared/web/web-address'
import { useCall } from '../scope/call-scope'
import { CardBody } from '../styles/card'
import { kindOf, nameOf } from '../words/origin-words'
import type { CallMark, LinedPlace } from '@/lib/shared/origin/branch-origin'

/** How much of an outgoing text comes from the chat's results, files or other foreign texts. */
interface OutgoingShare {
  readonly place: LinedPlace
  /** Length in UTF-16 units. */
  readonly characters: number
}

/** The address with its escapes decoded, where they are text. */
export function decodedAddress(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/**
 * Largest shares first. `values`: normalized values of the call that the origin marks found in texts the user did not
 * write. Overlapping values of one source count once.
 */
export function sharesOf(text: string, values: CallMark['values']): readonly OutgoingShare[] {
  const searched = text.toLowerCase()
  const byPlace = new Map<string, { readonly place: LinedPlace; readonly held: Uint8Array }>()
  for (const { value, place } of values) {
    if (value === '') continue
    const key = JSON.stringify({ ...place, line: undefined })
    const found = byPlace.get(key) ?? { place, held: new Uint8Array(searched.length) }
    byPlace.set(key, found)
    for (let at = searched.indexOf(value); at >= 0; at = searched.indexOf(value, at + value.length)) {
      found.held.fill(1, at, at + value.length)
    }
  }
  return [...byPlace.values()]
    .map(({ place, held }) => ({ place, characters: held.reduce((sum, one) => sum + one, 0) }))
    .filter(({ characters }) => characters > 0)
    .toSorted((a, b) => b.characters - a.characters)
}

/** Texts whose share of the outgoing text is named. */
const maxShares = 3

const facts = 'grid gap-1 px-3.5 py-2.5 text-sm text-muted narrow:px-3 [&>p]:m-0'
const marked = 'text-warn'

/** What a web call sends: the whole address or the search words, and how much of it comes from texts of the chat. */
export default function WebRequest({ what, text }: { what: WebAccess; text: string }) {
  if (what === 'pages') return <PageRequest text={text} />
  return (
    <CardBody>
      <CodeBlock label={t('card-web.query')} text={text} />
      <div className={facts}>
        <SentText text={text} />
        <p>{t('card-web.through', { what })}</p>
      </div>
    </CardBody>
  )
}

function PageRequest({ text }: { text: string }) {
  const read = readWebAddress(text)
  if (!read.ok) {
    return (
      <CardBody>
        <CodeBlock label={t('card-web.address')} text={text} />
        <div className={facts}>
          <p className={marked} role="note">
            {t('card-web.malformed')}
          </p>
        </div>
      </CardBody>
    )
  }
  const url = read.value
  const letters = unicodeHost(url.hostname)
  const afterHost = `${url.pathname}${url.search}`
  const decoded = decodedAddress(afterHost)
  return (
    <CardBody>
      {/* The sentence above names the host in full, in ASCII. */}
      {letters === null ? null : (
        <p className="m-0 px-3.5 py-2.5 text-sm wrap-anywhere text-warn narrow:px-3" role="note">
          <SentenceText text={t('card-web.letters', { host: asUntrusted(letters) })} />
        </p>
      )}
      <CodeBlock label={t('card-web.address')} text={url.href} />
      {decoded === afterHost ? null : (
        <>
          <p className="m-0 px-3.5 pt-2.5 pb-1 text-sm text-muted narrow:px-3">{t('card-web.decoded')}</p>
          <CodeBlock label={t('card-web.decoded')} text={decoded} />
        </>
      )}
      <div className={facts}>
        <SentText text={decoded.replace(/^\//, '')} />
        {url.protocol === 'http:' ? <p>{t('card-web.clear')}</p> : null}
        <p>{t('card-web.through', { what: 'pages' })}</p>
      </div>
    </CardBody>
  )
}

/** Example: "Sent: 212 characters, 31 of them from the result of read_file." */
function SentText({ text }: { text: string }) {
  const { entry } = useCall()
  const shares = sharesOf(text, entry.origin?.values ?? []).slice(0, maxShares)
  const parts = shares.map(({ place, characters }) =>
    t('card-web.share', { count: characters, place: kindOf(place), name: asUntrusted(nameOf(place)) }),
  )
  return (
    <p className={shares.length > 0 ? marked : undefined} role="note">
      <SentenceText text={t('card-web.goes-out', { count: text.length, shares: parts })} />
    </p>
  )
}
