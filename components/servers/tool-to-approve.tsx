import { promptCost } from '@/lib/protocols/tool-context-builder'
import { maxListed, withServers } from '@/lib/protocols/prompt/unlisted-tools'
import type { StrategyId, ToolSpec } from '@/lib/protocols/types/tool-context-def'
import { findTools } from '@/lib/shared/tools/find-tools'
import { asUntrusted, labelOf } from '@/lib/base/untrusted-text/foreign'
import { ForeignName, ForeignText, SentenceText } from '../ui/text/foreign-text'
import { Icon } from '@/components/ui/controls/icon'
import { checkBox } from '@/components/ui/recipes/field'
import type { JsonObject } from '@/lib/base/json'
import { t } from '@/lib/i18n/t'
import type { McpTool, ToolSetRef } from '@/lib/shared/conversation/settings/tool-server'
import type { PendingTool } from '@/lib/shared/mcp/compare-tools'
import { toolsOfSet } from '@/lib/shared/mcp/tools-of-set'
import { type TextMarks, wordDiff } from '@/lib/shared/mcp/text-marks'

/** Represents the tools that a chat has anyway, which bring the rules and the example of its call format. */
const first: ToolSpec = {
  name: 'tool',
  description: 'A tool',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

/** Tokens that a server's tools add to each prompt in this call format. */
export function tokensOf(tools: readonly McpTool[], server: Omit<ToolSetRef, 'hash'>, strategy: StrategyId): number {
  // Too many to list: the model searches for them.
  if (tools.length > maxListed) {
    const names = toolsOfSet(server, tools).map(({ name }) => name)
    const finder = withServers(findTools.spec, [{ host: server.host, names }])
    return Math.max(0, promptCost(strategy, [first, finder]) - promptCost(strategy, [first]))
  }
  const specs = toolsOfSet(server, tools).map(({ name, description, parameters }) => ({
    name,
    description,
    parameters,
  }))
  return Math.max(0, promptCost(strategy, [first, ...specs]) - promptCost(strategy, [first]))
}

const looks = {
  same: '',
  added: 'bg-diff-add text-diff-add-text underline',
  removed: 'bg-diff-remove text-diff-remove-text line-through',
} as const
const tags = { same: 'span', added: 'ins', removed: 'del' } as const

/** A server's whole text, with invisible characters shown. With an earlier text: marks added and removed words. */
export function ChangedText({ before, after }: { before: string | null; after: string }) {
  const parts = before === null ? [{ kind: 'same' as const, text: after }] : wordDiff(before, after)
  return (
    <p className="m-0 text-sm whitespace-pre-wrap wrap-anywhere">
      {parts.map(({ kind, text }, index) => {
        const Tag = tags[kind]
        return (
          <Tag key={index} className={looks[kind]}>
            <ForeignText text={text} reading="prose" />
          </Tag>
        )
      })}
    </p>
  )
}

/**
 * Only the properties, unless the schema has other parts that a model may read, such as definitions that they refer to.
 */
function parametersOf({ inputSchema: { type: _type, ...schema } }: McpTool): string {
  const { properties, ...others } = schema
  return JSON.stringify(properties && Object.keys(others).length === 0 ? properties : schema, null, 2)
}
const titleOf = ({ title, annotations }: McpTool): string => {
  const text = title ?? annotations?.['title']
  return typeof text === 'string' ? text : ''
}

interface ToolToApproveProps {
  readonly pending: PendingTool
  readonly server: Omit<ToolSetRef, 'hash'>
  readonly strategy: StrategyId
  readonly marks: TextMarks
  readonly chosen: boolean
  readonly onChoose: (chosen: boolean) => void
}

/** One tool as the model will read it, with its marks and a checkbox to approve it. */
export function ToolToApprove({ pending, server, strategy, marks, chosen, onChoose }: ToolToApproveProps) {
  const { tool, before } = pending
  const [made] = toolsOfSet(server, [tool])
  const name = made?.name ?? tool.name
  const now = tokensOf([tool], server, strategy)
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-2 px-3.5 py-3 not-first:border-t not-first:border-line">
      <input
        type="checkbox"
        className={checkBox({}, 'mt-1')}
        aria-label={labelOf(t('servers.lock.tick', { name: asUntrusted(name) }))}
        checked={chosen}
        onChange={(event) => onChoose(event.target.checked)}
      />
      <div className="grid min-w-0 gap-2">
        <div className="flex flex-wrap items-baseline gap-x-2">
          {made?.title === undefined ? null : (
            <b>
              <ForeignText text={made.title} />
            </b>
          )}
          <ForeignName text={name} />
          <span className="ms-auto text-sm text-muted tabular-nums">
            {before
              ? t('servers.lock.tokens-change', { before: tokensOf([before], server, strategy), after: now })
              : t('servers.lock.tokens', { tokens: now })}
          </span>
        </div>
        <div className="grid gap-2 rounded-md bg-sunken px-3 py-2.5">
          {before && titleOf(before) !== titleOf(tool) ? (
            <ChangedText before={titleOf(before)} after={titleOf(tool)} />
          ) : null}
          <ChangedText before={before ? (before.description ?? '') : null} after={tool.description ?? ''} />
          <details open={before !== null && parametersOf(before) !== parametersOf(tool)}>
            <summary className="cursor-pointer text-sm text-muted pointer-coarse:py-3">
              {t('servers.lock.parameters')}
            </summary>
            <div className="font-mono text-mono">
              <ChangedText before={before ? parametersOf(before) : null} after={parametersOf(tool)} />
            </div>
          </details>
          {before ? <OtherChanges before={before} now={tool} /> : null}
        </div>
        <PageFacts before={before} now={tool} />
        <TextMarksList marks={marks} />
        <small className="text-sm text-muted">
          {made ? t('servers.lock.asks', { level: made.permission }) : null}
          {hintsOf(tool).length > 0 ? <> · {t('servers.lock.hints', { hints: hintsOf(tool) })}</> : null}
        </small>
      </div>
    </li>
  )
}

