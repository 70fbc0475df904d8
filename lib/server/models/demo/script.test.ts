import { tIn } from '@/lib/i18n/t'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '@/lib/base/json'
import { strategyModules } from '@/lib/protocols/registry'
import type { CallToWrite, ToolExecuteStatus } from '@/lib/protocols/types/tool-context-def'
import { builtIn } from '@/lib/shared/tools/testing/built-in'
import { readTurn } from './read-results'
import { playTurn, scenes } from './script'
import { demoReplies, type Turn } from './turn'

const allTools = [
  'ask_user',
  'browser_js_eval',
  'delete_path',
  'edit_file',
  'get_time',
  'list_directory',
  'move_path',
  'read_file',
  'search_files',
  'show',
  'write_file',
]

/** Plays a turn and returns its text and its calls. */
function play(task: string, turn: Partial<Turn> = {}) {
  const calls: CallToWrite[] = []
  const reply = playTurn({
    language: 'en',
    task,
    previousTask: '',
    rounds: [],
    strategy: 'JSON_Strict',
    tools: new Set(allTools),
    known: strategyModules,
    formatCalls: (_strategy, written) => {
      calls.push(...written)
      return `CALLS${JSON.stringify(written)}`
    },
    ...turn,
  })
  return { text: reply.parts.map(({ text }) => text).join('\n'), calls, reply }
}

const result = (name: string, value: JsonValue, status: ToolExecuteStatus = 'completed') => ({
  name,
  status,
  result: value,
})

/** One argument of the only call. */
const argument = (calls: readonly CallToWrite[], name: string): string => {
  const value = calls[0]?.arguments[name]
  return typeof value === 'string' ? value : ''
}

/** Runs the script's own code like the sandbox: as the body of an async function. */
const runCode = async (code: string, globals: Record<string, unknown>): Promise<unknown> =>
  JSON.parse(JSON.stringify(await (runInNewContext(`(async () => {${code}})()`, globals) as Promise<unknown>)))

describe('the title of a chat', () => {
  const named = (said: string, turn: Partial<Turn> = {}) =>
    play(`Write a title for this conversation.\n\nIts messages by the user:\n\n${said}`, turn)

  it('is fixed for known prompts, in the language of the chat, without calls', () => {
    expect(named('Make a small orders table and total it per month')).toMatchObject({
      text: 'Orders per month',
      calls: [],
    })
    expect(named('模拟掷一千次骰子，并画成图表', { language: 'zh-CN' }).text).toBe('一千次骰子')
  })

  it('is generic if the script does not know the prompt', () => {
    expect(named('What is the meaning of life?').text).toBe('A chat with a script')
  })
})

