import { quoted } from '@/lib/base/untrusted-text/foreign-text'
import { withParts } from '@/lib/base/untrusted-text/sentence-part'
import type { JsonObject, JsonValue } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'
import type { RemoteTool } from '@/lib/shared/conversation/settings/registered-tool'
import { nameOfOperatorId } from '@/lib/shared/mcp/operator-server'
import type { CallSummary, ToolDefinition } from './tool'

/** What differs where a registered tool runs at a server (MCP): where it goes is said, and its result is read before it is sent. */
export const remoteFacts = ({ host, server }: RemoteTool) =>
  ({
    policy: {
      server: host,
      requireResultApproval: 'always',
      // Progress of the server extends its time; at the end the server is told.
      ownsTimeout: true,
    },
    card: {
      tags: [host],
      summarize: (args: JsonObject) => remoteSummary(host, nameOfOperatorId(server) !== null, args),
    },
  }) satisfies { readonly policy: Partial<ToolDefinition['policy']>; readonly card: Partial<ToolDefinition['card']> }

const MAX_NAMES = 12

/** Where a call goes and what leaves the browser: all names, and the characters of all values. */
function remoteSummary(host: string, isOperators: boolean, args: JsonObject): CallSummary {
  const names = Object.keys(args)
  const shown = [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])]
  const count = Object.values(args).reduce<number>((sum, value) => sum + charactersOf(value), 0)
  return {
    head: '',
    headIsCode: false,
    sentence: withParts((part) => {
      const to = part({ code: host })
      if (names.length === 0) return t(isOperators ? 'tool.relay-empty' : 'tool.remote-empty', { host: to })
      return t(isOperators ? 'tool.relay' : 'tool.remote', { host: to, names: shown.map(namedPlainly), count })
    }),
    body: { kind: 'arguments' },
  }
}

/** A name that could pass for words of the sentence is quoted in it. */
const namedPlainly = (name: string): string => (name === '…' || /^[\w.$-]{1,60}$/.test(name) ? name : quoted(name, 60))

const charactersOf = (value: JsonValue): number =>
  Array.from(typeof value === 'string' ? value : JSON.stringify(value)).length
