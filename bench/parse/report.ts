import type { StrategyId } from '@/lib/protocols/types/tool-context-def'
import { SIZE_NAMES } from './inputs'
import { CHUNK, LOOK_EVERY, LOOK_OFTEN, MAX_CHUNKED, MAX_GROWTH, MAX_JSON } from './measure'
import type { Row, Verdict } from './measure'
import type { PeerRow } from './peers'

export interface Measured {
  readonly strategy: StrategyId
  readonly input: string
  readonly row: Row
  readonly verdict: Verdict
}

const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0))

/** The columns of one row, as text. */
function cellsOf({ strategy, input, row, verdict }: Measured): readonly string[] {
  return [
    strategy,
    input,
    ...row.whole.map(ms),
    verdict.growthWhole.toFixed(1),
    ...row.chunked.map(ms),
    verdict.growthChunked.toFixed(1),
    verdict.chunkedToWhole.toFixed(1),
    verdict.chunkedHeld.toFixed(1),
    ms(row.often),
    verdict.wholeToJson === null ? '' : verdict.wholeToJson.toFixed(1),
  ]
}

const headOf = (sizes: number): readonly string[] => [
  'strategy',
  'input',
  ...SIZE_NAMES.slice(0, sizes).map((name) => `whole ${name}`),
  '×10',
  ...SIZE_NAMES.slice(0, sizes).map((name) => `chunks ${name}`),
  '×10',
  '÷ whole',
  'held',
  'often 1 MB',
  '÷ JSON.parse',
]

/** The other parsers are measured at the two smaller sizes. */
export const PEER_SIZES = 2

const WIDTHS = [12, 17]
const pad = (cells: readonly string[]): string =>
  cells.map((cell, i) => (i < 2 ? cell.padEnd(WIDTHS[i] ?? 0) : cell.padStart(13))).join(' ')

export const headLine = (sizes: number): string => pad(headOf(sizes))
export const rowLine = (one: Measured): string => {
  const { failures } = one.verdict
  return pad(cellsOf(one)) + (failures.length > 0 ? `  TOO SLOW: ${failures.join(', ')}` : '')
}

const peerTime = (time: PeerRow['times'][number]): string => (typeof time === 'number' ? ms(time) : time)
export const peerLine = ({ input, reader, times }: PeerRow): string =>
  `${input.padEnd(17)} ${reader.padEnd(28)}${times.map((time) => peerTime(time).padStart(12)).join('')}`

const table = (head: readonly string[], rows: readonly (readonly string[])[], texts: number): string =>
  [head, head.map((_, i) => (i < texts ? '---' : '--:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** The published page: what was measured, how, and what each column means. */
export function page(measured: readonly Measured[], peers: readonly PeerRow[], sizes: number, machine: string): string {
  const ours = (input: string): readonly (readonly string[])[] =>
    measured
      .filter((one) => one.strategy === 'XML_Tag' && one.input === input)
      .flatMap(({ row }) => [
        [input, '**Nod, whole**', ...row.whole.slice(0, PEER_SIZES).map(ms)],
        [input, '**Nod, chunks**', ...row.chunked.slice(0, PEER_SIZES).map(ms)],
      ])
  const peerRows = [...new Set(peers.map((one) => one.input))].flatMap((input) => [
    ...ours(input),
    ...peers
      .filter((one) => one.input === input)
      .map(({ reader, times }) => [input, `\`${reader.replace(', ', '`, ')}`, ...times.map(peerTime)]),
  ])
  return `# Time to read a reply

How long Nod takes to read replies of different shapes, and how that grows. \`npm run bench -- parse --write\` writes this page;
without \`--write\` it fails if a limit is broken. Machine: ${machine}. Times are milliseconds of CPU of the reading thread: medians of
interleaved rounds of one run, after a warm-up.

Limits: at most ${MAX_GROWTH} times the time for ten times the text; ${CHUNK}-character chunks at most ${MAX_CHUNKED} × whole; a call with one
string of 1 MB at most ${MAX_JSON} × \`JSON.parse\`. A row that breaks a limit is measured up to three times.

- **whole**: the text at once. 1 MB is 1,024,000 characters.
- **×10**: growth for ten times the text, between the first and the last size. Linear is 10. Times below 2 ns per character count as
  2 ns, because they measure memory caches.
- **chunks**: ${CHUNK}-character chunks, with a preview every ${LOOK_EVERY} chunks (${CHUNK * LOOK_EVERY} characters).
- **÷ whole**: chunks divided by whole, at 1 MB.
- **held**: the number that must stay under ${MAX_CHUNKED}: chunks divided by whole, or by the time to join 256,000 chunks without reading
  them, whichever is longer.
- **often 1 MB**: chunks at 1 MB with a preview every ${LOOK_OFTEN} chunks (${CHUNK * LOOK_OFTEN} characters): a model at 320 tokens per second and
  a display every 50 ms. One run.
- **÷ JSON.parse**: whole at 1 MB divided by \`JSON.parse\` of the same call.

${table(
  headOf(sizes),
  measured.map((one) => cellsOf(one)),
  2,
)}

## Other parsers

Texts of XML_Tag. \`@ai-sdk-tool/parser\` reads them as they are (its Hermes protocol with the tag \`<tool_code>\`), whole and as a
stream of ${CHUNK}-character chunks. JSON parsers get only the calls as JSON; they find no calls, check no tools and name no repairs.
\`refused\`: it threw. \`too slow\`: it would take more than 0.4 seconds. \`0.00\`: less than the clock's step.

${table(['input', 'reader', ...SIZE_NAMES.slice(0, PEER_SIZES)], peerRows, 2)}
`
}
