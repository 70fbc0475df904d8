import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import type { JsonObject } from '@/lib/base/json'
import { joinPath } from '@/lib/vfs/path'
import { defineTool } from '../define-tool'
import { textArgument, countIn } from '../argument-summaries'
import { searchLimits as limits } from './searched-files'

const words = (args: JsonObject) => ({
  query: textArgument(args, 'query'),
  folder: textArgument(args, 'folder') || '/',
  glob: textArgument(args, 'glob'),
  regex: args.regex === true,
})

export const searchFiles = defineTool({
  spec: {
    name: 'search_files',
    description:
      'Finds lines in this chat’s files: those with the text `query`, in any case, or with `regex` those that match it. ' +
      '`glob`, as *.md or src/**/*.ts, limits the files; with an empty `query` it lists them.',
    vcpCommand: 'SearchFiles',
    vcpParameters: { searchPath: 'folder' },
    schema: z.strictObject({
      query: z.string().check(z.describe('text or pattern within one line')),
      folder: z.optional(z.string().check(z.describe('folder to search, with all below it; left out: everything'))),
      glob: z.optional(z.string().check(z.describe('names or paths of files, as *.md'))),
      regex: z.optional(z.boolean().check(z.describe('true: query is a JavaScript regular expression'))),
      max_results: z.optional(z.int().check(z.gte(1), z.lte(limits.results.most), z.describe('left out: 50'))),
    }),
  },
  policy: {
    permission: 'public',
    agentCallable: true,
    capabilities: { files: 'read', network: 'off' },
    // Everything below the folder is touched, but not the folder’s neighbours: a grant for this folder must not reach
    // those.
    paths: (args) => [joinPath(words(args).folder.replace(/\/$/, '') || '/', '**')],
  },
  card: {
    icon: 'find',
    tags: ['files'],
    summarize(args) {
      const { query, folder, glob, regex } = words(args)
      const sentence = withParts((part) => {
        const place = { place: folder === '/' ? 'all' : 'one', folder: folder === '/' ? '' : part({ code: folder }) }
        const like = glob === '' ? null : part({ code: glob })
        if (query === '') return like === null ? t('tool.files', place) : t('tool.files-like', { ...place, glob: like })
        const what = { ...place, how: regex ? 'pattern' : 'text', query: part({ code: query }) }
        return like === null ? t('tool.search', what) : t('tool.search-like', { ...what, glob: like })
      })
      return { head: query === '' ? glob : query, headIsCode: true, sentence, body: { kind: 'none' } }
    },
    measure: (result) =>
      countIn(result, 'matches', (count) => t('tool.matches', { count })) ||
      countIn(result, 'files', (count) => t('tool.found-files', { count })),
  },
  async run(args, context) {
    const { runSearch } = await loadPart(() => import('./run-search'))
    return runSearch(args, context)
  },
})
