import { isRecord } from '@/lib/base/json'

/*
 * Marks that ChatGPT puts into the text of a reply for its own page, using private-use characters:
 *
 *   hop.⟨E200⟩cite⟨E202⟩turn0search1⟨E201⟩      a source; its address is in metadata.content_references
 *   ⟨E200⟩entity⟨E202⟩["animal","Kangaroo"]⟨E201⟩   a word of the text that can be looked up
 *   ⟨E200⟩i⟨E202⟩turn0image0⟨E201⟩                  images
 *   says so 【3†source】                         a source in older replies; see metadata.citations
 */

type Json = Readonly<Record<string, unknown>>

const mark = /\ue200([^\ue200-\ue202]*)(?:\ue202([^\ue201]*))?\ue201/g
const older = /【(\d+)(?::\d+)?†[^】]{0,200}】/g

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const recordsIn = (value: unknown): readonly Json[] => (Array.isArray(value) ? value.filter(isRecord) : [])

/** ` ([Title](<address>), …)`; '' if no source has an address. */
export const linksOfSources = (sources: readonly Json[]): string => {
  const links = sources.map((source) => linkOf(isRecord(source['url_citation']) ? source['url_citation'] : source))
  return bracketed([...new Set(links)])
}

/** Replaces the text's marks with links if they have any, and removes other marks. */
export function withoutCitationMarks(text: string, metadata: Json): string {
  if (!/[\ue200-\ue202【]/.test(text)) return text
  let read = text
  for (const reference of recordsIn(metadata['content_references'])) {
    const matched = textOf(reference['matched_text'])
    if (/[\ue200【]/.test(matched)) read = read.replaceAll(matched, () => linksOf(reference))
  }
  const cited = recordsIn(metadata['citations']).map(({ metadata: about }) => (isRecord(about) ? about : {}))
  return read
    .replaceAll(mark, (_, kind: string, value: string | undefined) => (kind === 'entity' ? nameIn(value ?? '') : ''))
    .replaceAll(/[\ue200-\ue202]/g, '')
    .replaceAll(older, (_, number: string) => {
      const about = cited.find(({ extra }) => isRecord(extra) && extra['cited_message_idx'] === Number(number))
      return about ? bracketed([linkOf(about)]) : ''
    })
}

function linksOf(reference: Json): string {
  const alt = textOf(reference['alt'])
  if (alt !== '') return alt.startsWith('(') ? ` ${alt}` : alt
  const items = recordsIn(reference['items'])
  return bracketed((items.length > 0 ? items : [reference]).map(linkOf))
}

const bracketed = (links: readonly string[]): string => {
  const urls = links.filter((link) => link !== '')
  return urls.length === 0 ? '' : ` (${urls.join(', ')})`
}

function linkOf(item: Json): string {
  const url = textOf(item['url'])
  if (!/^https?:\/\/[^\s<>]+$/i.test(url)) return ''
  const title = textOf(item['title'])
    .replaceAll(/[[\]\\\n]/g, ' ')
    .trim()
  return `[${title === '' ? hostOf(url) : title}](<${url}>)`
}

/** `["animal","Kangaroo","marsupial"]` is Kangaroo. */
function nameIn(value: string): string {
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? textOf(parsed[1]) : ''
  } catch {
    return ''
  }
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url)