describe('the prompts of an empty chat', () => {
  it('creates an orders table, sums it up, and reports the totals', () => {
    const task = 'Make a small orders table and total it per month'
    const written = result('write_file', { path: '/orders.csv', size: 1 })
    expect(play(task).calls).toMatchObject([{ name: 'write_file', arguments: { path: '/orders.csv' } }])
    expect(play(task, { rounds: [[written]] }).calls).toMatchObject([{ name: 'browser_js_eval' }])
    const totals = result('browser_js_eval', { value: { '2026-02': 163.25, '2026-01': 276.4 }, console: ['x'] })
    const { text, calls } = play(task, { rounds: [[written], [totals]] })
    expect(calls).toEqual([])
    expect(text).toContain('**2026-01** with 276.40')
    expect(text).not.toContain('163.25')
  })

  it('sums up its own table correctly', async () => {
    const task = 'Make a small orders table and total it per month'
    const content = argument(play(task).calls, 'content')
    const code = argument(play(task, { rounds: [[result('write_file', {})]] }).calls, 'code')
    const fs = { readFile: () => Promise.resolve(content) }
    const totals = await runCode(code, { fs, console: { log: () => undefined } })
    expect(totals).toEqual({ '2026-01': 276.4, '2026-02': 163.25, '2026-03': 212.3 })
  })

  it('builds a page in three files, then says where Run is', () => {
    const task = 'Build a small page with a button that counts, in three files'
    const { calls } = play(task)
    expect(calls.map(({ name, arguments: args }) => [name, args['path']])).toEqual([
      ['write_file', '/page/index.html'],
      ['write_file', '/page/style.css'],
      ['write_file', '/page/app.js'],
    ])
    // Each file is fully visible on its card; otherwise Run all would ask for a review first.
    for (const { arguments: args } of calls)
      expect(
        argument([{ name: '', arguments: args }], 'content')
          .trimEnd()
          .split('\n').length,
      ).toBeLessThanOrEqual(17)
    // The text that the closing sentence offers to change occurs once in the file.
    const css = argument(calls.slice(1), 'content')
    const { text } = play(task, { rounds: [calls.map(({ name, arguments: args }) => result(name, { ...args }))] })
    expect(text).toContain(`**${tIn('en', 'artifact.run')}**`)
    const [, old = '?'] = /style\.css: (\S+) =>/.exec(text) ?? []
    expect(css.split(old)).toHaveLength(2)
  })

  it('drafts a packing list in the requested place', () => {
    expect(play('Draft a packing list as /notes/list.md').calls).toMatchObject([
      { name: 'write_file', arguments: { path: '/notes/list.md' } },
    ])
    expect(play('a packing list please').calls[0]?.arguments['path']).toBe('/notes/list.md')
    expect(play('Draft a packing list as /trip/bag.md').calls[0]?.arguments['path']).toBe('/trip/bag.md')
  })

  it('lists the files and reads the first one', () => {
    const task = 'List the files of this chat, and read the first one'
    const listed = result('list_directory', {
      path: '/',
      entries: [
        { name: 'notes', kind: 'directory' },
        { name: 'a.txt', kind: 'file', size: 3 },
      ],
    })
    expect(play(task).calls).toEqual([{ name: 'list_directory', arguments: { path: '/' } }])
    expect(play(task, { rounds: [[listed]] }).calls).toEqual([{ name: 'read_file', arguments: { path: '/a.txt' } }])
    const read = result('read_file', { path: '/a.txt', content: 'one\ntwo' })
    expect(play(task, { rounds: [[listed], [read]] }).text).toContain('2 lines of the file')
    const empty = play(task, { rounds: [[result('list_directory', { path: '/', entries: [] })]] })
    expect(empty.calls).toEqual([])
    expect(empty.text).toContain('`/` is empty')
    const entries = ['notes', 'page'].map((name) => ({ name, kind: 'directory' }))
    const folders = play(task, { rounds: [[result('list_directory', { path: '/', entries })]] })
    expect(folders.text).toBe('`/` holds no file of its own, only 2 folders. Try `list files /notes`.')
  })

  it('asks where to spend the weekend, and writes down only the answer', () => {
    const task = 'Plan a weekend with me'
    const asked = play(task).calls
    expect(asked).toMatchObject([{ name: 'ask_user', arguments: { other: true } }])
    const fits = builtIn.get('ask_user')?.run(asked[0]?.arguments ?? {})
    expect(fits).toMatchObject({ ok: true })
    const answered = result('ask_user', { chosen: 'To the sea', fields: { Nights: 2, 'With children': true } })
    const { calls } = play(task, { rounds: [[answered]] })
    expect(calls).toEqual([
      {
        name: 'write_file',
        arguments: {
          path: '/weekend.md',
          content: '# A weekend\n\n- where: To the sea\n- nights: 2\n- children: come along\n',
        },
      },
    ])
    const said = result(
      'ask_user',
      { error: 'The user denied this call.', reason: 'None of it.' },
      'execution_rejected',
    )
    expect(play(task, { rounds: [[said]] })).toMatchObject({ calls: [], text: expect.stringContaining('None of it.') })
  })

  it('rolls a thousand dice, two at a time, and charts them', async () => {
    const { calls } = play('Simulate a thousand dice rolls and show a chart')
    const shown: string[] = []
    const display = (value: string) => shown.push(value)
    const counts = (await runCode(argument(calls, 'code'), { display })) as Record<string, number>
    expect(Object.values(counts).reduce((a, b) => a + b, 0) * 2).toBe(1_000)
    expect(Object.keys(counts)).toHaveLength(11)
    expect(shown).toEqual([expect.stringMatching(/^<svg xmlns=[\s\S]+<\/svg>$/)])
  })
})

