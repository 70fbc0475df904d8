import { estimateTokens } from '@/lib/protocols/prompt/token-estimate'
import { twentyTools } from '@/lib/protocols/testing/twenty-tools'
import { toolContextBuilder, promptCost } from '@/lib/protocols/tool-context-builder'
import type { PromptPart, StrategyId } from '@/lib/protocols/types/tool-context-def'

const COUNTS = [1, 5, 20] as const
const LAYERS: readonly PromptPart['kind'][] = ['protocol', 'tools', 'behaviour']

export interface CostRow {
  readonly strategy: StrategyId
  readonly tools: number
  /** Estimated tokens by layer. */
  readonly layers: Readonly<Record<PromptPart['kind'], number>>
  readonly total: number
}

/** The cost of every strategy's prompt with 1, 5 and 20 tools, by strategy. */
export function promptCosts(): readonly CostRow[] {
  return toolContextBuilder.strategies.flatMap(({ id }) =>
    COUNTS.map((count): CostRow => {
      const tools = twentyTools.slice(0, count)
      const parts = toolContextBuilder.promptParts(id, tools)
      const layers = { protocol: 0, tools: 0, behaviour: 0 }
      for (const part of parts) layers[part.kind] += estimateTokens(part.text)
      return { strategy: id, tools: count, layers, total: promptCost(id, tools) }
    }),
  )
}

/** A Markdown table as Prettier formats it: one row per strategy and number of tools. */
export function costTable(rows: readonly CostRow[]): string {
  const header = ['strategy', 'tools', ...LAYERS.map((layer) => (layer === 'tools' ? 'signatures' : layer)), 'total']
  const cells = rows.map(({ strategy, tools, layers, total }) => [
    `\`${strategy}\``,
    ...[tools, ...LAYERS.map((layer) => layers[layer]), total].map(String),
  ])
  const widths = header.map((title, column) =>
    Math.max(title.length, 3, ...cells.map((row) => row[column]?.length ?? 0)),
  )
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [line(header), `| ${rule.join(' | ')} |`, ...cells.map(line)].join('\n')
}

const OPEN = '<!-- costs: npm run -s generate -- prompt-costs --write -->'
const CLOSE = '<!-- /costs -->'

/** The page with the table between its marks; null if the marks are missing. */
export function withTable(page: string, table: string): string | null {
  const open = page.indexOf(OPEN)
  const close = page.indexOf(CLOSE, open)
  if (open < 0 || close < 0) return null
  return `${page.slice(0, open + OPEN.length)}\n\n${table}\n\n${page.slice(close)}`
}
