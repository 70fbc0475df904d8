import { loadPart } from '@/lib/i18n/load-part'
import { t } from '@/lib/i18n/t'
import * as z from 'zod/mini'
import { defineTool } from '../define-tool'
import { textArgument } from '../argument-summaries'
import { isJsonObject, type JsonObject } from '@/lib/base/json'

const filesIn = ({ files }: JsonObject): readonly string[] =>
  Array.isArray(files) ? files.filter((file): file is string => typeof file === 'string') : []

export const sqlQuery = defineTool({
  spec: {
    name: 'sql_query',
    description:
      'Runs SQL on data files of this chat: CSV, TSV, JSON, JSONL, Excel, ODS and SQLite files, in SQLite’s dialect. A table has ' +
      'the name of its file: /data/Orders 2026.csv is orders_2026; a workbook of several sheets has a table a sheet. You get ' +
      'types of columns and up to 50 rows; the user sees 1,000. Files never change.',
    vcpCommand: 'SqlQuery',
    schema: z.strictObject({
      query: z.string().check(z.minLength(1), z.describe('SQL, as select city, sum(total) from orders group by city')),
      files: z.optional(
        z
          .array(z.string())
          .check(z.maxLength(20), z.describe('paths; left out: the files whose tables the query names')),
      ),
      chart: z.optional(z.looseObject({}).check(z.describe('Vega-Lite spec without data, drawn from the rows'))),
    }),
  },
  policy: {
    permission: 'public',
    agentCallable: true,
    capabilities: { files: 'read', network: 'off' },
    // Without a list, the files that the query names are searched everywhere.
    paths: (args) => (filesIn(args).length > 0 ? filesIn(args) : ['/**']),
    ownsTimeout: true,
  },
  card: {
    icon: 'find',
    tags: ['files'],
    codeParameter: 'query',
    summarize(args) {
      const query = textArgument(args, 'query')
      const count = filesIn(args).length
      return {
        head: filesIn(args)[0] ?? 'SQL',
        headIsCode: count > 0,
        sentence: [t('tool.sql', { files: count, chart: args.chart !== undefined })],
        body: { kind: 'code', language: 'sql', text: query },
      }
    },
    measure(result) {
      const total = isJsonObject(result) ? result['totalRows'] : null
      return typeof total === 'number' ? t('tool.sql-rows', { count: total }) : ''
    },
  },
  async run(args, context) {
    const { runSqlQuery } = await loadPart(() => import('./run-sql-query'))
    return runSqlQuery(args, context)
  },
})