describe('short commands', () => {
  it.each([
    ['list files', 'list_directory', { path: '/' }],
    ['List files /notes', 'list_directory', { path: '/notes' }],
    ['ls', 'list_directory', { path: '/' }],
    ['which files are in /a, say?', 'list_directory', { path: '/a' }],
    ['sing me a song', null, {}],
    ['read /a.txt', 'read_file', { path: '/a.txt' }],
    ['read a.txt.', 'read_file', { path: '/a.txt' }],
    ['write /n.md: one\ntwo: three', 'write_file', { path: '/n.md', content: 'one\ntwo: three' }],
    ['write n.md\ntext', 'write_file', { path: '/n.md', content: 'text' }],
    ['edit /n.md: one\ntwo => 1\n2', 'edit_file', { path: '/n.md', edits: [{ search: 'one\ntwo', replace: '1\n2' }] }],
    ['edit n.md: gone =>', 'edit_file', { path: '/n.md', edits: [{ search: 'gone', replace: '' }] }],
    ['move /a.md to /b/a.md.', 'move_path', { from: '/a.md', to: '/b/a.md' }],
    ['delete the folder /notes', 'delete_path', { path: '/notes' }],
    ['search for “two words”', 'search_files', { query: 'two words' }],
    ['What time is it?', 'get_time', {}],
    ['what’s the time in Asia/Tokyo?', 'get_time', { time_zone: 'Asia/Tokyo' }],
    ['what is the current time', 'get_time', {}],
    ['compute 6 * 7', 'browser_js_eval', { code: 'return 6 * 7' }],
    ['compute const a = 1; return a', 'browser_js_eval', { code: 'const a = 1; return a' }],
    ['an unknown tool', 'send_email', { to: 'nobody@example.com', subject: 'Hello' }],
    ['wrong arguments', 'read_file', { limit: 5 }],
  ] as const)('%s', (task, name, args) => {
    expect(play(task).calls).toEqual(name === null ? [] : [{ name, arguments: args }])
  })

  it('writes three calls in one reply', () => {
    const { calls } = play('make several calls')
    expect(calls.map(({ name }) => name)).toEqual(['write_file', 'list_directory', 'browser_js_eval'])
  })
})

