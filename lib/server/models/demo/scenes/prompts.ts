import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import type { Language } from '@/lib/base/text/languages'
import { ask, joinWords, type Scene, text } from '../scene'
import { lastRound, type SeenResult, type Turn, describeResults, demoReplies } from '../turn'
import { diceCode, ordersCsv, packingList, totalsCode } from './material'
import { tIn } from '@/lib/i18n/t'

// Each file fits on a card without scrolling, because otherwise the user would have to review it before it runs.

const html = (language: Language, title: string, about: string, button: string, times: string) => `<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <main>
    <h1>${title}</h1>
    <p>${about}</p>
    <button id="count" type="button">${button}</button>
    <p id="times" role="status">${times}</p>
  </main>
  <script src="app.js"></script>
</body>
</html>
`

const css = `body {
  display: grid;
  min-height: 90vh;
  place-items: center;
  font: 1.125rem/1.5 system-ui, sans-serif;
  text-align: center;
}

button {
  padding: 0.6rem 1.4rem;
  border: 0;
  border-radius: 0.5rem;
  font: inherit;
  color: white;
  background: #3b6ea5;
}
`

const js = (says: string) => `const button = document.getElementById('count')
const times = document.getElementById('times')
let count = 0

button.addEventListener('click', () => {
  count += 1
  times.textContent = ${says}
})
`

/** A page in three files, by path, in the order in which they are written. */
const pageFiles: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    '/page/index.html': html(
      'en',
      'A small page',
      'A script wrote it. It runs because you started it.',
      'Count',
      'Not pressed yet',
    ),
    '/page/style.css': css,
    '/page/app.js': js("count === 1 ? 'Pressed once' : 'Pressed ' + count + ' times'"),
  },
  'zh-CN': {
    '/page/index.html': html('zh-CN', '一个小网页', '由一段脚本编写，因你启动而运行。', '计数', '还没有点击'),
    '/page/style.css': css,
    '/page/app.js': js("'已点击 ' + count + ' 次'"),
  },
}

/** Whether every call so far succeeded. */
const wentWell = (turn: Turn): boolean => lastRound(turn).every(({ status }) => status === 'completed')
const first = (turn: Turn): SeenResult | undefined => lastRound(turn)[0]
/** The path in a result: the user may have edited the call before it ran. */
const pathOf = (seen: SeenResult | undefined, otherwise: string): string => {
  const result = seen?.result ?? null
  const path = isJsonObject(result) ? result['path'] : null
  return typeof path === 'string' ? path : otherwise
}
/** The entries with the highest number, and that number. */
function highest(counts: readonly (readonly [string, number])[]) {
  const most = Math.max(...counts.map(([, count]) => count))
  return { names: counts.filter(([, count]) => count === most).map(([name]) => name), most }
}

