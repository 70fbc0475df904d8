import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { makeModelMessage, t } from '@/lib/i18n/t'
import { loadPart } from '@/lib/i18n/load-part'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { pathArgument, textArgument, textBytesIn } from '../argument-summaries'
import { refuse, describeBinary, failWith } from '../refuse'
import { normalizePath } from '@/lib/vfs/path'
import { documentFormatOf } from '@/lib/base/text/document-formats'
import { pageOfLines } from './line-pages'

export const readFile = defineTool({
  spec: {
    name: 'read_file',
    description:
      'Reads a text file or a document of this chat’s files: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF. ' +
      'A long file comes in pages: `offset` is the first line (from 1), `limit` the number of lines. Of a line that is ' +
      'longer than a page, `column` is the first character. Of a long document you get the outline; `pages` then names ' +
      'its pages, slides or sheets.',
    vcpCommand: 'ReadFile',
    vcpParameters: { filePath: 'path' },
    schema: z.strictObject({
      path: z.string().check(z.describe('absolute path of the file')),
      offset: z.optional(z.int().check(z.gte(1), z.describe('first line, from 1'))),
      limit: z.optional(z.int().check(z.gte(1), z.describe('number of lines'))),
      column: z.optional(z.int().check(z.gte(1), z.describe('first character of the first line, from 1'))),
      pages: z.optional(z.string().check(z.describe('of a document, as 3 or 3-5, or the name of a sheet'))),
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
      const pages = textArgument(args, 'pages')
      const character = typeof args.column === 'number' && args.column > 1 ? args.column : 1
      return {
        head: path,
        headIsCode: true,
        sentence: withParts((part) =>
          pages === ''
            ? t('tool.read', { path: part({ code: path }), lines, from, to: from + (limit ?? 1) - 1, character })
            : t('tool.read-pages', { path: part({ code: path }), pages: part({ code: pages }) }),
        ),
        opens: path,
        body: { kind: 'none' },
      }
    },
    measure: (result) => textBytesIn(result, 'content'),
  },
  async run({ path, offset, limit, column, pages }, context) {
    const { vfs } = context
    const read = await vfs.read(path)
    if (!read.ok) return failWith(read.error, vfs, 'file')
    const normal = normalizePath(path)
    const shown = normal.ok ? normal.value : path
    const format = documentFormatOf(shown, read.value)
    if (format !== null && context.documents) {
      const { answerFromDocument } = await loadPart(() => import('./read-document'))
      return answerFromDocument({ path: shown, format, data: read.value, pages, offset, limit, column }, context)
    }
    const { decodeText } = await loadPart(() => import('@/lib/base/text/text-encoding'))
    const decoded = decodeText(read.value)
    const binary = decoded === null ? describeBinary(read.value) : null
    if (binary !== null) return refuse('binary', makeModelMessage('told.read-binary', { path: shown, ...binary }))
    const text = decoded?.text ?? new TextDecoder('utf-8').decode(read.value)
    const page = pageOfLines(text, offset ?? 1, limit ?? null, column)
    if (!page.ok) return refuse('past-end', page.error)
    const encoding = decoded?.encoding ?? 'utf-8'
    // Another encoding is named, because writing uses UTF-8.
    return { ok: true, result: { path: shown, ...(encoding !== 'utf-8' && { encoding }), ...page.value } }
  },
})
