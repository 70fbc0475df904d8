import * as z from 'zod/mini'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import { isJsonObject } from '@/lib/base/json'
import { loadPart } from '@/lib/i18n/load-part'
import { makeModelMessage, t } from '@/lib/i18n/t'
import { FIND_TOOLS } from '@/lib/protocols/prompt/unlisted-tools'
import { defineTool } from '../define-tool'
import { refuse } from '../refuse'

const maxQueryChars = 200

/**
 * Finds tools of tool servers whose definitions are not in the prompt, because there are many. The found ones are
 * described to the model in the same message as the result (`reveal-tools.ts`). It reads only texts that the user
 * approved, in the page.
 */
export const findTools = defineTool({
  spec: {
    name: FIND_TOOLS,
    description: 'Finds tools that are not listed here, by words. What it finds can be called from then on.',
    vcpCommand: 'FindTools',
    schema: z.strictObject({
      query: z
        .string()
        .check(z.minLength(1), z.maxLength(maxQueryChars), z.describe('what the tool should do, as create issue')),
    }),
  },
  policy: {
    permission: 'public',
    agentCallable: true,
    capabilities: { files: 'none', network: 'off' },
    findsTools: true,
  },
  card: {
    icon: 'find',
    tags: ['servers'],
    summarize({ query }) {
      const words = typeof query === 'string' ? query.slice(0, maxQueryChars) : ''
      return {
        head: '',
        headIsCode: false,
        sentence: withParts((part) => t('tool.find-tools', { query: part({ code: words }) })),
        body: { kind: 'none' },
      }
    },
    measure: (result) =>
      isJsonObject(result) && Array.isArray(result['found'])
        ? t('tool.find-tools-found', { count: result['found'].length })
        : '',
  },
  async run({ query }, { connectedTools }) {
    const tools = connectedTools?.() ?? []
    if (tools.length === 0) return refuse('no-tool-servers', makeModelMessage('told.no-tool-servers'))
    const { searchTools } = await loadPart(() => import('./search-tools'))
    const found = searchTools(tools, query)
    return { ok: true, result: { found: found.map((name) => ({ name })), searched: tools.length } }
  },
})