/** The starter prompts of an empty chat, verbatim or nearly so. */
export const promptScenes: readonly Scene[] = [
  {
    usage: 'Make a small orders table and total it per month',
    summary: 'about_table',
    matches: /\borders? table\b|订单表/i,
    play(turn) {
      if (turn.rounds.length === 0) {
        return ask(turn, demoReplies(turn.language, 'table'), [
          { name: 'write_file', arguments: { path: '/orders.csv', content: ordersCsv[turn.language] } },
        ])
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn), turn.language))
      const path = pathOf(turn.rounds[0]?.[0], '/orders.csv')
      if (turn.rounds.length === 1) {
        return ask(turn, demoReplies(turn.language, 'table_written', { path }), [
          { name: 'browser_js_eval', arguments: { code: totalsCode(path) } },
        ])
      }
      const totals = findTotals(first(turn)?.result ?? null, 0)
      if (totals === null)
        return text(demoReplies(turn.language, 'code_ran'), describeResults(lastRound(turn), turn.language))
      const { names, most } = highest(totals)
      return text(
        demoReplies(turn.language, 'table_best', {
          month: joinWords(turn.language, names),
          total: most.toFixed(2),
          path,
        }),
      )
    },
  },
  {
    usage: 'Draft a packing list as /notes/list.md',
    summary: 'about_packing',
    matches: /\bpacking list\b|行李清单/i,
    play(turn, { input }) {
      const path = /(\/[\w./-]*[\w-])/.exec(input)?.[1] ?? '/notes/list.md'
      if (turn.rounds.length === 0) {
        return ask(turn, demoReplies(turn.language, 'list', { path }), [
          { name: 'write_file', arguments: { path, content: packingList[turn.language] } },
        ])
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn), turn.language))
      const lines = packingList[turn.language].split('\n')
      return text(
        demoReplies(turn.language, 'list_written', {
          path: pathOf(first(turn), path),
          things: lines.filter((line) => line.startsWith('- ')).length,
          groups: lines.filter((line) => line.startsWith('## ')).length,
        }),
      )
    },
  },
  {
    usage: 'List the files of this chat, and read the first one',
    summary: 'about_first',
    matches: /\blist\b.*\bfiles\b.*\bread the first\b|列出.*文件.*读取第一个/is,
    play(turn) {
      if (turn.rounds.length === 0) {
        return ask(turn, demoReplies(turn.language, 'look'), [{ name: 'list_directory', arguments: { path: '/' } }])
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn), turn.language))
      if (turn.rounds.length === 1) {
        const listed = listOf(first(turn)?.result ?? null)
        const [path] = listed.files
        const [folder] = listed.folders
        if (path === undefined) {
          return text(
            folder === undefined
              ? demoReplies(turn.language, 'look_none', { path: listed.path })
              : demoReplies(turn.language, 'look_folders', {
                  path: listed.path,
                  folder,
                  count: listed.folders.length,
                }),
          )
        }
        return ask(turn, demoReplies(turn.language, 'look_first', { path }), [
          { name: 'read_file', arguments: { path } },
        ])
      }
      return text(demoReplies(turn.language, 'look_done', { lines: linesOf(first(turn)?.result ?? null) }))
    },
  },
  {
    usage: 'Simulate a thousand dice rolls and show a chart',
    summary: 'about_dice',
    matches: /\bdice\b|骰子/i,
    play(turn) {
      if (turn.rounds.length === 0) {
        return ask(turn, demoReplies(turn.language, 'dice'), [
          { name: 'browser_js_eval', arguments: { code: diceCode } },
        ])
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn), turn.language))
      const counts = findCounts(first(turn)?.result ?? null)
      if (counts === null) return text(describeResults(lastRound(turn), turn.language))
      const { names, most } = highest(counts)
      const { result } = first(turn) ?? { result: null }
      return text(
        demoReplies(turn.language, 'dice_best', {
          throws: counts.reduce((sum, [, times]) => sum + times, 0),
          sum: joinWords(turn.language, names),
          times: most,
          chart: String(isJsonObject(result) && result['displayed'] !== undefined),
        }),
      )
    },
  },
  {
    usage: 'Build a small page with a button that counts, in three files',
    summary: 'about_page',
    matches: /\b(?:build|make|write|create)\b.*\b(?:small|little|web) ?page\b|小网页/i,
    play(turn) {
      if (turn.rounds.length === 0) {
        const files = pageFiles[turn.language]
        const calls = Object.entries(files).map(([path, content]) => ({
          name: 'write_file',
          arguments: { path, content },
        }))
        return ask(turn, demoReplies(turn.language, 'page', { count: calls.length }), calls)
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn), turn.language))
      const paths = Object.keys(pageFiles[turn.language])
      const written = new Set(lastRound(turn).map((seen) => pathOf(seen, '')))
      // Its parts refer to each other by these names.
      if (paths.some((path) => !written.has(path))) return text(describeResults(lastRound(turn), turn.language))
      return text(
        demoReplies(turn.language, 'page_written', {
          path: '/page/index.html',
          run: tIn(turn.language, 'artifact.run'),
          edit: 'edit /page/style.css: #3b6ea5 => #2f7d4f',
        }),
      )
    },
  },
  {
    usage: 'Plan a weekend with me',
    summary: 'about_weekend',
    matches: /\bplan (?:a|the|my) weekend\b|计划.*周末/i,
    play(turn) {
      const { language } = turn
      const path = '/weekend.md'
      if (turn.rounds.length === 0) {
        return ask(turn, demoReplies(language, 'weekend'), [{ name: 'ask_user', arguments: weekendQuestion(language) }])
      }
      if (!wentWell(turn)) return text(describeResults(lastRound(turn), language))
      if (turn.rounds.length > 1)
        return text(demoReplies(language, 'weekend_done', { path: pathOf(first(turn), path) }))
      const content = demoReplies(language, 'weekend_plan', weekendOf(first(turn)?.result ?? null, language))
      return ask(turn, demoReplies(language, 'weekend_written', { path }), [
        { name: 'write_file', arguments: { path, content } },
      ])
    },
  },
]

const weekendQuestion = (language: Language): JsonObject => ({
  question: demoReplies(language, 'weekend_question'),
  choices: [
    demoReplies(language, 'weekend_sea'),
    demoReplies(language, 'weekend_mountains'),
    demoReplies(language, 'weekend_city'),
  ],
  other: true,
  fields: [
    { name: demoReplies(language, 'weekend_nights'), type: 'number' },
    { name: demoReplies(language, 'weekend_children'), type: 'yes_no' },
  ],
})

/** The user's answers in the form of the plan. */
function weekendOf(result: JsonValue, language: Language): JsonObject {
  const answer = isJsonObject(result) ? result : {}
  const fields = isJsonObject(answer['fields'] ?? null) ? (answer['fields'] as JsonObject) : {}
  const nights = fields[demoReplies(language, 'weekend_nights')]
  const children = fields[demoReplies(language, 'weekend_children')]
  return {
    where: answer['chosen'] ?? answer['user_wrote'] ?? '?',
    nights: typeof nights === 'number' ? String(nights) : '?',
    children: typeof children === 'boolean' ? (children ? 'yes' : 'no') : 'unknown',
  }
}

/** Finds `{"2026-01": 12.5, …}` anywhere in a result, also as JSON text; sorted by month. */
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

/** The paths in a directory listing, and the path of its folder. */
function listOf(result: JsonValue) {
  const { path, entries } = isJsonObject(result) ? result : {}
  const folder = typeof path === 'string' ? path : '/'
  const named = (kind: string) =>
    (Array.isArray(entries) ? (entries as readonly JsonValue[]) : []).flatMap((entry) =>
      isJsonObject(entry) && entry['kind'] === kind && typeof entry['name'] === 'string'
        ? [`${folder.replace(/\/$/, '')}/${entry['name']}`]
        : [],
    )
  return { path: folder, files: named('file'), folders: named('directory') }
}

/** How many lines of text were returned; 0 if the result is not text. */
function linesOf(result: JsonValue): number {
  const content = isJsonObject(result) ? result['content'] : null
  return typeof content === 'string' ? content.replace(/\n$/, '').split('\n').length : 0
}

/** How often each sum of two dice occurred, as returned by the scene's code; null if it returned anything else. */
function findCounts(result: JsonValue): readonly (readonly [string, number])[] | null {
  const value = isJsonObject(result) ? (result['value'] ?? null) : null
  if (!isJsonObject(value)) return null
  const counts = Object.entries(value).filter(
    (entry): entry is [string, number] => /^\d{1,2}$/.test(entry[0]) && typeof entry[1] === 'number',
  )
  return counts.length > 0 ? counts : null
}
