import { withParts } from '@/lib/base/sentence-part'
import { decodeText } from '@/lib/base/text-encoding'
import { makeTold, t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { pathArgument } from '../path-argument'
import { refuse } from '../refuse'
import { failWith } from '../vfs-failure'
import { normalizePath } from '@/lib/vfs/path'
import { describeBinary } from '../describe-binary'
import { textBytesIn } from '../measure-words'
import { pageOfLines } from './page-of-lines'

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of this chat’s files. A long file comes in pages: `offset` is the first line (from 1), ' +
    '`limit` the number of lines. Of a line that is longer than a page, `column` is the first character.',
  icon: 'read',
  permission: 'public',
  agentCallable: true,
  tags: ['files'],
  vcpCommand: 'ReadFile',
  vcpParameters: { filePath: 'path' },
  capabilities: { files: 'read', network: 'off' },
  schema: z.strictObject({
    path: z.string().check(z.describe('absolute path of the file')),
    offset: z.optional(z.int().check(z.gte(1), z.describe('first line, from 1'))),
    limit: z.optional(z.int().check(z.gte(1), z.describe('number of lines'))),
    column: z.optional(z.int().check(z.gte(1), z.describe('first character of the first line, from 1'))),
  }),
  paths: pathArgument,
  summarize(args) {
    const path = typeof args.path === 'string' ? args.path : ''
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
