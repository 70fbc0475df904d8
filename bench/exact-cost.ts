// npm run -s bench -- exact-cost: the size of the grammar that is sent to a server for each strategy, and the cost of
// making it. The first one in a process builds what all tools share, with uncompiled code; a server does that at its
// start.
import '@/lib/i18n/server-messages'
import { toGbnf } from '@/lib/protocols/grammar/grammar'
import { grammarOf } from '@/lib/protocols/grammar-of'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { twentyTools } from '@/lib/protocols/testing/twenty-tools'
import type { StrategyId } from '@/lib/protocols/types/tool-context-def'

const ROUNDS = 20

const make = (id: StrategyId, count: number) => {
  const grammar = grammarOf(id, twentyTools.slice(0, count))
  return grammar && toGbnf(grammar.reply)
}

/** CPU of this thread, milliseconds. */
function msOf(work: () => void): number {
  const from = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(from)
  return (user + system) / 1_000
}

console.log(
  '| strategy | tools | grammar | CPU of the first one | CPU of each after it |\n| --- | ---: | ---: | ---: | ---: |',
)
for (const { id } of toolContextBuilder.strategies) {
  let first: number | null = msOf(() => make(id, 1))
  for (const count of [1, 5, 20]) {
    const text = make(id, count)
    if (text === null) continue
    const each = msOf(() => {
      for (let round = 0; round < ROUNDS; round += 1) make(id, count)
    })
    const kb = (Buffer.byteLength(text) / 1_000).toFixed(1)
    const once = first === null ? '' : `${first.toFixed(0)} ms`
    console.log(`| \`${id}\` | ${count} | ${kb} kB | ${once} | ${(each / ROUNDS).toFixed(1)} ms |`)
    first = null
  }
}
