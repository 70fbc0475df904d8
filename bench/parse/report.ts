import type { StrategyId } from '@/lib/strategies/tool-context-def'
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

/** The peers are tried on the two smaller sizes. */
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

/** The page that is published: what was measured, how, and what each column means. */
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
  return `# How fast a reply is read

\`npm run bench -- parse --write\` measured this page and wrote it; \`npm run bench -- parse\` prints the same and fails when a
bound is broken. Machine: ${machine}. All times are milliseconds of the reading thread's own work, which on an idle machine is the
clock's time: medians of interleaved rounds of one run, after a warm-up.

Bounds: growth at most ${MAX_GROWTH} per ten times the text, whole and in chunks; ${CHUNK}-character chunks under ${MAX_CHUNKED} × whole; a call with one
string of 1 MB within ${MAX_JSON} × \`JSON.parse\`. A row that breaks one is measured again, up to three times, before it counts.

- **whole**: the text pushed at once, then the end. 1 MB is 1,024,000 characters.
- **×10**: time for ten times the text between the first and the last size. Linear is 10. Times below 2 ns a character
  (searching alone) are taken as 2 ns: there the memory's caches are measured, not the reader.
- **chunks**: the same text in ${CHUNK}-character pieces, which were cut before, with a preview every ${LOOK_EVERY} pieces (${CHUNK * LOOK_EVERY} characters).
- **÷ whole**: chunks against whole at 1 MB, as measured.
- **held**: the number that is held under ${MAX_CHUNKED}: chunks against the whole or against the handing over, whichever takes longer.
  Handing over is 256,000 pieces joined into strings with the same pauses and not read at all. Where the whole is one search
  for a character that never comes, as in prose, nothing that takes pieces can be within ten times of it.
- **often 1 MB**: chunks at 1 MB with a preview every ${LOOK_OFTEN} pieces (${CHUNK * LOOK_OFTEN} characters), as when a model writes about 320 tokens a second and
  the screen looks every 50 ms. One run.
- **÷ JSON.parse**: whole at 1 MB against \`JSON.parse\` of the same call as JSON.

${table(
  headOf(sizes),
  measured.map((one) => cellsOf(one)),
  2,
)}

## Beside the peers

Some texts of XML_Tag. \`@ai-sdk-tool/parser\` reads them as they stand (its hermes protocol with \`<tool_code>\` as
tag), whole and as a stream of ${CHUNK}-character deltas; readers of JSON alone are given the body: the calls as JSON, without markup,
prose and strategy. They find no calls, check no tools and name no repairs. \`refused\`: it threw. \`too slow\`: it would have taken
more than 0.4 seconds, by its time at the size before. \`0.00\`: less than the clock's step.
A value that \`jsonrepair\` refuses may be valid JSON, as the one huge string is: its text ends in the middle of a quotation.

${table(['input', 'reader', ...SIZE_NAMES.slice(0, PEER_SIZES)], peerRows, 2)}
`
}
