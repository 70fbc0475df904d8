// @vitest-environment node
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseMenuItem, useAdded } from './add-to-it/added'
import { takeStep } from './add-to-it/recipe'
import {
  ADDED_STRATEGY,
  makeRecipeCopy,
  stepsOfLanguage,
  stepsOfProvider,
  stepsOfStrategy,
  stepsOfTutorial,
} from './add-to-it/recipe-copy'
import { isNightly } from './test/nightly'

/*
 * Applies the code blocks of docs/internals (the tutorial, a strategy, a provider, a language) to one copy of the
 * sources. Checks that what they add works, and that a missing translation fails. add-to-it.nightly.test.ts compiles
 * the whole copy.
 */

const { folder: copy, run, node, test, followAll, remove } = makeRecipeCopy()
beforeAll(followAll, 120_000)
afterAll(remove)

const filesOf = (steps: typeof stepsOfTutorial, kind: 'whole' | 'change') =>
  steps.filter((step) => step.kind === kind).map(({ file }) => file)

/** Changes a file of the copy while `during` runs. */
function changed<T>(file: string, change: (text: string) => string, during: () => T): T {
  const target = path.join(copy, file)
  const before = readFileSync(target, 'utf8')
  const after = change(before)
  if (after === before) throw new Error(`${file} stays as it was`)
  writeFileSync(target, after)
  try {
    return during()
  } finally {
    writeFileSync(target, before)
  }
}

const without = (key: string, language?: string) => (text: string) => {
  const words = JSON.parse(text) as Record<string, unknown>
  if (language === undefined) delete words[key]
  else words[key] = { ...(words[key] as object), [language]: undefined }
  return JSON.stringify(words)
}

