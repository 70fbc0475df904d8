import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { decodeText } from '@/lib/base/text/text-encoding'
import { makeTold, t, type Told } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { pathArgument, textArgument } from '../argument-summaries'
import { refuse } from '../refuse'
import { failWith } from '../vfs-failure'
import { normalizePath } from '@/lib/vfs/path'
import { describeBinary } from '../describe-binary'
import { textBytesIn } from '../measure-words'
import { err, ok, type Result } from '@/lib/base/result'

/** A page stays below the executor's cap, so that reading goes on line by line and nothing is cut from the middle. */
const maxLines = 2_000
const maxCharacters = 48_000

/** Characters of a text in JSON: quotes, backslashes and control characters take more than one. */
const jsonLength = (text: string) => JSON.stringify(text).length - 2

type Page =
  | { readonly content: string }
  | {
      readonly content: string
      readonly firstLine: number
      readonly lastLine: number
      readonly totalLines: number
      readonly note: string
    }

/** As many characters of a line as a page may hold in JSON; never half of a surrogate pair. */
function headOf(line: string): string {
  const encoded = jsonLength(line)
  if (encoded <= maxCharacters) return line
  let head = line.slice(0, maxCharacters)
  // JSON writes some characters in two or six: shorten by the share that is too much until it fits.
  while (jsonLength(head) > maxCharacters)
    head = head.slice(0, Math.floor((head.length * maxCharacters) / jsonLength(head)))
  return head.replace(/[\ud800-\udbff]$/, '')
}

/**
 * Lines `offset … offset + limit - 1` of a text, counted from 1, the first of them from character `column` on. A text that
 * fits whole comes back alone; a part says where it stands and how to read on. Line breaks are kept as they are. A line
 * that no page holds comes in parts of its own: the note then names the column to read on from.
 */
function pageOfLines(text: string, offset: number, limit: number | null, column = 1): Result<Page, Told> {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  const total = lines.length
  if (offset > Math.max(total, 1)) {
    return err(makeTold('told.no-line', { total, line: offset }))
  }
  const first = lines[offset - 1] ?? ''
  if (column > Math.max(first.length, 1)) {
    return err(makeTold('told.no-column', { line: offset, length: first.length, column }))
  }
  // A column in the middle of a surrogate pair means the pair.
  const start = column - 1 - (/^[\udc00-\udfff]/.test(first.slice(column - 1)) && column > 1 ? 1 : 0)
  const rest = first.slice(start)
  const head = headOf(rest)
  if (head.length < rest.length) {
    const end = start + head.length
    const note =
      `Line ${offset} is very long: these are its characters ${start + 1} to ${end} of ${first.length}. ` +
      `Read on with offset ${offset} and column ${end + 1}.`
    return ok({ content: head, firstLine: offset, lastLine: offset, totalLines: total, note })
  }

  const wanted = Math.min(limit ?? maxLines, maxLines)
  let last = Math.min(offset, total)
  let content = rest
  let length = jsonLength(rest)
  while (last < total && last - offset + 1 < wanted) {
    const line = lines[last] ?? ''
    length += jsonLength(line)
    if (length > maxCharacters) break
    content += line
    last++
  }
  if (offset === 1 && start === 0 && last >= total) return ok({ content })
  const from = start > 0 ? ` (line ${offset} from character ${start + 1})` : ''
  const more = last < total ? ` Read on with offset ${last + 1}.` : ' That is the end.'
  const note = `Lines ${offset} to ${last} of ${total}${from}.${more}`
  return ok({ content, firstLine: offset, lastLine: last, totalLines: total, note })
}

export const readFile = defineTool({
  spec: {
    name: 'read_file',
    description:
      'Reads a text file of this chat’s files. A long file comes in pages: `offset` is the first line (from 1), ' +
      '`limit` the number of lines. Of a line that is longer than a page, `column` is the first character.',
    vcpCommand: 'ReadFile',
    vcpParameters: { filePath: 'path' },
    schema: z.strictObject({
      path: z.string().check(z.describe('absolute path of the file')),
      offset: z.optional(z.int().check(z.gte(1), z.describe('first line, from 1'))),
      limit: z.optional(z.int().check(z.gte(1), z.describe('number of lines'))),
      column: z.optional(z.int().check(z.gte(1), z.describe('first character of the first line, from 1'))),
    }),
  },
  policy: {
    permission: 'public',
    agentCallable: true,
    capabilities: { files: 'read', network: 'off' },
    paths: pathArgument,
  },
  card: {
    icon: 'read',
    tags: ['files'],
    summarize(args) {
      const path = textArgument(args, 'path')
      const from = typeof args.offset === 'number' ? args.offset : 1
      const limit = typeof args.limit === 'number' ? args.limit : null
      const lines = limit !== null ? 'some' : typeof args.offset === 'number' ? 'from' : 'all'
      const character = typeof args.column === 'number' && args.column > 1 ? args.column : 1
      return {
        head: path,
        headIsCode: true,
        sentence: withParts((part) =>
          t('tool.read', { path: part({ code: path }), lines, from, to: from + (limit ?? 1) - 1, character }),
        ),
        opens: path,
        body: { kind: 'none' },
      }
    },
    measure: (result) => textBytesIn(result, 'content'),
  },
  async run({ path, offset, limit, column }, { vfs }) {
    const read = await vfs.read(path)
    if (!read.ok) return failWith(read.error, vfs, 'file')
    const normal = normalizePath(path)
    const shown = normal.ok ? normal.value : path
    const decoded = decodeText(read.value)
    const binary = decoded === null ? describeBinary(read.value) : null
    if (binary !== null) return refuse('binary', makeTold('told.read-binary', { path: shown, ...binary }))
    const text = decoded?.text ?? new TextDecoder('utf-8').decode(read.value)
    const page = pageOfLines(text, offset ?? 1, limit ?? null, column)
    if (!page.ok) return refuse('past-end', page.error)
    const encoding = decoded?.encoding ?? 'utf-8'
    // Another encoding is named: what is written is UTF-8.
    return { ok: true, result: { path: shown, ...(encoding !== 'utf-8' && { encoding }), ...page.value } }
  },
})