describe('describing results', () => {
  it.each([
    [result('read_file', { path: '/a', content: 'hello' }), /is done[\s\S]+hello/],
    [result('browser_js_eval', { value: 42 }), /is done[\s\S]+42/],
    [
      result('write_file', { reason: 'not there, please' }, 'execution_rejected'),
      /You denied `write_file`: “not there, please”\. Nothing ran/,
    ],
    [
      result('write_file', { error: 'The user denied this call.' }, 'execution_rejected'),
      /You denied `write_file`\. Nothing ran/,
    ],
    [
      result('read_file', { error: 'There is no file at /x.' }, 'error'),
      /failed: There is no file at \/x\.[\s\S]*list files/,
    ],
    [
      result('send_email', { error: 'No such tool.' }, 'not_found'),
      /There is no tool `send_email` here: No such tool\./,
    ],
    [result('browser_js_eval', null, 'cancelled'), /You stopped `browser_js_eval`/],
    [result('browser_js_eval', null, 'interrupted'), /its page was closed or reloaded/],
    [result('browser_js_eval', null, 'skipped'), /did not run/],
  ] as const)('%#: %j', (seen, words) => {
    const { text, calls } = play('list files', { rounds: [[seen]] })
    expect(text).toMatch(words)
    expect(calls).toEqual([])
  })

  it('describes every result of a batch', () => {
    const { text } = play('several calls', {
      rounds: [[result('write_file', { path: '/n' }), result('list_directory', null, 'execution_rejected')]],
    })
    expect(text).toMatch(/`write_file` is done[\s\S]+denied `list_directory`/)
  })

  it('stops a job when a step was denied', () => {
    const { text, calls } = play('Make a small orders table and total it per month', {
      rounds: [[result('write_file', { reason: 'no' }, 'execution_rejected')]],
    })
    expect(text).toContain('You denied')
    expect(calls).toEqual([])
  })

  it('describes the result in one sentence without anything that could be read as a call', () => {
    const said = (value: JsonValue) => play('read /a', { rounds: [[result('read_file', value)]] }).text
    expect(said({ content: 'a\n````\nb' })).toBe('`read_file` is done and returned 3 lines of text.')
    expect(said({ content: '<tool_code>{}</tool_code>' })).toBe(
      '`read_file` is done and returned a text of 25 characters.',
    )
    expect(said({ value: { '2': 22, '3': 41 } })).toBe('`read_file` is done and returned 2 values.')
    expect(said({ path: '/', entries: [1] })).toBe('`read_file` is done and returned 1 item in `entries`.')
    expect(said({ value: null })).toContain('returned `null`.')
  })

  it('names the most frequent sum of the dice', () => {
    const value = { '2': 22, '7': 167, '12': 30 }
    const rolled = play('dice', { rounds: [[result('browser_js_eval', { value, displayed: ['svg, 1.2 KB'] })]] })
    const twoAtATime = 'The dice are rolled, two at a time,'
    expect(rolled.text).toBe(`${twoAtATime} 219 times. 7 came up most often: 167 times, as the chart shows.`)
    const even = play('dice', { rounds: [[result('browser_js_eval', { value: { '6': 9, '7': 9, '8': 1 } })]] })
    expect(even.text).toBe(`${twoAtATime} 19 times. 6 and 7 came up most often: 9 times.`)
  })

  it('cuts long results', () => {
    const { text } = play('read /a', { rounds: [[result('read_file', { content: 'x'.repeat(10_000) })]] })
    expect(text.length).toBeLessThan(500)
  })
})

describe('intentional mistakes', () => {
  it('breaks a call in the middle, and writes it whole on request', () => {
    const { text } = play('a broken call')
    expect(text).toMatch(/CALLS.*ends in the mid$/)
    const again = play('That call could not be read: it was cut off.', { previousTask: 'a broken call' })
    expect(again.calls).toMatchObject([{ name: 'write_file' }])
    expect(again.text).toContain('no call that could run.')
    for (const status of ['execution_rejected', 'cancelled', 'skipped'] as const) {
      const { text: said, calls } = play('a broken call', { rounds: [[result('write_file', null, status)]] })
      expect(calls).toEqual([])
      expect(said).not.toContain('cut off')
    }
    expect(play('a broken call', { rounds: [[result('write_file', 'x', 'error')]] }).calls).toHaveLength(1)
    expect(play('a broken call', { rounds: [[result('write_file', {}, 'completed')]] }).calls).toHaveLength(0)
  })

  it('is slow, and then writes if asked to', () => {
    expect(play('slow reply 3')).toMatchObject({ calls: [], reply: { durationMs: 3_000 } })
    expect(play('a slow reply, then write a file')).toMatchObject({
      calls: [{ name: 'write_file' }],
      reply: { durationMs: 10_000 },
    })
    expect(play('slow reply 999').reply.durationMs).toBe(120_000)
  })

  it('quotes an example with four backticks', () => {
    expect(play('an example in a code block').text).toMatch(/````text\nCALLS.+\n````/)
  })
})

