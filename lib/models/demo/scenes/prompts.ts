import { isJsonObject } from '@/lib/base/json'
import type { JsonValue } from '@/lib/base/json'
import { describeResults, fenced, cut } from '../describe-results'
import { text } from '../reply'
import { ask } from '../scene'
import type { Scene } from '../scene'
import { lastRound } from '../turn'
import type { SeenResult, Turn } from '../turn'
import { diceCode, ordersCsv, packingList, totalsCode } from './material'

/** Everything asked for so far went well. */
const wentWell = (turn: Turn): boolean => lastRound(turn).every(({ status }) => status === 'completed')
const first = (turn: Turn): SeenResult | undefined => lastRound(turn)[0]

/** The four prompts of an empty chat, word for word or nearly so. */
export const promptScenes: readonly Scene[] = [
  {
    usage: 'Make a small orders table and total it per month',
    summary: 'writes a table, then totals it with code, then tells you the totals',
    matches: /\borders? table\b/i,
    play(turn) {
      if (turn.rounds.length === 0) {
        return ask(
          turn,
          'I am a script and know this one by heart: first I write a small table of orders, then code adds them up per ' +
            'month. Nothing happens until you click Run.',
          [{ name: 'write_file', arguments: { path: '/orders.csv', content: ordersCsv } }],
        )
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn)))
      if (turn.rounds.length === 1) {
        return ask(turn, 'The table is written to `/orders.csv`. Now the totals:', [
          { name: 'browser_js_eval', arguments: { code: totalsCode } },
        ])
      }
      const totals = findTotals(first(turn)?.result ?? null, 0)
      if (totals === null) return text('The code ran.', describeResults(lastRound(turn)))
      const rows = totals.map(([month, total]) => `| ${month} | ${total.toFixed(2)} |`)
      const best = totals.reduce((a, b) => (b[1] > a[1] ? b : a))
      return text(
        'Here is what your code gave back, month by month:',
        ['| month | total |', '|---|--:|', ...rows].join('\n'),
        `The strongest month is **${best[0]}** with ${best[1].toFixed(2)}. The orders stay in \`/orders.csv\`; say ` +
          '`read /orders.csv` to see them.',
      )
    },
  },
  {
    usage: 'Draft a packing list as /notes/list.md',
    summary: 'writes one file',
    matches: /\bpacking list\b/i,
    play(turn, { input }) {
      const path = /(\/[\w./-]*[\w-])/.exec(input)?.[1] ?? '/notes/list.md'
      if (turn.rounds.length === 0) {
        return ask(turn, `A packing list for a weekend, as a script remembers it. It goes to \`${path}\`:`, [
          { name: 'write_file', arguments: { path, content: packingList } },
        ])
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn)))
      return text(`The list is in \`${path}\`: ten things, in three groups. Say \`read ${path}\` and I show it to you.`)
    },
  },
  {
    usage: 'List the files of this chat, and read the first one',
    summary: 'lists the root, then reads the first file that it finds',
    matches: /\blist\b.*\bfiles\b.*\bread the first\b/is,
    play(turn) {
      if (turn.rounds.length === 0) {
        return ask(turn, 'I am a script, but I can look: first the list, then the first file in it.', [
          { name: 'list_directory', arguments: { path: '/' } },
        ])
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn)))
      if (turn.rounds.length === 1) {
        const path = firstFile(first(turn)?.result ?? null)
        if (path === null) {
          return text(
            'There is no file here yet, so there is nothing to read. Say “Draft a packing list as /notes/list.md”, and ' +
              'there will be a folder with one.',
          )
        }
        return ask(turn, `The first file is \`${path}\`. Reading it:`, [{ name: 'read_file', arguments: { path } }])
      }
      return text(
        'That is how it begins:',
        fenced(beginningOf(first(turn)?.result ?? null)),
        'That was all I had to do.',
      )
    },
  },
  {
    usage: 'Simulate a thousand dice rolls and show a chart',
    summary: 'runs code that draws a chart with `display()`',
    matches: /\bdice\b/i,
    play(turn) {
      if (turn.rounds.length === 0) {
        return ask(
          turn,
          'Dice are something that a script cannot foresee, so code has to roll them. It runs in your browser, away from ' +
            'this page and without a network:',
          [{ name: 'browser_js_eval', arguments: { code: diceCode } }],
        )
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn)))
      return text(
        'The thousand dice have fallen. The chart stands in the card above; the counts are:',
        describeResults(lastRound(turn)),
      )
    },
  },
]

/** `{"2026-01": 12.5, …}` anywhere in a result, also as JSON text; sorted by month. */
function findTotals(value: JsonValue, depth: number): readonly (readonly [string, number])[] | null {
  if (depth > 4) return null
  if (typeof value === 'string' && value.startsWith('{')) {
    try {
      return findTotals(JSON.parse(value) as JsonValue, depth + 1)
    } catch {
      return null
    }
  }
  if (!isJsonObject(value)) return null
  const totals = Object.entries(value).filter(
    (entry): entry is [string, number] => /^\d{4}-\d{2}$/.test(entry[0]) && typeof entry[1] === 'number',
  )
  if (totals.length > 0) return totals.toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const inner of Object.values(value)) {
    const found = findTotals(inner, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** The first entry of a directory listing that is a file, as a path. */
function firstFile(result: JsonValue): string | null {
  if (!isJsonObject(result)) return null
  const entries = result['entries']
  const folder = typeof result['path'] === 'string' ? result['path'] : '/'
  if (!Array.isArray(entries)) return null
  for (const entry of entries as readonly JsonValue[]) {
    if (isJsonObject(entry) && entry['kind'] === 'file' && typeof entry['name'] === 'string') {
      return `${folder.replace(/\/$/, '')}/${entry['name']}`
    }
  }
  return null
}

function beginningOf(result: JsonValue): string {
  const content =
    isJsonObject(result) && typeof result['content'] === 'string' ? result['content'] : JSON.stringify(result)
  return cut(content.split('\n').slice(0, 8).join('\n'), 600)
}
