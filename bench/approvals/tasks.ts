import type { JsonObject } from '@/lib/base/json'

/** One call of a script. */
export interface ScriptedCall {
  readonly tool: string
  readonly args: JsonObject
  /** The effects of code on files, instead of running it: a path with its new text, or null if it is deleted. */
  readonly does?: Readonly<Record<string, string | null>>
}

/** One task: the initial files, and the calls of each reply until the model is done. */
export interface ScriptedTask {
  readonly name: string
  readonly files: Readonly<Record<string, string>>
  readonly replies: readonly (readonly ScriptedCall[])[]
}

/** A server's tool, which no task on a copy runs without a click. */
export const remoteTool = 'library__search'

const read = (path: string): ScriptedCall => ({ tool: 'read_file', args: { path } })
const list = (path: string): ScriptedCall => ({ tool: 'list_directory', args: { path } })
const search = (query: string): ScriptedCall => ({ tool: 'search_files', args: { query } })
const write = (path: string, content: string): ScriptedCall => ({ tool: 'write_file', args: { path, content } })
const edit = (path: string, from: string, to: string): ScriptedCall => ({
  tool: 'edit_file',
  args: { path, edits: [{ search: from, replace: to }] },
})
const move = (from: string, to: string): ScriptedCall => ({ tool: 'move_path', args: { from, to } })
const remove = (path: string): ScriptedCall => ({ tool: 'delete_path', args: { path } })
const code = (text: string, does: ScriptedCall['does'] = {}): ScriptedCall => ({
  tool: 'browser_js_eval',
  args: { code: text },
  does,
})
const ask = (question: string): ScriptedCall => ({ tool: 'ask_user', args: { question, choices: ['Yes', 'No'] } })
const remote = (query: string): ScriptedCall => ({ tool: remoteTool, args: { query } })

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at + 1)
const many = (count: number, path: (n: number) => string, text: (n: number) => string) =>
  Object.fromEntries(numbers(count).map((n) => [path(n), text(n)]))

const source = (n: number) => `/src/part-${n}.ts`
const photo = (n: number) => `/photos/img_${n}.svg`
const chapter = (n: number) => `/book/chapter-${n}.md`
const sources = many(12, source, (n) => `export const total${n} = oldName(${n})\n`)
const chapters = many(6, chapter, (n) => `# Chapter ${n}\n\nIt begins here.\n`)

export const tasks: readonly ScriptedTask[] = [
  {
    name: 'Write three files',
    files: {},
    replies: [[write('/site/index.html', '<h1>Hi</h1>'), write('/site/a.css', 'h1{}'), write('/site/a.js', '1')]],
  },
  {
    name: 'Fix a bug',
    files: sources,
    replies: [
      [list('/src')],
      [read(source(1)), read(source(2))],
      [code('run the test')],
      [edit(source(1), 'oldName(1)', 'newName(1)')],
      [code('run the test')],
      [edit(source(2), 'oldName(2)', 'newName(2)')],
      [code('run the test')],
    ],
  },
  {
    name: 'From a table to a chart and a report',
    files: { '/data/sales.csv': 'month,total\n1,20\n2,30\n' },
    replies: [
      [read('/data/sales.csv')],
      [code('draw the chart', { '/data/chart.svg': '<svg/>' })],
      [write('/data/report.md', '# Sales\n')],
    ],
  },
  {
    name: 'Build a page and correct it',
    files: {},
    replies: [
      [write('/site/page.html', '<p>one</p>')],
      [read('/site/page.html')],
      [edit('/site/page.html', 'one', 'two')],
      [code('check the page')],
    ],
  },
  {
    name: 'Refactor 12 files',
    files: sources,
    replies: [
      [search('oldName')],
      ...[1, 5, 9].flatMap((first) => {
        const four = numbers(4).map((n) => first + n - 1)
        return [four.map((n) => read(source(n))), four.map((n) => edit(source(n), `oldName(${n})`, `newName(${n})`))]
      }),
      [code('run the tests')],
    ],
  },
  {
    name: 'Rename 30 files by a script',
    files: many(30, photo, (n) => `<svg id="${n}"/>`),
    replies: [
      [list('/photos')],
      [
        code('rename them', {
          ...Object.fromEntries(numbers(30).map((n) => [photo(n), null])),
          ...many(
            30,
            (n) => `/photos/2026-${n}.svg`,
            (n) => `<svg id="${n}"/>`,
          ),
        }),
      ],
    ],
  },
  {
    name: 'Rename 10 files by calls',
    files: many(10, photo, (n) => `<svg id="${n}"/>`),
    replies: [
      [list('/photos')],
      numbers(5).map((n) => move(photo(n), `/photos/trip-${n}.svg`)),
      numbers(5).map((n) => move(photo(n + 5), `/photos/trip-${n + 5}.svg`)),
    ],
  },
  {
    name: 'Summarise five files in one',
    files: chapters,
    replies: [[list('/book')], numbers(5).map((n) => read(chapter(n))), [write('/book/summary.md', '# In short\n')]],
  },
  {
    name: 'Convert a file by code',
    files: { '/data/people.csv': 'name\nAda\n' },
    replies: [[read('/data/people.csv')], [code('convert it', { '/data/people.json': '[{"name":"Ada"}]' })]],
  },
  {
    name: 'Tidy up, with two deletions',
    files: { '/notes/a.md': 'a', '/notes/b.md': 'b', '/notes/c.md': 'c', '/notes/old.md': 'x', '/notes/tmp.md': 'y' },
    replies: [
      [list('/notes')],
      ['a', 'b', 'c'].map((name) => move(`/notes/${name}.md`, `/notes/2026/${name}.md`)),
      [remove('/notes/old.md'), remove('/notes/tmp.md')],
    ],
  },
  {
    name: 'Write tests until they pass',
    files: sources,
    replies: [
      [read(source(1))],
      [write('/src/part-1.test.ts', 'test(1)')],
      ...numbers(4).flatMap((n) => [
        [code('run the tests')],
        [edit('/src/part-1.test.ts', `test(${n})`, `test(${n + 1})`)],
      ]),
      [code('run the tests')],
    ],
  },
  {
    name: 'Look something up at a server, then write',
    files: {},
    replies: [[remote('tides')], [write('/notes/tides.md', '# Tides\n')], [write('/notes/plan.md', '# Plan\n')]],
  },
  {
    name: 'Ask, then write two files',
    files: {},
    replies: [[ask('Shall I use tables?')], [write('/docs/a.md', 'a'), write('/docs/b.md', 'b')]],
  },
  {
    name: 'Translate six files',
    files: chapters,
    replies: [
      [list('/book')],
      numbers(6).map((n) => read(chapter(n))),
      numbers(6).map((n) => write(`/book/de/chapter-${n}.md`, `# Kapitel ${n}\n`)),
    ],
  },
]
