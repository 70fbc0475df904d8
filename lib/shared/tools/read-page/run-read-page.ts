import { makeModelMessage } from '@/lib/i18n/t'
import type { JsonObject } from '@/lib/base/json'
import { err, ok, type Result } from '@/lib/base/result'
import {
  hiddenIn,
  isWithoutText,
  notesOn,
  outlineLines,
  textOfParts,
  type ReadText,
  fitting,
  rangeOf,
} from '@/lib/shared/documents/document-text'
import type { WebAnswer } from '@/lib/shared/web/web-answer'
import { base64Bytes } from '../offload-result'
import { refuse } from '../refuse'
import type { ToolContext, ToolOutcome } from '../tool'
import { openApproved, webFailure } from '../open-approved'

/* Reads a fetched page. HTML and PDFs are parsed only in the sealed frame; here bytes only become text. */

type FetchedPage = Extract<WebAnswer, { readonly kind: 'page' }>

export async function runReadPage(
  asked: string,
  pages: string | undefined,
  context: ToolContext<'none'>,
): Promise<ToolOutcome> {
  const opened = await openApproved(context)
  if (!opened.ok) return opened.error
  const answer = opened.value
  if (answer.kind === 'failed') return webFailure(answer)
  const read = await textOfPage(answer, context)
  if (!read.ok) return read.error
  const text = read.value
  const { url } = answer
  if (isWithoutText(text))
    return refuse('no-text', makeModelMessage('told.web.no-text', { hidden: hiddenIn(text) }), { url })
  const range = rangeOf(text, (pages ?? '').trim() || `1-${text.parts.length}`)
  if (!range.ok) return refuse('no-page', range.error)
  const { from, to } = fitting(text, range.value)
  const notes = [
    ...(to < range.value.to ? [`Read on with the same url and pages "${to + 1}-${range.value.to}".`] : []),
    ...notesOn(text),
    ...hiddenNote(text),
  ]
  const isPart = from > 1 || to < text.parts.length
  const result: JsonObject = {
    url,
    ...(url !== asked && { asked }),
    ...(isPart && { parts: `${from}-${to} of ${text.total}`, outline: outlineLines(text, 40) }),
    content: isPart || text.parts.length > 1 ? textOfParts(text, from, to) : (text.parts[0]?.text ?? ''),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
  return { ok: true, result }
}

const hiddenNote = (text: ReadText): readonly string[] => {
  const count = hiddenIn(text)
  return count > 0 ? [`${count} characters that can’t be seen on the page were left out.`] : []
}

async function textOfPage(
  page: FetchedPage,
  { documents, origin, innerNumber = 0, signal }: ToolContext<'none'>,
): Promise<Result<ReadText, ToolOutcome>> {
  const bytes = base64Bytes(page.base64)
  const decoded = page.type === 'pdf' ? '' : decodePage(bytes, page.charset)
  if (page.type === 'json' || page.type === 'text') return ok(plainText(decoded))
  if (documents === undefined || origin?.kind !== 'call')
    return err(refuse('unreadable', makeModelMessage('told.web.no-reader')))
  const data = page.type === 'pdf' ? bytes : new TextEncoder().encode(withBase(decoded, page.url))
  // A page read again may say something else: each call is a text of its own.
  const version = `web ${origin.messageId} ${origin.slot} ${origin.attempt} ${innerNumber}`
  const read = await documents.read({ format: page.type, version, data: async () => data }, signal)
  return read.ok ? ok(read.value) : err(refuse('unreadable', read.error))
}

/**
 * The first `base` gives the reader the base of relative links. It is inserted after the doctype, so that the doctype
 * stays first.
 */
function withBase(html: string, url: string): string {
  const [doctype = ''] = /^\s*<!doctype[^>]{0,200}>/i.exec(html) ?? []
  const base = `<base href="${url.replaceAll('&', '&amp;').replaceAll('"', '%22')}">`
  return `${doctype}${base}${html.slice(doctype.length)}`
}

/** The encoding: from the header, else the byte order mark, else the page's first bytes, else UTF-8. */
export function decodePage(bytes: Uint8Array, charset: string | null): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1_024))
  const named = charset ?? /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w.:-]{2,40})/i.exec(head)?.[1] ?? 'utf-8'
  for (const label of [markOf(bytes) ?? named, 'utf-8']) {
    try {
      return new TextDecoder(label).decode(bytes)
    } catch {
      // The encoding name is unknown.
    }
  }
  return ''
}

function markOf([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : null
}

const partCharacters = 6_000

/** The text in parts that end at a line. */
function plainText(text: string): ReadText {
  const parts: string[] = []
  let part = ''
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (part !== '' && part.length + line.length > partCharacters) {
      parts.push(part)
      part = ''
    }
    part += line
  }
  if (part !== '') parts.push(part)
  return {
    unit: 'part',
    total: parts.length,
    parts: parts.map((one) => ({ label: '', text: one, hidden: 0 })),
    outline: [],
    cut: null,
  }
}
