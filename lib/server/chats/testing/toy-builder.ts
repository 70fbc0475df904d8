import type { ChatServicePorts } from '../../stored-chats/chat-service-ports'
import type { JsonObject } from '@/lib/base/json'
import type { CallSegment, Segment } from '@/lib/protocols/types/segment'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import {
  defaultStrategy,
  strategyIds,
  type ReplyForm,
  type StrategyId,
  type ToolContextDef,
} from '@/lib/protocols/types/tool-context-def'

/**
 * Strategies with an easily visible syntax: a call is `[XML_Tag:name {"a":1}]`, an example `'[…]'`, a broken call
 * `[XML_Tag!name]`, reasoning `(hm: …)`, a result frame `[XML_Tag-results boundary: …]`.
 */
const token = new RegExp(
  `\\(hm:[^)]*\\)|(')?\\[(${strategyIds.join('|')})(?::([\\w.-]+|<[^>]*>) (\\{[^\\]]*\\})|!(\\w+))\\]'?`,
  'g',
)

function parse(id: StrategyId, text: string): readonly Segment[] {
  const segments: Segment[] = []
  let at = 0
  const prose = (end: number) => {
    if (end > at) segments.push({ kind: 'text', start: at, end })
  }
  for (const found of text.matchAll(token)) {
    const [whole, quote, dialect = '', name = '', json = '{}', broken] = found
    prose(found.index)
    const range = { start: found.index, end: found.index + whole.length }
    if (whole.startsWith('(hm:')) segments.push({ kind: 'reasoning', ...range })
    else if (broken !== undefined)
      segments.push({ kind: 'broken', ...range, reason: 'truncated', message: '', name: broken })
    else
      segments.push(
        callOf(range, name, json, quote === undefined ? (dialect === id ? 'live' : 'foreign') : 'quoted', dialect),
      )
    at = range.end
  }
  prose(text.length)
  return segments
}

const callOf = (
  range: { readonly start: number; readonly end: number },
  name: string,
  json: string,
  standing: CallSegment['standing'],
  dialect: string,
): CallSegment => ({
  kind: 'call',
  ...range,
  id: '',
  name,
  arguments: JSON.parse(json) as JsonObject,
  standing,
  verdict: 'ok',
  repairs: [],
  coercions: [],
  dialect,
  problem: null,
})

const strategy = (id: StrategyId): ToolContextDef => ({
  id,
  summary: '',
  callsBy: toolContextBuilder.get(id).callsBy,
  stops: [],
  promptParts: () => [],
  createScanner: () => {
    throw new Error('not used')
  },
  formatCalls: (calls) => calls.map((call) => `[${id}:${call.name} ${JSON.stringify(call.arguments)}]`).join('\n'),
  formatResults: (results, boundary) => ({
    text: `[${id}-results ${boundary}: ${results.map((r) => `${r.id} ${r.name} ${r.status} ${JSON.stringify(r.result)}`).join('; ')}]`,
  }),
})

const strategyOf = (form: ReplyForm): StrategyId => (form === 'whole' ? defaultStrategy : form)

export const toyBuilder: ChatServicePorts['builder'] = {
  readCall: () => {
    throw new Error('not used')
  },
  get: (form) => strategy(strategyOf(form)),
  parseResponse: (form, text) => ({ type: 'mixed', segments: parse(strategyOf(form), text) }),
  promptParts: () => [],
  spliceSystemPrompt: (system, { strategy: id, tools, enabled }) =>
    enabled ? `${system} [${id}: ${tools.map(({ name }) => name).join(', ')}]` : system,
}
