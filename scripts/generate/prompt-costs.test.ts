import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundledScript } from '@/scripts/test/bundled-script.mjs'
import { twentyTools } from '@/lib/protocols/testing/twenty-tools'
import { toolContextBuilder, promptCost } from '@/lib/protocols/tool-context-builder'
import { costTable, promptCosts, withTable } from './prompt-cost/table'

const root = path.resolve(import.meta.dirname, '../..')

const script = await bundledScript('scripts/generate/prompt-costs.ts')

function costs(...args: readonly string[]): { code: number | null; out: string; err: string } {
  const done = spawnSync(process.execPath, [script, ...args], { cwd: root, encoding: 'utf8' })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

describe('the costs of the prompts', () => {
  it('are those of the page: if this fails, `npm run -s generate -- prompt-costs --write`', async () => {
    const page = await readFile(path.join(root, 'docs/generated/prompt-costs.md'), 'utf8')
    expect(withTable(page, costTable(promptCosts()))).toBe(page)
  })

  it('count every strategy with 1, 5 and 20 tools, and every layer once', () => {
    const rows = promptCosts()
    expect(rows.map((row) => [row.strategy, row.tools])).toEqual(
      toolContextBuilder.strategies.flatMap(({ id }) => [1, 5, 20].map((count) => [id, count])),
    )
    expect([twentyTools.length, new Set(twentyTools.map((tool) => tool.name)).size]).toEqual([20, 20])
    for (const { strategy, tools, layers, total } of rows) {
      // The separators between the layers, and each layer's rounding.
      expect(Math.abs(total - layers.protocol - layers.tools - layers.behaviour)).toBeLessThanOrEqual(3)
      expect(total).toBe(promptCost(strategy, twentyTools.slice(0, tools)))
    }
  })

  it('stay small: format and behaviour under 480 tokens, a tool about 35, as a schema 70, as a definition 90', () => {
    for (const { strategy, tools, layers } of promptCosts()) {
      expect([strategy, layers.protocol + layers.behaviour < 480]).toEqual([strategy, true])
      // Native sends whole schemas, and VCP a block with an example per tool; the others write a signature.
      const most = { Native: 75, VCP: 95 }[strategy as string] ?? 36
      if (tools === 20) expect([strategy, layers.tools / tools < most]).toEqual([strategy, true])
    }
  })

  it('are printed by the command, as a table and as JSON', () => {
    expect(costs()).toEqual({ code: 0, out: `${costTable(promptCosts())}\n`, err: '' })
    expect(JSON.parse(costs('--json').out)).toEqual(promptCosts())
    expect(costs('--all')).toEqual({ code: 2, out: '', err: 'costs: usage: costs [--json | --write]\n' })
  })

  it('need their marks in the page', () => {
    expect(withTable('# A page\n', '| a |')).toBeNull()
  })
})