/** The tool's page (MCP Apps), and who may open it. */
function PageFacts({ before, now: { page, visibility } }: { before: McpTool | null; now: McpTool }) {
  const needs = page?.needs ?? []
  const words = [
    ...(visibility === 'app' ? [t('servers.lock.for-pages')] : []),
    ...(before?.page && page && before.page.hash !== page.hash ? [t('servers.lock.page-changed')] : []),
    ...(before?.page && !page ? [t('servers.lock.page-gone')] : []),
    ...(page && needs.length === 0 ? [t('servers.lock.page', { chars: page.chars })] : []),
    ...(needs.length > 0 ? [t('servers.lock.page-needs', { needs: needs.map(asUntrusted) })] : []),
  ]
  return words.length === 0 ? null : (
    <p className="m-0 text-sm text-pretty wrap-anywhere">
      <SentenceText text={words.join(' ')} />
    </p>
  )
}

/** Changes that no model reads, but that still make it a different tool. */
const OtherChanges = ({ before, now }: { before: McpTool; now: McpTool }) =>
  (['outputSchema', 'annotations'] as const).map((part) => {
    const [then, after] = [textOf(before[part]), textOf(now[part])]
    if (then === after) return null
    return (
      <details key={part}>
        <summary className="cursor-pointer text-sm text-muted pointer-coarse:py-3">
          {t(`servers.lock.changed-${part}`)}
        </summary>
        <div className="font-mono text-mono">
          <ChangedText before={then} after={after} />
        </div>
      </details>
    )
  })

const textOf = (value: JsonObject | undefined): string => (value ? JSON.stringify(value, null, 2) : '')

export function TextMarksList({ marks }: { marks: TextMarks }) {
  const words = [
    ...(marks.givesOrder ? [t('servers.mark.order')] : []),
    ...(marks.namesTool ? [t('servers.mark.tool')] : []),
    ...(marks.addressesUser ? [t('servers.mark.user')] : []),
    ...(marks.looksAlike ? [t('servers.mark.look-alike')] : []),
    ...(marks.hidden > 0 ? [t('servers.mark.hidden', { count: marks.hidden })] : []),
  ]
  if (words.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-warn">
      {words.map((word) => (
        <li key={word} className="flex items-center gap-1.5">
          <Icon name="warn" />
          {word}
        </li>
      ))}
    </ul>
  )
}

const hintsOf = ({ annotations = {} }: McpTool): readonly string[] => [
  ...(annotations['readOnlyHint'] === true ? [t('servers.hint.read-only')] : []),
  ...(annotations['destructiveHint'] === true ? [t('servers.hint.destructive')] : []),
  ...(annotations['openWorldHint'] === true ? [t('servers.hint.open-world')] : []),
]
