// npm run bench -- parse: time and growth of parsing a reply, at 100 KB, 1 MB and 4 MB, whole and in chunks, compared
// with other parsers.
// --quick leaves out 4 MB and the other parsers, --only NAME keeps one strategy, --write puts the tables into
// docs/generated/bench-parse.md. Exit code 1 if a bound is exceeded.
import '@/lib/i18n/server-messages'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { formatted } from '../scripts/setup/formatted.mjs'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import type { ToolContextDef } from '@/lib/protocols/types/tool-context-def'
import { inputsOf, SIZES } from './parse/inputs'
import type { Input } from './parse/inputs'
import { judge, measureRow } from './parse/measure'
import { measurePeers } from './parse/peers'
import { headLine, page, PEER_SIZES, peerLine, rowLine } from './parse/report'
import type { Measured } from './parse/report'

const PAGE = 'docs/generated/bench-parse.md'
const ROUNDS = 3
const TRIES = 3

const { values: flags } = parseArgs({
  options: { quick: { type: 'boolean' }, write: { type: 'boolean' }, only: { type: 'string' } },
})
const sizes = flags.quick ? SIZES.slice(0, 2) : SIZES

/** A failing row is measured again before it counts: a busy moment passes, growth stays. */
function measure(def: ToolContextDef, input: Input): Measured {
  for (let attempt = 1; ; attempt++) {
    const row = measureRow(def, input, sizes, ROUNDS)
    const verdict = judge(row, sizes)
    if (verdict.failures.length === 0 || attempt === TRIES) return { strategy: def.id, input: input.name, row, verdict }
  }
}

const measured: Measured[] = []
console.log(headLine(sizes.length))
for (const def of toolContextBuilder.strategies) {
  if (flags.only !== undefined && flags.only !== def.id) continue
  for (const input of inputsOf(def)) {
    const one = measure(def, input)
    measured.push(one)
    console.log(rowLine(one))
  }
}
const peers = flags.quick ? [] : await measurePeers(sizes.slice(0, PEER_SIZES), ROUNDS)
for (const row of peers) console.log(peerLine(row))

const failed = measured.filter((one) => one.verdict.failures.length > 0)
console.log(failed.length === 0 ? `all ${measured.length} rows within bounds` : `${failed.length} rows too slow`)
if (flags.write) {
  const text = page(
    measured,
    peers,
    sizes.length,
    `${availableParallelism()} shared cores, Node ${process.versions.node}`,
  )
  await writeFile(PAGE, await formatted(PAGE, text))
}
process.exitCode = failed.length === 0 ? 0 : 1