describe('missing tools', () => {
  it('says so if a tool is not offered', () => {
    const { text, calls } = play('write /a: b', { tools: new Set(['read_file']) })
    expect(text).toContain('I need a call to `write_file` for this, and this chat does not offer it')
    expect(calls).toEqual([])
  })

  it.each(scenes.map(({ usage }) => usage))('writes no call to “%s” if tools are off', (usage) => {
    const { calls, text } = play(usage, { strategy: null, tools: new Set() })
    expect(calls).toEqual([])
    expect(text).not.toContain('<tool_call>')
  })
})

const examples = {
  '[PATH]': '/notes',
  PATH: '/notes/list.md',
  TEXT: 'words',
  OLD: 'old words',
  NEW: 'new words',
  TARGET: '/b.md',
  EXPRESSION: '6 * 7',
  SECONDS: '3',
  '[STATUS]': '429',
  '[midway]': 'midway',
}

describe('honesty', () => {
  it.each(['help', 'what is the meaning of life?', 'hello', '', ...scenes.map(({ usage }) => usage)])(
    'says in its reply to “%s” that it is a script',
    (task) => {
      const { text, reply } = play(task)
      if (reply.parts.length === 0) expect(reply.ending.kind).toBe('failure')
      else expect(text).toMatch(/\bscript\b/)
    },
  )

  it('documents every command in help and in the docs', () => {
    const docs = readFileSync(path.join(import.meta.dirname, '../../../../docs/using/demo.md'), 'utf8')
    const { text } = play('help')
    for (const { usage, summary } of scenes) {
      expect(text).toContain(`\`${usage}\`: ${demoReplies('en', summary)}`)
      expect(docs).toContain(`\`${usage}\``)
    }
    expect(text).toContain('**JSON_Strict**')
  })

  it('plays the scene that its own usage names', () => {
    for (const scene of scenes) {
      const typed = Object.entries(examples).reduce((usage, [word, value]) => usage.replace(word, value), scene.usage)
      expect(scenes.find(({ matches }) => matches.test(typed))?.usage).toBe(scene.usage)
    }
  })
})

/** The scenes as typed by a user. */
const typed = scenes.map(({ usage }) =>
  Object.entries(examples).reduce((text, [word, value]) => text.replace(word, value), usage),
)
/** What the script says, without its calls. */
const sentences = (text: string) => text.replaceAll(/CALLS.*$/gm, '')

