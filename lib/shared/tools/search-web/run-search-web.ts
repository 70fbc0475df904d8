import { isJsonObject, type JsonValue } from '@/lib/base/json'
import { makeModelMessage } from '@/lib/i18n/t'
import { readWebAddress } from '@/lib/shared/web/web-address'
import { maxFound } from '@/lib/shared/web/web-answer'
import { base64Bytes } from '../offload-result'
import { openApproved, webFailure } from '../open-approved'
import { refuse } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'

interface Found {
  readonly title: string
  readonly url: string
  readonly excerpt: string
}

export async function runSearchWeb(context: ToolContext<'none'>): Promise<ToolOutcome> {
  const opened = await openApproved(context)
  if (!opened.ok) return opened.error
  if (opened.value.kind === 'failed') return webFailure(opened.value)
  const found = readFound(new TextDecoder().decode(base64Bytes(opened.value.base64)))
  if (found === null) return refuse('unreadable', makeModelMessage('told.web.no-results-read'))
  return { ok: true, result: { results: found.map((one) => ({ ...one })) } }
}

/** SearXNG lists `results`, Brave `web.results`. Entries that are not results are skipped. Null: no list at all. */
export function readFound(text: string): readonly Found[] | null {
  let body: JsonValue
  try {
    body = JSON.parse(text) as JsonValue
  } catch {
    return null
  }
  const top = isJsonObject(body) ? body : {}
  const web = isJsonObject(top['web']) ? top['web'] : {}
  const list = [top['results'], web['results']].find((one) => Array.isArray(one))
  if (!Array.isArray(list)) return null
  return list.flatMap((one: JsonValue) => foundIn(one) ?? []).slice(0, maxFound)
}

function foundIn(value: JsonValue): Found | null {
  if (!isJsonObject(value)) return null
  const url = readWebAddress(textOf(value['url']))
  if (!url.ok) return null
  const excerpt = plain(textOf(value['content']) || textOf(value['description']))
  return { title: short(plain(textOf(value['title'])), 200), url: url.value.href, excerpt: short(excerpt, 300) }
}

const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value.slice(0, 10_000) : '')

/** Some services mark the matching words with `<strong>`. */
const plain = (text: string): string =>
  text
    .replaceAll(/<\/?[a-z]{1,10}>/gi, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const short = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`