describe('the pages on how to add something', () => {
  it('name every file that is changed', () => {
    expect(filesOf(stepsOfTutorial, 'whole')).toEqual([
      'lib/shared/tools/count-words/index.ts',
      'lib/shared/tools/count-words/words.json',
      'lib/shared/tools/count-words/count-words.test.ts',
    ])
    expect([...new Set(filesOf(stepsOfTutorial, 'change'))]).toEqual([
      'components/tool-call/menu/use-card-menu.ts',
      'lib/i18n/en/cards.json',
      'lib/i18n/zh-CN/cards.json',
      'components/tool-call/waiting/four-targets.test.tsx',
      'app/api/health/route.ts',
      'app/api/routes.test.ts',
      'scripts/generate/http-api/operations.ts',
    ])
    const folders = filesOf(stepsOfStrategy, 'whole').map((file) => path.dirname(file))
    expect(new Set(folders)).toEqual(new Set(['lib/protocols/double-bracket']))
    expect(filesOf(stepsOfStrategy, 'change')).toEqual([
      'lib/protocols/types/tool-context-def.ts',
      'lib/protocols/registry.ts',
    ])
    expect(stepsOfProvider.map(({ kind, file }) => `${kind} ${file}`)).toEqual([
      'whole lib/server/models/groq/index.ts',
      'change lib/shared/models/vendors.ts',
      'change lib/server/models/create-model-providers.ts',
    ])
    expect(stepsOfLanguage.map(({ kind, file }) => `${kind} ${file}`)).toEqual(['change lib/base/text/languages.ts'])
  })

  it('are out of date if a line that they name is gone', () => {
    const step = stepsOfStrategy.find(({ kind }) => kind === 'change')
    if (!step) throw new Error('no step changes a file')
    const stale = { ...step, lines: step.lines.map((line) => (line.startsWith(' ') ? `${line} // moved` : line)) }
    expect(() => takeStep(copy, stale)).toThrow('does not have exactly one line')
  })

  // Runs all of them: nightly, and when this file is named.
  it.runIf(isNightly)(
    'keep the tests passing: of tools, languages, the menu, the route, the provider and the strategy',
    () => {
      const menuTest = path.join(copy, 'components/tool-call/menu/copy-arguments.test.tsx')
      mkdirSync(path.dirname(menuTest), { recursive: true })
      writeFileSync(menuTest, chooseMenuItem)
      // The API reference is generated, as the tutorial says.
      expect(run('tsx', 'scripts/generate/http-api.ts', '--write')).toMatchObject({ code: 0 })
      const { passed, red } = test(
        [
          'lib/shared/tools/count-words',
          'lib/shared/tools/built-in-registry.test.ts',
          'lib/shared/tools/tool-registry.test.ts',
          'lib/shared/tools/discovery.test.ts',
          'lib/server/models/config.test.ts',
          'lib/server/models/create-model-providers.test.ts',
          'lib/server/models/sees-images.test.ts',
          ...['t', 'tool-abouts', 'labels', 'chinese', 'quoted-refusal', 'format-text', 'stored-text'].map(
            (name) => `lib/i18n/${name}.test.ts`,
          ),
          'scripts/messages',
          'scripts/generate/http-api.test.ts',
        ],
        '',
      )
      expect(red).toEqual([])
      expect(passed).toBeGreaterThan(150)
      const named = test(
        [
          'components/tool-call/menu',
          'components/tool-call/waiting/four-targets',
          'app/api/routes.test.ts',
          'lib/protocols/strategies.test.ts',
        ],
        `copies the arguments|count_words|models and health|in the form of ${ADDED_STRATEGY}`,
      )
      expect(named.red).toEqual([])
      expect(named.passed).toBeGreaterThan(20)
    },
    240_000,
  )

  it('produce a tool that models are offered, in a format that is described to them', () => {
    const prompt = run('tsx', 'scripts/protocol.ts', 'prompt', '--strategy', ADDED_STRATEGY)
    expect(prompt.out).toContain('count_words(text: string)')
    expect(prompt.out).toContain('[[CALL {"name":')
  }, 240_000)

  it('produce a language, a route and a provider that work', () => {
    writeFileSync(path.join(copy, 'use-added.ts'), useAdded)
    expect(JSON.parse(run('tsx', 'use-added.ts').out.split('\n')[0] ?? '')).toEqual({
      language: 'de',
      text: { loads: true, copy: 'Kopieren', missing: 'Deny' },
      tool: { zh: '统计文本中的单词数。', de: 'Zähle die Wörter von 3 Zeichen' },
      strategy: 'JSON between double brackets.',
      route: { status: 'ok', uptimeSeconds: expect.any(Number) as number },
      provider: {
        problems: [],
        models: ['groq/meta-llama/llama-4-scout-17b-16e-instruct'],
        asked: ['https://api.groq.com/openai/v1/chat/completions', 'Bearer a-key'],
        content: [{ type: 'text', text: 'Good day.' }],
      },
    })
  }, 240_000)

  it('have a check that fails on each text without a translation, and says where', () => {
    const check = () => node('scripts/check-messages.mjs')
    expect(check()).toMatchObject({ code: 0 })
    const failed = changed('lib/i18n/zh-CN/cards.json', without('card.copy-arguments'), () =>
      changed('lib/shared/tools/count-words/words.json', without('about.count_words.text', 'zh-CN'), () =>
        changed('lib/i18n/de/cards.json', without('card.copy'), check),
      ),
    )
    expect(failed.code).toBe(1)
    expect(failed.out.trim().split('\n').toSorted()).toEqual([
      'de: card.copy is missing in lib/i18n/de/cards.json.',
      'zh-CN: about.count_words.text is missing in lib/shared/tools/count-words/words.json.',
      'zh-CN: card.copy-arguments is missing in lib/i18n/zh-CN/cards.json.',
    ])
    expect(readFileSync(path.join(copy, 'scripts/check.mjs'), 'utf8')).toContain('scripts/check-messages.mjs')
  }, 240_000)

  it.runIf(isNightly)(
    'produce a strategy that compiles only when complete, and whose missing facts are reported',
    () => {
      const facts = 'lib/protocols/double-bracket/index.ts'
      const unmarked = changed(
        facts,
        (text) => text.replace(/inResults: \[.*\]/, 'inResults: []'),
        () => test(['lib/protocols/strategies.test.ts'], `in the form of ${ADDED_STRATEGY}`),
      )
      expect(unmarked.failed).toBeGreaterThan(5)
      // The extended lists and their dependencies; the nightly test compiles everything.
      const files = ['lib/protocols/registry.ts', 'lib/shared/tools/built-in-registry.ts', 'lib/i18n/load-messages.ts']
      const part = { extends: './tsconfig.json', include: [], files }
      writeFileSync(path.join(copy, 'tsconfig.part.json'), JSON.stringify(part))
      const compiled = changed(
        facts,
        (text) => text.replace(/resultFrame: .*\n/, ''),
        () =>
          changed(
            'lib/protocols/xml-tag/index.ts',
            (text) => text.replace(/(summary: \{[^}]*), de: '[^']*'/, '$1'),
            () => run('tsc', '--noEmit', '-p', 'tsconfig.part.json'),
          ),
      )
      expect([...compiled.out.matchAll(/Property '(\w+)' is missing/g)].map(([, name]) => name)).toEqual(
        expect.arrayContaining(['resultFrame', 'de']),
      )
      const failing = [...compiled.out.matchAll(/^([^\s(]+)\(\d+,\d+\): error/gm)].map(([, file]) => file)
      expect(new Set(failing)).toEqual(new Set([facts, 'lib/protocols/xml-tag/index.ts']))
    },
    240_000,
  )
})