describe('truth', () => {
  it.each([
    ['write a file', false],
    ['Please save a note for me', false],
    ['write /a.md: Hello', true],
    ['Write a file called hello.txt with the text Hello', true],
    ['save "two words" to /notes/a.txt', true],
  ])('calls the text of “%s” the user’s own only if it is: %s', (task, own) => {
    const { text, calls } = play(task)
    expect(task.includes(argument(calls, 'content'))).toBe(own)
    expect(text.includes('your text')).toBe(own)
    expect(text.includes('the script’s own line')).toBe(!own)
    const chinese = play(task, { language: 'zh-CN' }).text
    expect(chinese.includes('你的文字原样')).toBe(own)
  })

  it.each(typed)('names only paths of the call or the task in its reply to “%s”', (task) => {
    for (const language of ['en', 'zh-CN'] as const) {
      const { text, calls } = play(task, { language })
      for (const [, named = ''] of sentences(text).matchAll(/`(\/[^`]*)`/g))
        expect(`${task} ${JSON.stringify(calls)}`).toContain(named)
    }
  })

  it('names the path of the file that was written, not the one in its own call', () => {
    const written = result('write_file', { path: '/else/where.txt', size: 1 })
    const table = play('Make a small orders table and total it per month', { rounds: [[written]] })
    expect(argument(table.calls, 'code')).toContain('"/else/where.txt"')
    const totals = result('browser_js_eval', { value: { '2026-01': 5, '2026-02': 5 } })
    const best = play('Make a small orders table and total it per month', { rounds: [[written], [totals]] })
    expect(best.text).toContain('**2026-01 and 2026-02** with 5.00')
    const list = play('Draft a packing list as /notes/list.md', { rounds: [[written]] })
    const page = play('Build a small page', { rounds: [[written, written, written]] })
    const weekend = play('Plan a weekend', { rounds: [[result('ask_user', {})], [written]] })
    for (const { text } of [table, best, list, weekend]) {
      expect(text).toContain('`/else/where.txt`')
      expect(sentences(text)).not.toMatch(/orders\.csv|list\.md|weekend\.md/)
    }
    expect(page.text).not.toContain('/page/')
  })

  it('counts what it wrote', () => {
    const task = 'Draft a packing list as /notes/list.md'
    const content = argument(play(task).calls, 'content')
    const [things, groups] = [/^- /gm, /^## /gm].map((mark) => content.match(mark)?.length)
    const written = result('write_file', { path: '/notes/list.md', size: 1 })
    expect(play(task, { rounds: [[written]] }).text).toContain(`${things} things in ${groups} groups`)
    for (const counted of ['several calls', 'Build a small page']) {
      const { text, calls } = play(counted)
      expect(sentences(text)).toMatch(new RegExp(`\\b${calls.length} (?:calls|files)\\b`))
    }
  })

  it('leaves an answer that the user did not give open', () => {
    const { calls } = play('Plan a weekend with me', { rounds: [[result('ask_user', { user_wrote: 'Rome' })]] })
    expect(argument(calls, 'content')).toBe('# A weekend\n\n- where: Rome\n- nights: ?\n- children: ?\n')
  })

  it('calls no tool unknown that a server of the chat offers', () => {
    const tools = new Set([...allTools, 'send_email'])
    const { text, calls } = play('an unknown tool', { tools })
    expect(tools.has(calls[0]?.name ?? '')).toBe(false)
    expect(text).toContain(`no tool \`${calls[0]?.name}\``)
  })

  it('promises nothing that depends on how calls are approved', () => {
    for (const language of ['en', 'zh-CN'] as const)
      for (const task of typed)
        expect(sentences(play(task, { language }).text)).not.toMatch(
          /nothing happens|until you|you decide|run all|什么都不会|在你(?:点击|按下)|全部运行/i,
        )
  })
})

describe('in Chinese', () => {
  it('answers every command in Chinese, and lists them', () => {
    const chinese = { language: 'zh-CN' } as const
    for (const task of ['help', '你好', ...typed.filter((each) => each !== 'a long reply')]) {
      const { text, reply } = play(task, chinese)
      if (reply.parts.length === 0) continue
      expect(text).toMatch(/\p{sc=Han}{4}/u)
      // Commands and identifiers stay English; they are in backticks.
      expect(sentences(text).replaceAll(/`[^`\n]*`|\*\*[A-Za-z_]+\*\*/g, '')).not.toMatch(/\b[a-z]+ [a-z]+ [a-z]+\b/)
    }
  })

  it.each([
    'frame.start.page-text',
    'frame.start.table-text',
    'frame.start.file-text',
    'frame.start.code-text',
  ] as const)('knows the starter %s and answers in the language of the prompt', (starter) => {
    const task = tIn('zh-CN', starter)
    const { text, calls } = play(task, { language: 'zh-CN' })
    expect(calls).toHaveLength(starter === 'frame.start.page-text' ? 3 : 1)
    expect(text).toMatch(/\p{sc=Han}{4}/u)
    expect(text.replace(/CALLS.*/s, '')).not.toMatch(/\b[a-z]+ [a-z]+ [a-z]+\b/)
  })

  it('keeps the language of the last sentence, also after a command', () => {
    const languageOf = (...texts: readonly string[]) =>
      readTurn(
        texts.map((words) => ({ role: 'user', content: [{ type: 'text', text: words }] })),
        strategyModules,
        () => '',
      ).language
    expect(languageOf('做一个小的订单表')).toBe('zh-CN')
    expect(languageOf('做一个小的订单表', 'list files')).toBe('zh-CN')
    expect(languageOf('做一个小的订单表', 'now please answer me in English')).toBe('en')
    expect(languageOf('list files')).toBe('en')
  })
})
